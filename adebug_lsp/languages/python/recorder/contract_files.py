"""Generates the files that repeat the contract: `native/contract.h`, and the tables of `docs/reference/recording.md`.

Usage: python -m adebug_lsp.languages.python.recorder.contract_files ROOT
"""

import os
import re
import sys
from collections.abc import Iterable

from .contract import COLUMNS, MARKERS, NATIVE, RECORD_KINDS, SEGMENTS, VALUE_KINDS, WORDS

HEADER = "adebug_lsp/languages/python/recorder/native/contract.h"
PAGE = "docs/reference/recording.md"


def header() -> str:
    """The C header: the constants, and a list of them for the module that exports them."""
    constants = "".join(f"    {name} = {value},\n" for name, value in NATIVE.items())
    exported = ", \\\n".join(f'    {{"{name}", {name}}}' for name in NATIVE)
    return (
        "/* Generated from contract.py by `make docs`. Do not edit. */\n\n"
        f"enum {{\n{constants}}};\n\n#define CONTRACT_CONSTANTS \\\n{exported}\n"
    )


def tables() -> dict[str, str]:
    """The tables of the page, by the name between the comments around each."""
    return {
        "segments": _table(["tag", "content"], ([f"`{tag.decode()}`", text] for tag, text in SEGMENTS.items())),
        "markers": _table(
            ["marker", "record", "values"],
            ([number, marker.record, ", ".join(marker.values)] for number, marker in MARKERS.items()),
        ),
        "records": _table(
            ["kind", "record", "dropped when a run is too long"],
            ([f"`{name}`", kind.record, "yes" if kind.detail else ""] for name, kind in RECORD_KINDS.items()),
        ),
        "words": _table(["byte", "word", "column"], ([code, *texts] for code, texts in WORDS.items())),
        "columns": _table(["column", "content"], enumerate(COLUMNS, 1)),
        "kinds": _table(
            ["kind", "value", "parts"],
            ([number, kind.value, kind.parts] for number, kind in VALUE_KINDS.items() if kind.listed),
        ),
    }


def page(text: str) -> str:
    """The page with its tables replaced."""
    made = tables()
    return re.sub(
        r"(<!-- contract: (\w+) -->\n).*?(<!-- end -->)",
        lambda match: f"{match[1]}\n{made[match[2]]}\n{match[3]}",
        text,
        flags=re.DOTALL,
    )


def _table(names: list[str], rows: Iterable[Iterable[object]]) -> str:
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(line.replace("|  |", "| |") for line in lines) + "\n"


def write(root: str) -> None:
    """Write both files below the root of the repository."""
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        text = page(file.read())
    for path, content in ((HEADER, header()), (PAGE, text)):
        with open(os.path.join(root, path), "w", encoding="utf-8", newline="\n") as file:
            file.write(content)


if __name__ == "__main__":
    write(sys.argv[1])
