"""Exports stored answers as tests, in a file of the language that they belong to."""

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages import registry
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.store.saved_answers import SavedAnswer


@frozen
class Exported:
    """A file of tests that is not written yet."""

    file: Path
    text: str
    count: int
    """Number of tests in it."""
    left_out: int
    """Number of answers that no test can express."""

    def write(self, *, advice: str = "") -> None:
        """Write it to a new file; raises `BadInputError`."""
        try:
            with self.file.open("x", encoding="utf-8") as stream:
                stream.write(self.text)
        except FileExistsError:
            raise BadInputError(f"{self.file}: already exists and is not overwritten{advice}") from None
        except OSError as error:
            raise BadInputError(f"{self.file}: cannot be written: {error.strerror}") from error


def exported(answers: Sequence[SavedAnswer], folder: Path, name: str | None, workspace: Path) -> Exported:
    """The tests for a file in a folder; without a name, in the language that has the most of them.

    An answer becomes a test in its own language; if that is unknown, in any language that can express it.
    """
    made = [_exported_as(language, answers, folder, name, workspace) for language in _candidates(answers, name)]
    return max(made, key=lambda tests: tests.count)


def _candidates(answers: Sequence[SavedAnswer], name: str | None) -> list[LanguageDescriptor]:
    """The languages that can write this file and may have answers; otherwise the default language."""
    known = {answer.language for answer in answers}
    writers = [descriptor for descriptor in registry.descriptors().values() if descriptor.test_file is not None]
    if name is not None:
        writers = [descriptor for descriptor in writers if name.endswith(descriptor.source_suffixes)]
    possible = [descriptor for descriptor in writers if descriptor.name in known or "" in known]
    return possible or [registry.descriptors()[registry.DEFAULT_LANGUAGE]]


def _exported_as(
    language: LanguageDescriptor, answers: Sequence[SavedAnswer], folder: Path, name: str | None, workspace: Path
) -> Exported:
    file = folder / (name or language.test_file or "answers.txt")
    own = [answer for answer in answers if answer.language in (language.name, "")]
    tests = language.load().export_tests(own, file, workspace)
    return Exported(file, tests.text, tests.count, len(answers) - tests.count)
