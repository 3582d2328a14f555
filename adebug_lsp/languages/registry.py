"""Finds languages by the entry-point group `adebug.languages`, so that other packages can add one.

Choosing a language reads descriptors only; the code of the chosen one, and of no other, is imported.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.model.errors import BadInputError, UnknownNameError

if TYPE_CHECKING:
    from adebug_lsp.languages.language import Language

GROUP = "adebug.languages"
DEFAULT_LANGUAGE = "python"
"""The language of modules and tests that no other language claims."""


@cache
def descriptors() -> dict[str, LanguageDescriptor]:
    """The descriptor of every installed language by its name, the default language first."""
    by_name = {point.name: point.load() for point in entry_points(group=GROUP)}
    for name, descriptor in by_name.items():
        if not isinstance(descriptor, LanguageDescriptor):
            raise BadInputError(
                f"language {name}: its entry point is {descriptor!r}, not a LanguageDescriptor; "
                "update or uninstall the package that brings it"
            )
    return dict(sorted(by_name.items(), key=lambda item: (item[0] != DEFAULT_LANGUAGE, item[0])))


def language(name: str) -> "Language":
    """The language with a name."""
    descriptor = descriptors().get(name)
    if descriptor is None:
        raise UnknownNameError(f"no language is called {name!r}; there is {', '.join(sorted(descriptors()))}")
    return descriptor.load()


def languages() -> "Iterator[Language]":
    """Every installed language, the default one first; each is loaded when the iterator reaches it."""
    return (descriptor.load() for descriptor in descriptors().values())


def language_of(program: Path) -> "Language":
    """The language of a source file or compiled program, by its suffix."""
    for descriptor in descriptors().values():
        if program.suffix in descriptor.suffixes:
            return descriptor.load()
    known = ", ".join(sorted(suffix for descriptor in descriptors().values() for suffix in descriptor.suffixes))
    raise BadInputError(f"{program}: no language is known for this file; known are {known}")


def language_of_tests(workspace: Path, arguments: Sequence[str]) -> "Language":
    """The language of the tests to run: by the files that arguments name, otherwise by the files of the project."""
    default = descriptors().get(DEFAULT_LANGUAGE)
    others = [descriptor for name, descriptor in descriptors().items() if name != DEFAULT_LANGUAGE]
    for descriptor in others:
        if any(argument.partition("::")[0].endswith(descriptor.source_suffixes) for argument in arguments):
            return descriptor.load()
    if default is None or not any(_is_of_default(argument, default) for argument in arguments):
        for descriptor in others:
            if any((workspace / name).is_file() for name in descriptor.project_files):
                return descriptor.load()
    return language(DEFAULT_LANGUAGE)


def _is_of_default(argument: str, default: LanguageDescriptor) -> bool:
    """Whether an argument is an option, or names a file of the default language (`test_cart.py::test_total`)."""
    return argument.startswith("-") or any(suffix in argument for suffix in default.source_suffixes)


def language_of_runner(name: str) -> "Language":
    """The language whose tests a runner runs."""
    return next(descriptor.load() for descriptor in descriptors().values() if descriptor.test_runner == name)


def language_of_recording(recording: Path) -> "Language | None":
    """The language of a recording; None for any other file."""
    return next((descriptor.load() for descriptor in descriptors().values() if descriptor.recognises(recording)), None)
