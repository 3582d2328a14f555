"""Formats terms as text, in Erlang's notation and bounded in length, and as values of questions."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from adebug_lsp.languages.erlang.reading.terms import (
    BITS,
    Atom,
    Bits,
    Fun,
    Improper,
    MapTerm,
    Omitted,
    Opaque,
    Pid,
    Record,
    Term,
)
from adebug_lsp.languages.erlang.syntax.scanner import RESERVED, SOMETIMES_RESERVED
from adebug_lsp.model.values import Key, Part, Value

MAX_CHARACTERS = 400
"""Characters of a text; longer ones end with an ellipsis."""
MAX_PARTS = 64
"""Parts of a structure that are listed."""
_MAX_DEPTH = 12
_LATIN1_END = 256
"""Lists with larger numbers are not strings, as in Erlang's own `~p`."""
_PLAIN_ATOM = re.compile(r"[a-z][A-Za-z0-9_@]*\Z")
_QUOTED = RESERVED | SOMETIMES_RESERVED
"""Words that are an atom only in quotes, in one OTP or another."""
_ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 27: "\\e", 34: '\\"', 92: "\\\\"}


def as_value(term: Term, depth: int = 3) -> Value:
    """A term as a value of a question, with its parts up to a depth."""
    parts = tuple(Part(key, as_value(part, depth - 1)) for key, part in islice(_parts(term), MAX_PARTS if depth else 0))
    is_text, count = _is_text(term), _count(term)
    elided, indexed = (0, count) if is_text else (count - len(parts), 0)
    return Value(text(term), _type(term), parts=parts, elided=elided, indexed=indexed)


def _count(term: Term) -> int:
    """Number of parts; characters of a string do not count."""
    if isinstance(term, Improper):
        return len(term.items) + 1
    return len(term.pairs) if isinstance(term, MapTerm) else len(term) if isinstance(term, list | tuple) else 0


def text(term: Term, most: int = MAX_CHARACTERS) -> str:
    """A term in Erlang's notation."""
    pieces: list[str] = []
    left = most
    for piece in _pieces(term, 0):
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            return "".join(pieces)[:most] + "…"
    return "".join(pieces)


def atom_text(name: str) -> str:
    """An atom, in quotes if it needs them."""
    if _PLAIN_ATOM.match(name) and name not in _QUOTED:
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def is_complete(term: Term) -> bool:
    """Whether nothing was left out of a term."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Omitted) or (isinstance(part, tuple) and part[:1] == (BITS,)):
            return False
        if isinstance(part, Improper):
            waiting += (*part.items, part.tail)
        elif isinstance(part, MapTerm):
            waiting += [part for pair in part.pairs for part in pair]
        elif isinstance(part, Fun):
            waiting += part.environment
        elif isinstance(part, list | tuple):
            waiting += part
    return True


def _type(term: Term) -> str:
    names: dict[type, str] = {
        Atom: "atom", int: "integer", float: "float", bytes: "binary", Bits: "bitstring", tuple: "tuple",
        list: "list", Improper: "list", MapTerm: "map", Record: "record", Pid: "pid", Fun: "fun",
    }  # fmt: skip
    return term.kind if isinstance(term, Opaque) else names.get(type(term), "")


def _parts(term: Term) -> Iterator[tuple[Key, Term]]:
    """The parts of a term, as questions name them."""
    if isinstance(term, MapTerm):
        for key, value in term.pairs:
            yield text(key, 60), value
    elif isinstance(term, Improper):
        yield from enumerate((*term.items, term.tail))
    elif isinstance(term, list | tuple) and not _is_text(term):
        yield from enumerate(term)


def _is_text(term: Term) -> bool:
    return (
        isinstance(term, list)
        and bool(term)
        and all(type(c) is int and c < _LATIN1_END and _is_printable(c) for c in term)
    )


def _is_printable(code: int) -> bool:
    return code in _ESCAPES or 32 <= code < 127 or 160 <= code < 0xD800 or 0xE000 <= code < 0x110000


def _pieces(term: Term, depth: int) -> Iterator[str]:
    """The text of a term in pieces."""
    if depth > _MAX_DEPTH:
        yield "…"
    elif isinstance(term, list | tuple | Improper | MapTerm) and not _is_text(term):
        yield from _structure(term, depth)
    else:
        yield _plain(term)


def _plain(term: Term) -> str:
    """The text of a term without parts."""
    if isinstance(term, Atom):
        return atom_text(term)
    if isinstance(term, list):
        return '"' + "".join(_ESCAPES.get(code) or chr(code) for code in term) + '"'
    if isinstance(term, bytes):
        return _binary(term)
    if isinstance(term, Bits):
        *whole, last = term.data
        return "<<" + ",".join([*map(str, whole), f"{last >> (8 - term.last)}:{term.last}"]) + ">>"
    if isinstance(term, Pid):
        return term.text
    if isinstance(term, Fun):
        return (
            term.source_text
            or f"fun {atom_text(term.module)}:{atom_text(term.name) if term.name else '…'}/{term.arity}"
        )
    if isinstance(term, Opaque):
        return _reference(term.data) if term.kind == "reference" else f"#Port<0.{_port(term.data)}>"
    if isinstance(term, Omitted):
        return f"… {term.count} more" if term.count else "…"
    return repr(term)


def _binary(data: bytes) -> str:
    """A binary as a string if it is printable text, otherwise as numbers."""
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        decoded = ""
    if data and decoded and all(_is_printable(ord(c)) for c in decoded):
        kind = "/utf8" if len(decoded) < len(data) else ""
        return '<<"' + "".join(_ESCAPES.get(ord(c)) or c for c in decoded) + f'"{kind}>>'
    return "<<" + ",".join(map(str, data[:MAX_CHARACTERS])) + ">>"


def _structure(term: list[Term] | tuple[Any, ...] | Improper | MapTerm, depth: int) -> Iterator[str]:
    """The text of a term with parts, in pieces."""
    if isinstance(term, tuple) and term[:1] == (BITS,):
        yield f"<<{','.join(map(str, term[1][:16]))},…>>"
        return
    opening, closing = {tuple: ("{", "}"), MapTerm: ("#{", "}"), Record: ("{", "}")}.get(type(term), ("[", "]"))
    if isinstance(term, Record):
        yield f"#{atom_text(term.module)}:{atom_text(term.name)}"
    yield opening
    items = term.pairs if isinstance(term, MapTerm) else term.items if isinstance(term, Improper) else term
    for number, item in enumerate(items):
        if number:
            yield ", " if isinstance(term, MapTerm) else ","
        if isinstance(term, MapTerm):
            yield from _pieces(item[0], depth + 1)
            yield " = " if isinstance(term, Record) else " => "
            item = item[1]  # noqa: PLW2901
        yield from _pieces(item, depth + 1)
    if isinstance(term, Improper):
        yield "|"
        yield from _pieces(term.tail, depth + 1)
    yield closing


def _reference(data: bytes) -> str:
    """A reference as Erlang prints it: the last word first. The bytes before the words identify the node."""
    words = data[len(data) % 4 or 4 :]
    numbers = [int.from_bytes(words[index : index + 4], "big") for index in range(0, len(words), 4)]
    return f"#Ref<{'.'.join(map(str, [0, *reversed(numbers)]))}>"


def _port(data: bytes) -> int:
    """The number of a port. The bytes after it, one or four, identify the node."""
    return int.from_bytes(data[: -1 if len(data) % 4 else -4], "big")
