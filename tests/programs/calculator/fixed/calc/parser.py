"""Tokens to a tree of tuples: ("num", 3), ("name", "x"), (sign, left, right)."""

from calc.tokens import tokens


class Parser:
    def __init__(self, text):
        self.tokens = tokens(text)
        self.position = 0

    def peek(self):
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.position += 1
        return token

    def expression(self):
        left = self.term()
        while self.peek() in ("+", "-"):
            sign = self.take()
            right = self.term()
            left = (sign, left, right)
        return left

    def term(self):
        left = self.factor()
        while self.peek() in ("*", "/"):
            sign = self.take()
            right = self.factor()
            left = (sign, left, right)
        return left

    def factor(self):
        token = self.take()
        if isinstance(token, int):
            return ("num", token)
        if token == "(":
            inner = self.expression()
            if self.take() != ")":
                raise SyntaxError("a bracket is not closed")
            return inner
        if token is None or not token.isidentifier():
            raise SyntaxError(f"unexpected {token}")
        return ("name", token)


def parse(text):
    parser = Parser(text)
    tree = parser.expression()
    if parser.peek() is not None:
        raise SyntaxError(f"unexpected {parser.peek()}")
    return tree
