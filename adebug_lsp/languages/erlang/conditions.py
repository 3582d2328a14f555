"""Conditions of breakpoints: Erlang expressions evaluated over recorded values.

They consist of variables, literals, comparisons, arithmetic, `andalso`, `orelse`, `not` and `length`. Any other call
would run code, and is refused when the breakpoint is set.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from adebug_lsp.languages.conditions import LONGEST_CONDITION, LookUp, UnknownValueError
from adebug_lsp.languages.erlang.syntax.scanner import Token, tokens
from adebug_lsp.model.errors import BadInputError

Term = Any
"""A term as Python data: numbers, `Word` for atoms, `bytes`, lists, tuples; a string is a list of its code points."""
Evaluate = Callable[[LookUp], Term]
"""A parsed expression: returns its value, given a function that looks variables up."""


@frozen
class Word:
    """An atom."""

    name: str


def _quotient(left: int, right: int) -> int:
    """Division of integers that rounds towards zero, as `div` does."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_TRUE, _FALSE = Word("true"), Word("false")
_BOOLEANS = {_TRUE: True, _FALSE: False}
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "/=": operator.ne,
    "<": operator.lt,
    "=<": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SUMS: Mapping[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub}
_PRODUCTS: Mapping[str, Callable[[Any, Any], Any]] = {
    "*": operator.mul,
    "/": operator.truediv,
    "div": _quotient,
    "rem": lambda left, right: left - right * _quotient(left, right),
}
_ADDRESSES = ("result", "raised")
"""Lower-case names that a question shows values under; elsewhere these are atoms."""


@frozen
class ErlangCondition:
    """See `Condition`."""

    text: str
    _evaluate: Evaluate

    def holds(self, look_up: LookUp) -> bool:
        """See `Condition`."""
        try:
            return bool(self._evaluate(look_up) == _TRUE)
        except (UnknownValueError, ArithmeticError, TypeError, ValueError):
            return False

    def value(self, look_up: LookUp) -> str:
        """See `Condition`."""
        try:
            return _shown(self._evaluate(look_up))
        except (UnknownValueError, ArithmeticError, TypeError, ValueError) as error:
            raise BadInputError(f"{self.text} has no recorded value here") from error


def read_condition(text: str) -> ErlangCondition:
    """Parse a condition; raises `BadInputError` for an expression that would run code."""
    if len(text) > LONGEST_CONDITION:
        raise BadInputError("this is too long")
    parser = _Parser(text.strip())
    try:
        evaluate = parser.either()
        parser.take("eof")
    except RecursionError as error:
        raise BadInputError(f"cannot be parsed: {text.strip()}") from error
    return ErlangCondition(text.strip(), evaluate)


