"""Terms that can be written in a source file, known by their text: nothing else gets into a file that is compiled."""

from adebug_lsp.languages.erlang.syntax.scanner import Token, tokens

_PLAIN = frozenset(["atom", "integer", "float", "char"])
_CLOSING = {"[": "]", "{": "}"}


class _NoLiteralError(Exception):
    """There is something else."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    def take(self, *kinds: str) -> Token:
        token = self.tokens[self.at]
        if token[0] not in kinds:
            raise _NoLiteralError
        self.at += 1
        return token

    def passes(self, kind: str) -> bool:
        if self.kind == kind:
            self.at += 1
            return True
        return False

    def term(self) -> None:
        if self.kind == "string":
            self.string()
        elif self.kind in _CLOSING:
            self.several(_CLOSING[self.take(*_CLOSING)[0]])
        elif self.passes("#"):
            self.pairs()
        elif self.passes("<<"):
            self.binary()
        elif self.passes("-"):
            self.take("integer", "float")
        else:
            self.take(*_PLAIN)

    def string(self) -> None:
        """Between plain quotes: those of later releases are none where an older one compiles it."""
        _, start, _ = self.take("string")
        if self.text[start] != '"' or self.text.startswith('"""', start):
            raise _NoLiteralError

    def several(self, closing: str) -> None:
        if self.passes(closing):
            return
        self.term()
        while self.passes(","):
            self.term()
        if closing == "]" and self.passes("|"):
            self.term()
        self.take(closing)

    def pairs(self) -> None:
        self.take("{")
        while self.kind != "}":
            self.term()
            self.take("=>")
            self.term()
            if not self.passes(","):
                break
        self.take("}")

    def binary(self) -> None:
        while self.kind != ">>":
            if self.kind == "string":
                self.string()
                if self.passes("/"):
                    self.word("utf8")
            else:
                self.take("integer")
                if self.passes(":"):
                    self.take("integer")
            if not self.passes(","):
                break
        self.take(">>")

    def word(self, word: str) -> None:
        _, start, end = self.take("atom")
        if self.text[start:end] != word:
            raise _NoLiteralError

    def call(self) -> tuple[str, str]:
        """The name of a function, and its arguments with their parentheses."""
        name = self.name()
        if self.passes(":"):
            name = self.name()
        begin = self.take("(")[1]
        self.several(")")
        return name, self.text[begin : self.tokens[self.at - 1][2]]

    def name(self) -> str:
        _, start, end = self.take("atom")
        return self.text[start:end]


def is_literal(text: str) -> bool:
    """Whether a text is one term, whole."""
    reader = _Reader(text)
    try:
        reader.term()
        reader.take("eof")
    except (_NoLiteralError, RecursionError):
        return False
    return True


def read_call(text: str) -> tuple[str, str] | None:
    """The function of a call, without its module, and `(Arguments)`; None where something is not written in full."""
    reader = _Reader(text)
    try:
        found = reader.call()
        reader.take("eof")
    except (_NoLiteralError, RecursionError):
        return None
    return found
