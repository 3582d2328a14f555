"""Recognises literal terms by their text: only literals may be written to a file that is compiled."""

from adebug_lsp.languages.erlang.syntax.scanner import Token, tokens

_PLAIN = frozenset(["atom", "integer", "float", "char"])
_CLOSING = {"[": "]", "{": "}"}


class _NotALiteralError(Exception):
    """The text is not a literal."""


class _Reader:
    """Reads one literal term from a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.index = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.index][0]

    def expect(self, *kinds: str) -> Token:
        token = self.tokens[self.index]
        if token[0] not in kinds:
            raise _NotALiteralError
        self.index += 1
        return token

    def accept(self, kind: str) -> bool:
        if self.kind == kind:
            self.index += 1
            return True
        return False

    def term(self) -> None:
        if self.kind == "string":
            self.string()
        elif self.kind in _CLOSING:
            self.elements(_CLOSING[self.expect(*_CLOSING)[0]])
        elif self.accept("#"):
            self.pairs()
        elif self.accept("<<"):
            self.binary()
        elif self.accept("-"):
            self.expect("integer", "float")
        else:
            self.expect(*_PLAIN)

    def string(self) -> None:
        """Accept plain double quotes only: triple quotes (OTP 27) and sigils do not compile on older releases."""
        _, start, _ = self.expect("string")
        if self.text[start] != '"' or self.text.startswith('"""', start):
            raise _NotALiteralError

    def elements(self, closing: str) -> None:
        if self.accept(closing):
            return
        self.term()
        while self.accept(","):
            self.term()
        if closing == "]" and self.accept("|"):
            self.term()
        self.expect(closing)

    def pairs(self) -> None:
        self.expect("{")
        while self.kind != "}":
            self.term()
            self.expect("=>")
            self.term()
            if not self.accept(","):
                break
        self.expect("}")

    def binary(self) -> None:
        while self.kind != ">>":
            if self.kind == "string":
                self.string()
                if self.accept("/"):
                    self.word("utf8")
            else:
                self.expect("integer")
                if self.accept(":"):
                    self.expect("integer")
            if not self.accept(","):
                break
        self.expect(">>")

    def word(self, word: str) -> None:
        _, start, end = self.expect("atom")
        if self.text[start:end] != word:
            raise _NotALiteralError

    def call(self) -> tuple[str, str]:
        """Returns the name of the function, and the arguments with their parentheses."""
        name = self.name()
        if self.accept(":"):
            name = self.name()
        begin = self.expect("(")[1]
        self.elements(")")
        return name, self.text[begin : self.tokens[self.index - 1][2]]

    def name(self) -> str:
        _, start, end = self.expect("atom")
        return self.text[start:end]


def is_literal(text: str) -> bool:
    """Whether the whole text is one literal term."""
    reader = _Reader(text)
    try:
        reader.term()
        reader.expect("eof")
    except (_NotALiteralError, RecursionError):
        return False
    return True


def read_call(text: str) -> tuple[str, str] | None:
    """Returns the function of a call, without its module, and `(Arguments)`; None if an argument is not a literal."""
    reader = _Reader(text)
    try:
        call = reader.call()
        reader.expect("eof")
    except (_NotALiteralError, RecursionError):
        return None
    return call
