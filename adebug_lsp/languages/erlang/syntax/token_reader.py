"""A cursor over the tokens of a form, with the nodes collected so far."""

from collections.abc import Collection

from adebug_lsp.languages.erlang.syntax.form import Form, FormError, Span
from adebug_lsp.languages.erlang.syntax.scanner import Token

Operand = tuple[int, int, int]
"""Anchor of the first node of an expression, and the span of the expression with its parentheses."""

LEAVES = frozenset(["atom", "var", "integer", "float", "char"])
BRACKETS = {"(": ")", "[": "]", "{": "}", "<<": ">>"}
_ENDS = frozenset([",", ")", "]", "}", ";", "->", "|", "||", ">>", "end", "of", "when", "dot", "=>", ":=", "<-"])
_WITH_END = frozenset(["begin", "if", "case", "receive", "try"])


class TokenReader:
    """Cursor at `place` in the tokens."""

    def __init__(self, text: str, form_tokens: list[Token], constants: Collection[str]) -> None:
        self.text = text
        self.tokens = form_tokens
        self.constants = constants
        self.place = 0
        self.form = Form()

    @property
    def _next_kind(self) -> str:
        return self.tokens[self.place][0]

    def _expect(self, kind: str) -> Token:
        token = self.tokens[self.place]
        if token[0] != kind:
            raise FormError
        self.place += 1
        return token

    def _accept(self, kind: str) -> bool:
        if self.tokens[self.place][0] == kind:
            self.place += 1
            return True
        return False

    def _is_word(self, token: Token, word: str) -> bool:
        return token[0] == "atom" and self.text[token[1] : token[2]] == word

    def _leaf(self) -> Operand | None:
        """An expression of a single token, as most are."""
        kind, start, end = self.tokens[self.place]
        if kind in LEAVES and self.tokens[self.place + 1][0] in _ENDS:
            self.place += 1
            self.form.add(kind, start, start, end)
            return start, start, end
        return None

    def _skip(self, is_code: bool) -> None:
        """Skip to a comma or to the end of the enclosing brackets."""
        closing: list[str] = []
        while closing or self._next_kind not in (",", ")", "}"):
            kind = self._next_kind
            if kind == "eof":
                raise FormError
            self.place += 1
            if closing and kind == closing[-1]:
                closing.pop()
            elif kind in BRACKETS:
                closing.append(BRACKETS[kind])
            elif is_code and (kind in _WITH_END or (kind == "fun" and self._is_fun_with_clauses())):
                closing.append("end")

    def _is_fun_with_clauses(self) -> bool:
        return self._next_kind == "(" or (self._next_kind == "var" and self.tokens[self.place + 1][0] == "(")

    def _name_offset(self, start: int) -> int:
        """Offset of the name of a macro."""
        while self.text[start] == "?" or self.text[start].isspace():
            start += 1
        return start

    def _constant(self) -> Operand:
        """A macro; parentheses or braces after it belong to what it names."""
        _, start, end = self._expect("macro")
        anchor = self._name_offset(start)
        self.form.add("macro", anchor, start, end)
        self.form.macros.append((anchor, (start, end)))
        return anchor, start, end


def around(operands: list[Operand]) -> Span | None:
    """Span of a list of operands."""
    return (operands[0][1], operands[-1][2]) if operands else None
