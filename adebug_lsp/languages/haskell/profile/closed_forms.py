"""Polynomials in the sizes of inputs: read from a comment, fitted to measured costs, printed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from attrs import frozen

from adebug_lsp.model.errors import BadInputError

MOST_DEGREE = 3
_CHECKS = 2
"""Samples that a fit must predict beyond those that determine it."""
_TOKEN = re.compile(r"\s*(\d+|[a-z_][\w']*|[-+*^()])")
Exponents = tuple[int, ...]


@frozen
class Polynomial:
    """A sum of products of powers of variables."""

    variables: tuple[str, ...]
    terms: Mapping[Exponents, Fraction]

    def value(self, sizes: Sequence[int]) -> Fraction:
        """The value of the polynomial for these sizes."""
        return sum((factor * _power(sizes, exponents) for exponents, factor in self.terms.items()), Fraction(0))

    def __str__(self) -> str:
        ordered = sorted(self.terms.items(), key=lambda item: ([-sum(item[0])], [-e for e in item[0]]))
        pieces = [self._term(exponents, factor) for exponents, factor in ordered if factor]
        text = " + ".join(pieces).replace("+ -", "- ")
        return text or "0"

    def _term(self, exponents: Exponents, factor: Fraction) -> str:
        """The text of one term."""
        powers = zip(self.variables, exponents, strict=True)
        names = " ".join(name if power == 1 else f"{name}^{power}" for name, power in powers if power)
        if not names:
            return str(factor)
        if abs(factor) == 1:
            return f"-{names}" if factor < 0 else names
        gap = "" if re.fullmatch(r"\w", names[:2].strip()) and factor.denominator == 1 else " "
        return f"{factor}{gap}{names}"


def _power(sizes: Sequence[int], exponents: Exponents) -> int:
    result = 1
    for size, exponent in zip(sizes, exponents, strict=True):
        result *= size**exponent
    return result


def fit(variables: tuple[str, ...], samples: Mapping[tuple[int, ...], int]) -> Polynomial | None:
    """The polynomial of least degree through all samples, if more samples confirm it than determine it."""
    for degree in range(MOST_DEGREE + 1):
        powers = product(range(degree + 1), repeat=len(variables))
        monomials = sorted((e for e in powers if sum(e) <= degree), key=lambda e: (sum(e), e))
        if len(samples) < len(monomials) + _CHECKS:
            return None
        rows = [[Fraction(_power(sizes, e)) for e in monomials] + [Fraction(cost)] for sizes, cost in samples.items()]
        factors = _solve(rows, len(monomials))
        if factors is not None:
            return Polynomial(variables, dict(zip(monomials, factors, strict=True)))
    return None


def _solve(rows: list[list[Fraction]], columns: int) -> list[Fraction] | None:
    """Gaussian elimination. Undetermined unknowns are 0; None if the samples contradict each other."""
    pivots: list[int] = []
    for column in range(columns):
        at = len(pivots)
        row = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if row is None:
            continue
        rows[at], rows[row] = rows[row], rows[at]
        rows[at] = [entry / rows[at][column] for entry in rows[at]]
        for i, other in enumerate(rows):
            if i != at and other[column]:
                rows[i] = [a - other[column] * b for a, b in zip(other, rows[at], strict=True)]
        pivots.append(column)
    if any(row[columns] for row in rows[len(pivots) :]):
        return None
    factors = [Fraction(0)] * columns
    for row_number, column in enumerate(pivots):
        factors[column] = rows[row_number][columns]
    return factors


def read_polynomial(text: str, variables: tuple[str, ...]) -> Polynomial:
    """Parse a cost such as `2n+3` or `n^2 + 2*m`; raises `BadInputError`."""
    tokens, position = list[str](), 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if match is None:
            raise BadInputError(f"not a cost: {text.strip()!r}; write one like 2n + 3")
        tokens.append(match[1])
        position = match.end()
    reader = _Reader(tokens, variables, text)
    result = reader.sum()
    if reader.rest:
        raise BadInputError(f"not a cost: {text.strip()!r}; {reader.rest[0]!r} does not belong there")
    return result


class _Reader:
    """Recursive descent over sums, products and powers."""

    def __init__(self, tokens: list[str], variables: tuple[str, ...], text: str) -> None:
        self.rest, self.variables, self.text = tokens, variables, text

    def sum(self) -> Polynomial:
        sign = -1 if self._skip("-") else 1
        result = self._scaled(self._product(), sign)
        while self.rest and self.rest[0] in "+-":
            sign = -1 if self.rest.pop(0) == "-" else 1
            result = self._added(result, self._scaled(self._product(), sign))
        return result

    def _product(self) -> Polynomial:
        result = self._power()
        while self.rest and self.rest[0] not in "+-)":
            self._skip("*")
            result = self._multiplied(result, self._power())
        return result

    def _power(self) -> Polynomial:
        base = self._atom()
        if not self._skip("^"):
            return base
        if not self.rest or not self.rest[0].isdigit() or int(self.rest[0]) > MOST_DEGREE:
            raise BadInputError(f"not a cost: {self.text.strip()!r}; exponents are 0 to {MOST_DEGREE}")
        result = self._constant(1)
        for _ in range(int(self.rest.pop(0))):
            result = self._multiplied(result, base)
        return result

    def _atom(self) -> Polynomial:
        word = self.rest.pop(0) if self.rest else ""
        if word == "(":
            result = self.sum()
            if self._skip(")"):
                return result
        elif word.isdigit():
            return self._constant(int(word))
        elif word in self.variables:
            return Polynomial(self.variables, {tuple(int(name == word) for name in self.variables): Fraction(1)})
        elif word[:1].isalpha():
            raise BadInputError(f"{word} is not a variable of the call; they are {', '.join(self.variables) or 'none'}")
        raise BadInputError(f"not a cost: {self.text.strip()!r}; write one like 2n + 3")

    def _skip(self, token: str) -> bool:
        if self.rest and self.rest[0] == token:
            self.rest.pop(0)
            return True
        return False

    def _constant(self, value: int) -> Polynomial:
        return Polynomial(self.variables, {(0,) * len(self.variables): Fraction(value)})

    def _scaled(self, polynomial: Polynomial, factor: int) -> Polynomial:
        return Polynomial(self.variables, {e: f * factor for e, f in polynomial.terms.items()})

    def _added(self, left: Polynomial, right: Polynomial) -> Polynomial:
        terms = dict(left.terms)
        for exponents, factor in right.terms.items():
            terms[exponents] = terms.get(exponents, Fraction(0)) + factor
        return Polynomial(self.variables, terms)

    def _multiplied(self, left: Polynomial, right: Polynomial) -> Polynomial:
        result = Polynomial(self.variables, {})
        for (first, a), (second, b) in product(left.terms.items(), right.terms.items()):
            exponents = tuple(x + y for x, y in zip(first, second, strict=True))
            result = self._added(result, Polynomial(self.variables, {exponents: a * b}))
        return result
