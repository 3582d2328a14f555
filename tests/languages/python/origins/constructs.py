"""The tables `language.txt` and `library.txt`: a part of a result in each row must lead to the call that made it."""

import re
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
_HEAD = re.compile(r"^== (.+): (result.*)\n", re.MULTILINE)


@frozen
class Construct:
    """One row of a table."""

    name: str
    part: str
    """The address of the marked part."""
    definitions: str
    body: str

    @property
    def program(self) -> str:
        """A program that runs it."""
        return f"{dedent(PRELUDE)}\n{self.definitions}\ndef build():\n{indent(self.body, '    ')}\n\nresult = build()\n"


def read_constructs(name: str) -> list[Construct]:
    """The rows of a table."""
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    _, *rows = _HEAD.split(text)
    return [_construct(*row) for row in zip(rows[::3], rows[1::3], rows[2::3], strict=True)]


def _construct(name: str, part: str, code: str) -> Construct:
    definitions, _, body = code.rpartition("--\n")
    return Construct(name, part, definitions, body.strip("\n"))
