"""The layout algorithm of Haskell 2010 (section 10.3) in front of an LALR parser.

The columns of tokens give implicit blocks braces and semicolons. For the rule parse-error(t) the parser itself is
asked: if a token does not fit while an implicit block is open, the block is closed and the token is tried again.
"""

from collections.abc import Iterable
from typing import Any

from lark import Lark, Token, UnexpectedToken

from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

_OPENS_BLOCK = frozenset({"LET", "WHERE", "DO", "OF"})
_EXPLICIT = -1
_NAMES = {
    "RBRACE": "the end of this block",
    "SEMI": "a new line at this indentation",
    "$END": "the end of the file",
}


class LayoutParser:
    """Feeds tokens, and the braces that the layout implies, to the parser."""

    def __init__(self, grammar: Lark) -> None:
        self._state = grammar.parse_interactive().parser_state
        self._columns: list[int] = []
        self._expects_block = False
        self._last = "LBRACE"
        self._end = 0

    def parse(self, tokens: Iterable[Token]) -> Any:
        """Parse a whole module."""
        line, first = -1, True
        for token in tokens:
            if first:
                self._expects_block = token.type not in ("MODULE", "LBRACE")
                first = False
            self._take(token, is_first_on_line=token.line != line)
            line = token.line if token.line is not None else line
            self._end = token.end_pos or 0
        if first or self._expects_block:
            self._feed_all("LBRACE", "RBRACE")
        while self._columns and self._columns.pop() != _EXPLICIT:
            self._feed_virtual("RBRACE")
        return self._feed(self._virtual("$END"), at_end=True)

    def _take(self, token: Token, is_first_on_line: bool) -> None:
        """Feed one token of the text, after the braces and semicolons that its column implies."""
        column = token.column or 0
        if self._expects_block:
            self._expects_block = False
            if token.type != "LBRACE" and self._open(column, token):
                is_first_on_line = False
        if is_first_on_line:
            self._begin_line(column, token)
        if token.type == "RBRACE" and self._columns and self._columns[-1] != _EXPLICIT:
            self._close_until_explicit(token)
        self._feed_or_close(token)
        if token.type == "LBRACE":
            self._columns.append(_EXPLICIT)
        elif token.type == "RBRACE" and self._columns:
            self._columns.pop()
        self._expects_block = token.type in _OPENS_BLOCK

    def _open(self, column: int, token: Token) -> bool:
        around = next((c for c in reversed(self._columns)), -1)
        self._feed_virtual("LBRACE", token)
        if column > around:
            self._columns.append(column)
            return True
        self._feed_virtual("RBRACE", token)
        return False

    def _begin_line(self, column: int, token: Token) -> None:
        while self._columns and column < self._columns[-1]:
            self._columns.pop()
            self._feed_virtual("RBRACE", token)
        if self._columns and column == self._columns[-1] and self._last not in ("LBRACE", "SEMI"):
            self._feed_or_close(self._virtual("SEMI", token))

    def _close_until_explicit(self, token: Token) -> None:
        while self._columns and self._columns[-1] != _EXPLICIT:
            self._columns.pop()
            self._feed_virtual("RBRACE", token)

    def _feed_or_close(self, token: Token) -> None:
        """Feed a token; if it does not fit, close implicit blocks first: parse-error(t)."""
        if token.type == "SEMI" and self._last in ("LBRACE", "SEMI"):
            return
        while True:
            try:
                self._state.feed_token(token)
                self._last = token.type
                return
            except UnexpectedToken as error:  # noqa: PERF203 - the rule parse-error(t)
                if not self._columns or self._columns[-1] == _EXPLICIT:
                    raise _problem(token, error) from None
                try:
                    self._state.feed_token(self._virtual("RBRACE", token))
                except UnexpectedToken:
                    raise _problem(token, error) from None
                self._columns.pop()
                self._last = "RBRACE"
                if token.type == "SEMI" and (not self._columns or self._columns[-1] != token.column):
                    return

    def _feed_all(self, *kinds: str) -> None:
        for kind in kinds:
            self._feed_virtual(kind)

    def _feed_virtual(self, kind: str, near: Token | None = None) -> None:
        self._feed(self._virtual(kind, near))

    def _feed(self, token: Token, at_end: bool = False) -> Any:
        try:
            self._last = token.type
            return self._state.feed_token(token, at_end)
        except UnexpectedToken as error:
            raise _problem(token, error) from None

    def _virtual(self, kind: str, near: Token | None = None) -> Token:
        """A token that is not in the text: empty, at the end of the last real one."""
        column = None if near is None else near.column
        return Token(kind, "", start_pos=self._end, end_pos=self._end, column=column)


def _problem(token: Token, error: UnexpectedToken) -> HaskellSyntaxError:
    shown = f"{str(token)!r}" if str(token) else _NAMES.get(token.type, token.type)
    start = token.start_pos or 0
    wanted = _expectation(set(error.expected or ()))
    return HaskellSyntaxError(f"parse error at {shown}{wanted}", start, max(token.end_pos or 0, start))


def _expectation(expected: set[str]) -> str:
    for kind, text in (("EQUALS", "`=`"), ("RARROW", "`->`"), ("THEN", "`then`"), ("ELSE", "`else`"), ("OF", "`of`")):
        if kind in expected:
            return f"; expected {text}"
    if "RPAREN" in expected:
        return "; expected `)`"
    return "; expected `]`" if "RBRACK" in expected else ""
