"""Finds languages by the entry-point group `adebug.languages`, so that others can add one."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from adebug_lsp.languages.language import Language
from adebug_lsp.model.errors import BadInputError, UnknownNameError

GROUP = "adebug.languages"
_DEFAULT = "python"


@cache
def languages() -> dict[str, Language]:
    """Every installed language by its name."""
    return {point.name: point.load()() for point in entry_points(group=GROUP)}


def language(name: str) -> Language:
    """The language with a name."""
    found = languages().get(name)
    if found is None:
        raise UnknownNameError(f"no language is called {name!r}; there is {', '.join(sorted(languages()))}")
    return found


def language_of(program: Path) -> Language:
    """The language that a source file is written in."""
    for found in languages().values():
        if program.suffix in found.suffixes:
            return found
    known = ", ".join(sorted(suffix for found in languages().values() for suffix in found.suffixes))
    raise BadInputError(f"{program}: no language is known for this file; known are {known}")


def language_of_tests(workspace: Path, arguments: Sequence[str]) -> Language:
    """The language whose tests are to be run; Python where no other knows them."""
    others = (found for found in languages().values() if found.name != _DEFAULT)
    return next((found for found in others if found.has_tests(workspace, arguments)), language(_DEFAULT))


def language_of_runner(name: str) -> Language:
    """The language whose tests a runner runs."""
    return next(found for found in languages().values() if found.test_runner == name)


def language_of_recording(recording: Path) -> Language | None:
    """The language whose recording this is, or None."""
    return next((found for found in languages().values() if found.recognises(recording)), None)
