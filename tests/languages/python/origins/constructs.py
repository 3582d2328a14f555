"""The tables `language.txt` and `library.txt`: a part of a result in each row must lead to the call that made it."""

import re
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

from attrs import frozen

PRELUDE = """
    import asyncio, bisect, collections, contextlib, copy, dataclasses, functools, heapq, itertools, operator
    import threading, typing
    from collections import OrderedDict, defaultdict, deque, namedtuple
    from concurrent.futures import ThreadPoolExecutor

    def good(x):
        return x * 2

    def bad(x):
        return x * 3

    def same(x):
        return x
    """
MAKER = "bad(2) = 6"
"""The call that made the marked part, in every row."""
_HEAD = re.compile(r"^== (.+): (result.*)\n", re.MULTILINE)


@frozen
class Construct:
    """One row of a table."""

    number: int
    name: str
    part: str
    """The address of the marked part."""
    definitions: str
    body: str

    @property
    def module(self) -> str:
        """The module that runs it."""
        return f"construct_{self.number}"

    @property
    def source(self) -> str:
        """The source of that module."""
        body = indent(self.body, "    ")
        return f"{dedent(PRELUDE)}\n{self.definitions}\ndef build():\n{body}\n\nresult = build()\n"


@cache
def constructs() -> tuple[Construct, ...]:
    """The rows of both tables."""
    rows = [row for name in ("language", "library") for row in _rows(name)]
    return tuple(_construct(number, *row) for number, row in enumerate(rows))


def program() -> dict[str, str]:
    """A program that runs all of them, one module each."""
    imports = "\n".join(f"import {construct.module}" for construct in constructs())
    return {"program.py": imports, **{f"{construct.module}.py": construct.source for construct in constructs()}}


def _rows(name: str) -> list[tuple[str, str, str]]:
    _, *parts = _HEAD.split((Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8"))
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def _construct(number: int, name: str, part: str, code: str) -> Construct:
    definitions, _, body = code.rpartition("--\n")
    return Construct(number, name, part, definitions, body.strip("\n"))
