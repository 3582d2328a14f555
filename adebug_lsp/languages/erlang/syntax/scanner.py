"""Splits Erlang text into forms, and a form into tokens. Only `\
` ends a line.

A token is a plain tuple, because a file has tens of thousands of them.
"""

import re
from collections.abc import Callable, Iterator

Token = tuple[str, int, int]
"""Kind, start and end. The kind of punctuation and reserved words is their text; the others are `atom`, `var`,
`integer`, `float`, `char`, `string`, `macro` (`?NAME`), `dot`, `bad` (not a token of Erlang) and `eof`.
"""

_SPACE = r"\x00-\x20\x80-\xa0"
_LOWER = "a-zß-öø-ÿ"
_NAME = r"[A-Za-z0-9_@À-ÖØ-öø-ÿ]*"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_BLOCK = r'(?P<{0}>"{{3,}})[ \t]*\n(?:.*?\n)??[ \t]*(?P={0})'
"""A triple-quoted string (OTP 27); on a line of its own, `\"\"\"` had no other meaning in earlier releases."""
_SIGILS = {"(": ")", "[": "]", "{": "}", "<": ">", **{mark: mark for mark in "/|'\"`#"}}
"""Delimiters of sigils (OTP 27): https://www.erlang.org/doc/system/data_types.html#sigil"""


def _sigil() -> str:
    """Pattern of a sigil such as `~b[...]`; with a lower-case letter or none, a backslash escapes."""
    escaped, plain = [], []
    for opening, closing in _SIGILS.items():
        begin, end = re.escape(opening), re.escape(closing)
        escaped.append(rf"{begin}[^{end}\\]*(?:\\.[^{end}\\]*)*{end}")
        plain.append(rf"{begin}[^{end}]*{end}")
    return f"~(?:[bs]?(?:{'|'.join(escaped)})|[BS](?:{'|'.join(plain)}))"


_SIGIL = _sigil()
_QUOTED = r"'[^'\\]*(?:\\.[^'\\]*)*'"
_CHAR = r"\$(?:\\(?:\^.|x\{[0-9A-Fa-f]*\}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|.)|[^\\])"
_DOT = rf"\.(?=[{_SPACE}%]|\Z)"

_TOKEN = re.compile(
    rf"""
    (?P<space>[{_SPACE}]+|%[^\n]*)
    |(?P<atom>[{_LOWER}]{_NAME}|{_QUOTED})
    |(?P<var>[A-Z_À-ÖØ-Þ]{_NAME})
    |(?P<float>[0-9][0-9_]*\.[0-9][0-9_]*(?:[eE][+-]?[0-9][0-9_]*)?
        |[0-9][0-9_]*\#[0-9A-Za-z][0-9A-Za-z_]*\.[0-9A-Za-z][0-9A-Za-z_]*(?:\#[eE][+-]?[0-9][0-9_]*)?)
    |(?P<integer>[0-9][0-9_]*(?:\#[0-9A-Za-z][0-9A-Za-z_]*)?)
    |(?P<string>(?:~[bBsS]?)?{_BLOCK.format("quotes")}|{_STRING}|{_SIGIL})
    |(?P<char>{_CHAR})
    |(?P<macro>\?\??[{_SPACE}]*(?:[A-Za-z_À-ÖØ-öø-ÿ]{_NAME}|{_QUOTED}))
    |(?P<dot>{_DOT})
    |(?P<mark><:-|<:=|=:=|=/=|\.\.\.|<<|<-|<=|>>|>=|->|--|\+\+|=<|=>|==|/=|\|\||:=|::|\.\.|\?=|&&
        |[,(){{}}\[\];|:\#.*/+\-=<>!])
    |(?P<bad>.)
    """,
    re.VERBOSE | re.DOTALL,
)

RESERVED = frozenset(
    [
        "after",
        "and",
        "andalso",
        "band",
        "begin",
        "bnot",
        "bor",
        "bsl",
        "bsr",
        "bxor",
        "case",
        "catch",
        "div",
        "end",
        "fun",
        "if",
        "not",
        "of",
        "or",
        "orelse",
        "receive",
        "rem",
        "try",
        "when",
        "xor",
    ]
)
"""Words that are reserved in every file."""
SOMETIMES_RESERVED = frozenset(["cond", "else", "let", "maybe"])
"""Words that some OTP reserves, or a feature (EEP 49); they are atoms in most files, and the parser decides."""

_LANDMARK = re.compile(
    rf"%[^\n]*|(?P<text>{_BLOCK.format('quotes')}|{_SIGIL}|{_STRING}|{_QUOTED})|{_CHAR}|\.\.+|(?P<dot>{_DOT})",
    re.DOTALL,
)
_ENDING = re.compile(_DOT)
_FORM_START = re.compile(rf"^(?:-[ \t]*[a-z]|(?P<name>[{_LOWER}]{_NAME}|'[^'\n]*')[ \t]*\()", re.MULTILINE)


_PLAIN = re.compile(rf"[{_LOWER}]{_NAME}")


def atom(text: str) -> str:
    """An atom as Erlang writes it, without unnecessary quotes."""
    bare = text[1:-1]
    return bare if text[0] == "'" and _PLAIN.fullmatch(bare) and bare not in RESERVED else text


def tokens(text: str) -> list[Token]:
    """Tokens of a form, with two `eof` at the end for lookahead."""
    result: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        start, end = match.span()
        if kind == "mark" or (kind == "atom" and text[start:end] in RESERVED):
            kind = text[start:end]
        result.append((kind or "bad", start, end))
    result += [("eof", len(text), len(text))] * 2
    return result


def split_forms(text: str, is_complete: Callable[[str], bool], start: int) -> Iterator[tuple[int, int]]:
    """Start and end of each form from an offset on, with its dot and the comments before it.

    A quote that is never closed reaches to the next quote, in another form, and swaps code and strings from there on.
    So a quoted text that contains the start of a form, and with which `is_complete` fails, is a stray character.
    """
    position = start
    doubtful: int | None = None
    while match := _LANDMARK.search(text, position):
        position = match.end()
        if match.lastgroup == "text":
            if doubtful is None and _FORM_START.search(
                text, text.find("\n", match.start(), position) + 1 or position, position
            ):
                doubtful = match.start()
        elif match.lastgroup == "dot":
            if doubtful is None or is_complete(text[start:position]):
                yield start, position
                start = position
            else:
                position = doubtful + 1
            doubtful = None
    if start < len(text):
        yield start, len(text)


def ends_form(text: str, position: int) -> bool:
    """Whether the dot before an offset ends a form."""
    return position > 0 and _ENDING.match(text, position - 1) is not None


def form_starts(text: str, after: int) -> Iterator[tuple[int, str]]:
    """Offsets of lines that look like the start of a form, with the name of the function or an empty string."""
    for match in _FORM_START.finditer(text, after):
        yield match.start(), match["name"] or ""