class _Parser:
    """Recursive descent by the precedence of operators: https://www.erlang.org/doc/system/expressions.html (OTP 27)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.position = 0

    @property
    def kind(self) -> str:
        return self.tokens[self.position][0]

    def take(self, *kinds: str) -> Token:
        token = self.tokens[self.position]
        if token[0] not in kinds:
            raise BadInputError(f"cannot be parsed: {self.text[token[1] :] or self.text}")
        self.position += 1
        return token

    def operator(self, *kinds: str) -> str | None:
        """The next token if it is one of these operators."""
        if self.kind in kinds:
            return self.take(*kinds)[0]
        return None

    def either(self) -> Evaluate:
        left = self.both()
        while self.operator("orelse"):
            left = _any_of(left, self.both())
        return left

    def both(self) -> Evaluate:
        left = self.comparison()
        while self.operator("andalso"):
            left = _all_of(left, self.comparison())
        return left

    def comparison(self) -> Evaluate:
        left = self.sum()
        sign = self.operator(*_COMPARISONS, "=:=", "=/=")
        return left if sign is None else _compared(sign, left, self.sum())

    def sum(self) -> Evaluate:
        left = self.product()
        while sign := self.operator(*_SUMS):
            left = _arithmetic(_SUMS[sign], left, self.product())
        return left

    def product(self) -> Evaluate:
        left = self.unary()
        while sign := self.operator(*_PRODUCTS):
            left = _arithmetic(_PRODUCTS[sign], left, self.unary())
        return left

    def unary(self) -> Evaluate:
        if self.operator("not"):
            return _negated(self.unary())
        if sign := self.operator("-", "+"):
            return _arithmetic(_SUMS[sign], lambda _look_up: 0, self.unary())
        return self.primary()

    def primary(self) -> Evaluate:
        """A literal, a variable, a structure or an expression in parentheses."""
        kind, start, end = self.take("(", "[", "{", "<<", "var", "atom", "integer", "float", "char", "string")
        text = self.text[start:end]
        match kind:
            case "(":
                inner = self.either()
                self.take(")")
                return inner
            case "[":
                return _sequence(list, self.several("]"))
            case "{":
                return _sequence(tuple, self.several("}"))
            case "<<":
                return self.binary()
            case "var":
                return _recorded(text + self.path())
            case "atom":
                return self.atom(text)
        value = _literal(kind, text)
        return lambda _look_up: value

    def atom(self, text: str) -> Evaluate:
        if self.kind == "(":
            if text != "length":
                raise BadInputError(f"evaluating this would run code: {text}(...)")
            self.take("(")
            inner = self.either()
            self.take(")")
            return lambda look_up: len(_list(inner(look_up)))
        word = Word(_unquoted(text))
        return _recorded_or(text + self.path(), word) if text in _ADDRESSES else lambda _look_up: word

    def path(self) -> str:
        """The indexes behind a name: `[0][1]`."""
        begin = self.tokens[self.position][1]
        end = begin
        while self.kind == "[":
            self.take("[")
            self.take("integer", "atom", "string")
            end = self.take("]")[2]
        return self.text[begin:end]

    def several(self, closing: str) -> list[Evaluate]:
        if self.operator(closing):
            return []
        items = [self.either()]
        while self.operator(","):
            items.append(self.either())
        self.take(closing)
        return items

    def binary(self) -> Evaluate:
        if self.operator(">>"):
            return lambda _look_up: b""
        kind, start, end = self.take("string")
        data = "".join(map(chr, _literal(kind, self.text[start:end]))).encode()
        if self.operator("/") and self.text[slice(*self.take("atom")[1:])] != "utf8":
            raise BadInputError(f"cannot be parsed: {self.text}")
        self.take(">>")
        return lambda _look_up: data


def _any_of(left: Evaluate, right: Evaluate) -> Evaluate:
    return lambda look_up: _word(_truth(left(look_up)) or _truth(right(look_up)))


def _all_of(left: Evaluate, right: Evaluate) -> Evaluate:
    return lambda look_up: _word(_truth(left(look_up)) and _truth(right(look_up)))


def _negated(inner: Evaluate) -> Evaluate:
    return lambda look_up: _word(not _truth(inner(look_up)))


def _compared(sign: str, left: Evaluate, right: Evaluate) -> Evaluate:
    if sign in ("=:=", "=/="):
        return lambda look_up: _word((_identity_key(left(look_up)) == _identity_key(right(look_up))) == (sign == "=:="))
    return lambda look_up: _word(_COMPARISONS[sign](_order_key(left(look_up)), _order_key(right(look_up))))


def _arithmetic(compute: Callable[[Any, Any], Any], left: Evaluate, right: Evaluate) -> Evaluate:
    return lambda look_up: compute(_number(left(look_up)), _number(right(look_up)))


def _sequence(make: Callable[[list[Term]], Term], items: list[Evaluate]) -> Evaluate:
    return lambda look_up: make([item(look_up) for item in items])


def _recorded(address: str) -> Evaluate:
    """An expression whose value is looked up by address."""

    def evaluate(look_up: LookUp) -> Term:
        try:
            value = look_up(address)
        except BadInputError as error:
            raise UnknownValueError from error
        if "…" in value.text or value.elided:
            raise UnknownValueError
        try:
            return read_condition(value.text)._evaluate(_nothing_known)
        except BadInputError as error:
            raise UnknownValueError from error

    return evaluate


def _recorded_or(address: str, word: Word) -> Evaluate:
    """An expression whose value is looked up if the question shows it; otherwise an atom."""
    recorded = _recorded(address)

    def evaluate(look_up: LookUp) -> Term:
        try:
            return recorded(look_up)
        except UnknownValueError:
            return word

    return evaluate


def _nothing_known(_address: str) -> Any:
    raise BadInputError("a recorded value has no variables")


def _literal(kind: str, text: str) -> Term:
    plain = text.replace("_", "")
    try:
        match kind:
            case "integer":
                base, _, digits = plain.rpartition("#")
                return int(digits, int(base or "10"))
            case "float":
                return float(plain)
            case "char" if len(text) == 2:
                return ord(text[1])
            case "string" if text[0] == '"' and not text.startswith('"""'):
                return [ord(character) for character in str(ast.literal_eval(text))]
    except (SyntaxError, ValueError) as error:
        raise BadInputError(f"cannot be parsed: {text}") from error
    raise BadInputError(f"cannot be parsed: {text}")


def _unquoted(text: str) -> str:
    return text[1:-1] if text.startswith("'") else text


def _word(truth: bool) -> Word:
    return _TRUE if truth else _FALSE


def _truth(term: Term) -> bool:
    if not isinstance(term, Word) or term not in _BOOLEANS:
        raise UnknownValueError
    return _BOOLEANS[term]


def _number(term: Term) -> Any:
    if not isinstance(term, int | float):
        raise UnknownValueError
    return term


def _list(term: Term) -> list[Term]:
    if not isinstance(term, list):
        raise UnknownValueError
    return term


def _identity_key(term: Term) -> Any:
    """A key for `=:=` and `=/=`, for which 1 and 1.0 differ."""
    if isinstance(term, list | tuple):
        return (type(term), tuple(map(_identity_key, term)))
    return (type(term), term)


def _order_key(term: Term) -> Any:
    """A sort key for Erlang's order of terms: number < atom < tuple < list < bit string; a shorter tuple is less."""
    if isinstance(term, int | float):
        return (0, term)
    if isinstance(term, Word):
        return (1, term.name)
    if isinstance(term, tuple):
        return (2, len(term), tuple(map(_order_key, term)))
    if isinstance(term, list):
        return (3, tuple(map(_order_key, term)))
    return (4, term)


def _shown(term: Term) -> str:
    """A term as text."""
    match term:
        case Word():
            return term.name
        case bytes():
            return f'<<"{term.decode("utf-8", "backslashreplace")}">>'
        case list():
            return f"[{','.join(map(_shown, term))}]"
        case tuple():
            return f"{{{','.join(map(_shown, term))}}}"
    return str(term)
