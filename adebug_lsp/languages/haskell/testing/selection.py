"""The tests named by the arguments of `adebug test`: `FILE.hs`, `FILE.hs::prop_name`, `FILE.hs::main`, or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.text import lines_of


@frozen
class Selected:
    """A file with tests."""

    file: Path
    name: str = ""
    """The test to run; empty for all tests of the file."""

    def includes(self, name: str) -> bool:
        """Whether a test of the file should run."""
        return self.name in ("", name)


def select(workspace: Path, arguments: Sequence[str]) -> list[Selected]:
    """The files that the arguments name, each once; raises `BadInputError` for one that does not exist."""
    selected: list[Selected] = []
    for argument in arguments or ["."]:
        text, _, name = argument.partition("::")
        path = workspace / text
        if path.is_dir():
            selected += [Selected(file) for file in sorted(path.rglob("*.hs")) if _has_tests(file)]
        elif path.is_file() and path.suffix == ".hs":
            selected.append(Selected(path, name))
        else:
            raise BadInputError(f"{argument}: there is no such Haskell file; a test is FILE.hs or FILE.hs::prop_name")
    return list(dict.fromkeys(selected))


def expected_output(file: Path) -> str | None:
    """The expected output of `main`, from the file beside it; None if there is none."""
    beside = file.with_suffix(".expected")
    return beside.read_text(encoding="utf-8").replace("\r\n", "\n") if beside.is_file() else None


def _has_tests(file: Path) -> bool:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return file.with_suffix(".expected").is_file() or any(line.startswith("prop_") for line in lines_of(text))
