"""Describes a language as data, so that it can be chosen before any of its code is imported.

An entry point of the group `adebug.languages` is a `LanguageDescriptor`. Nothing here imports numpy: `adebug doctor`
reads descriptors to say that numpy is missing.
"""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import Factory, field, frozen

if TYPE_CHECKING:
    from adebug_lsp.languages.diagnosis import Probe
    from adebug_lsp.languages.language import Language

CAPABILITIES: Mapping[str, str] = {
    "marks": "a mark on a wrong value sends the search to where the value came from",
    "bad-input": "an answer *bad input* sends the search to the caller",
    "rules": "a typed rule answers questions",
    "reference": "a correct version of the program answers questions",
    "zoom": "the search continues inside the buggy routine, down to an expression",
    "stored-expressions": "answers about expressions inside a routine are known in later sessions",
    "arguments": "a program gets command-line arguments",
    "modules": "`adebug run -m MODULE` runs a module by its name",
    "tests": "`adebug test` runs the project's tests and asks about one that failed",
    "failing-tests": "the language server knows which tests failed in the last run",
    "test-export": "`adebug answers export` writes answers as tests",
    "live-debugger": "breakpoints and steps while the program runs",
    "conditions": "breakpoints in a replay can have conditions",
    "outline": "code lenses and symbols in an editor",
    "checks": "errors, missing cases and unused variables while a text is edited, and types on hover",
    "diagram": "`adebug diagram` shows the messages between processes",
    "profile": "`adebug profile` counts symbolic costs by cost centre",
    "time-equations": "`adebug time-equations` finds the cost of functions in closed form",
    "slices": "`adebug slice` shows what a value depends on",
    "diagnosis": "`adebug doctor` examines the tools that the language needs",
}
"""Every feature that a language may lack, with its meaning. `docs/language-gaps.md` is generated from it."""


def _known_capabilities(_instance: object, _attribute: object, gaps: Mapping[str, str]) -> None:
    unknown = sorted(gaps.keys() - CAPABILITIES.keys())
    if unknown:
        raise ValueError(f"unknown capability {unknown[0]!r}; known are {', '.join(CAPABILITIES)}")
    empty = [name for name, reason in gaps.items() if not reason.strip()]
    if empty:
        raise ValueError(f"the gap {empty[0]!r} has no reason")


@frozen(kw_only=True)
class LanguageDescriptor:
    """Facts about a language that front ends need before they run or open anything."""

    name: str
    code: str
    """Where the class that implements `Language` is: `module:Class`. It is imported on first use."""
    suffixes: tuple[str, ...]
    """Suffixes of files that `adebug run` accepts."""
    recording_magic: bytes
    """The first bytes of every recording of this language."""
    source_suffixes: tuple[str, ...] = field(default=Factory(lambda self: self.suffixes, takes_self=True))
    """Suffixes of source files: which arguments of `adebug test` name tests, which files an editor shows lenses in."""
    project_files: tuple[str, ...] = ()
    """Files in the root of a workspace that show that its tests are in this language."""
    reference_suffixes: tuple[str, ...] = ()
    """Suffixes of files that a reference must have at the same paths as the workspace; none: it is found by name."""
    test_runner: str | None = None
    """The program that runs tests, also the launch field for its arguments; None: the language has no tests."""
    test_arguments: str = field(default=Factory(lambda self: f"arguments for {self.test_runner}", takes_self=True))
    """The arguments of the test runner, as editors describe that launch field."""
    interpreter_field: str | None = None
    """The launch field that names the interpreter; None: the language looks for its own."""
    test_file: str | None = None
    """Name of the file that answers are exported to; None: answers cannot be exported."""
    debugger: str | None = None
    """The debugger of the live phase (`debugpy`); None: the program only runs under the recorder."""
    editor_languages: tuple[str, ...] = ()
    """The language identifiers of editors, for document selectors: https://code.visualstudio.com/docs/languages/identifiers"""
    editor_suffixes: tuple[str, ...] = ()
    """Suffixes of documents whose language VS Code does not know itself: our extension contributes the language, and
    selects documents by suffix, as another extension may have another identifier for them."""
    has_other_servers: bool = False
    """Whether other language servers provide symbols and folding; then adebug's server does not repeat them."""
    diagnosis: str = ""
    """The function that returns probes for `adebug doctor`: `module:function`, which must not need numpy."""
    gaps: Mapping[str, str] = field(factory=dict, validator=_known_capabilities)
    """Capabilities that the language lacks, each with its reason."""

    @property
    def file_patterns(self) -> tuple[str, ...]:
        """Glob patterns of its source files, for LSP's file watchers."""
        return tuple(f"**/*{suffix}" for suffix in self.source_suffixes)

    def load(self) -> "Language":
        """Import the language's code and return its `Language`."""
        return cast("Language", _named(self.code)())

    def probes(self, workspace: Path) -> "list[Probe]":
        """The probes of `adebug doctor` for this language in a workspace."""
        if not self.diagnosis:
            return []
        return cast("Callable[[Path], list[Probe]]", _named(self.diagnosis))(workspace)

    def recognises(self, recording: Path) -> bool:
        """Whether a file starts like a recording of this language; False if it cannot be read."""
        try:
            with recording.open("rb") as stream:
                return stream.read(len(self.recording_magic)) == self.recording_magic
        except OSError:
            return False


def _named(reference: str) -> Any:
    """The object that `module:name` refers to."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)
