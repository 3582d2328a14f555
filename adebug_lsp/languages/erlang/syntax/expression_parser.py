"""Parses expressions: operators, calls, macros and data, each with the compiler's position and its own span.

A node of abstract code has one position, its anchor, which is often not where its text starts
(https://www.erlang.org/doc/apps/erts/absform.html, checked with OTP 25 to 29): an operator is at the operator, a call
or a match at the first token of the function or pattern that is not a parenthesis (`first` below), and the result of a
macro at the macro's name. Anchors are offsets into the text of the form.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from adebug_lsp.languages.erlang.syntax.form import FormError
from adebug_lsp.languages.erlang.syntax.token_reader import LEAVES, Operand, TokenReader
from adebug_lsp.languages.erlang.syntax.trampoline import Parse

_NEVER_CALLED = frozenset(
    ["FILE", "FUNCTION_ARITY", "FUNCTION_NAME", "LINE", "MACHINE", "MODULE", "MODULE_STRING", "OTP_RELEASE"]
)
"""Predefined macros: parentheses after them belong to a call."""

_PREFIX = frozenset(["+", "-", "bnot", "not"])
_UNARY = 600
_BINARY = {
    "?=": (50, False),
    **dict.fromkeys(["=", "!"], (100, True)),
    "orelse": (150, True),
    "andalso": (160, True),
    **dict.fromkeys(["==", "/=", "=<", "<", ">=", ">", "=:=", "=/="], (200, False)),
    **dict.fromkeys(["++", "--"], (300, True)),
    **dict.fromkeys(["+", "-", "bor", "bxor", "bsl", "bsr", "or", "xor"], (400, False)),
    **dict.fromkeys(["/", "*", "div", "rem", "band", "and"], (500, False)),
}
"""Precedence and right-associativity: https://www.erlang.org/doc/system/expressions.html#operator-precedence"""
_GENERATORS = {"<-": "generate", "<:-": "generate_strict", "<=": "b_generate", "<:=": "b_generate_strict"}


class ExpressionParser(TokenReader):
    """Methods that parse expressions return an `Operand`, those of `constructs` the kind of their node."""

    constructs: ClassVar[dict[str, Callable[[Any], Parse]]] = {}
    """Parsers by first word or bracket, which is already consumed."""

    def _expressions(self) -> Parse:
        operands = [self._leaf() or (yield self._expression())]
        while self.tokens[self.place][0] == ",":
            self.place += 1
            operands.append(self._leaf() or (yield self._expression()))
        return operands

    def _expression(self, remote: bool = True) -> Parse:
        """Operands and operators, by precedence; `remote` excludes a colon."""
        operands: list[Operand] = []
        operators: list[tuple[str, int, int]] = []
        while True:
            kind, start, _ = self.tokens[self.place]
            if kind in _PREFIX or kind == "catch":
                self.place += 1
                operators.append((kind, 0 if kind == "catch" else _UNARY, start))
                continue
            operand: Operand = yield self._primary()
            while self._is_applied(remote):
                operand = yield self._applied(operand)
            operands.append(operand)
            kind, start, _ = self.tokens[self.place]
            if kind not in _BINARY:
                break
            self.place += 1
            strength, to_the_right = _BINARY[kind]
            while operators and (operators[-1][1] > strength or (operators[-1][1] == strength and not to_the_right)):
                self._apply(operators.pop(), operands)
            operators.append((kind, strength, start))
        while operators:
            self._apply(operators.pop(), operands)
        return operands[0]

    def _apply(self, operator: tuple[str, int, int], operands: list[Operand]) -> None:
        """Replace the operands of an operator by its result."""
        kind, strength, anchor = operator
        first, start, end = operands.pop()
        if strength in (0, _UNARY):
            self.form.add("catch" if kind == "catch" else "op", anchor, anchor, end)
            operands.append((anchor, anchor, end))
            return
        first, start, _ = operands.pop()
        if kind == "=":
            self.form.add("match", first, start, end)
        else:
            self.form.add("maybe_match" if kind == "?=" else "op", anchor, start, end)
        operands.append((first, start, end))

    def _is_applied(self, remote: bool) -> bool:
        kind = self.tokens[self.place][0]
        if kind == "macro":  # the macro expands to `#name`
            return self.tokens[self.place + 1][0] in ("{", ".")
        return kind in ("(", "#") or (kind == ":" and remote)

    def _applied(self, operand: Operand) -> Parse:
        """The tightest suffix of an operand: arguments, a remote function name, `#`."""
        first, start, _ = operand
        if self._next_kind == "(":
            yield self._arguments()
            end = self.tokens[self.place - 1][2]
            self.form.add("call", first, start, end)
        elif self._next_kind == ":":
            anchor = self._expect(":")[1]
            _, _, end = self._constant() if self._next_kind == "macro" else (yield self._primary())
            self.form.add("remote", anchor, start, end)
        elif self._next_kind == "macro":
            anchor, _, _ = self._constant()
            end = yield self._of_record(anchor, start, is_first=False)
        else:
            end = (yield self._hash(start))[2]
        return first, start, end

    def _arguments(self) -> Parse:
        self._expect("(")
        if self._accept(")"):
            return []
        operands = yield self._expressions()
        self._expect(")")
        return operands

    def _primary(self) -> Parse:
        kind, start, end = self.tokens[self.place]
        if kind in LEAVES and not self._is_word(self.tokens[self.place], "maybe"):
            self.place += 1
            self.form.add(kind, start, start, end)
            return start, start, end
        if kind == "(":
            self.place += 1
            first, _, _ = yield self._expression()
            return first, start, self._expect(")")[2]
        if kind in ("string", "macro"):
            return (yield self._strings())
        if kind == "#":
            return (yield self._hash(start))
        if kind == "atom" and not self._is_maybe():
            self.place += 1
            self.form.add(kind, start, start, end)
            return start, start, end
        parse = self.constructs.get(self.text[start:end])
        if parse is None:
            raise FormError
        self.place += 1
        named = yield parse(self)
        end = self.tokens[self.place - 1][2]
        self.form.add(named, start, start, end)
        return start, start, end

    def _is_maybe(self) -> bool:
        """Whether `maybe` is a keyword here: then an expression follows."""
        following = self.tokens[self.place + 1][0]
        if following == "(":
            return any(token[0] == "?=" for token in self.tokens)
        return following in LEAVES | {"string", "macro", "{", "[", "<<", "#", "catch", "not"} | self.constructs.keys()

    def _strings(self) -> Parse:
        """Adjacent strings are one string, and macros may be among them."""
        leading = None
        count = 0
        while self._next_kind in ("string", "macro"):
            kind, start, end = self.tokens[self.place]
            if kind == "macro":
                first, start, end = yield self._macro()
            else:
                self.place += 1
                first = start
            leading = leading or (first, start, kind)
            count += 1
        assert leading  # noqa: S101 - one was there
        first, start, kind = leading
        if count > 1 or kind == "string":
            self._string(first, start, end)
        return first, start, end

    def _string(self, anchor: int, start: int, end: int) -> None:
        """A string or sigil (OTP 27): the compiler places a sigil at its quotes, and one of bytes is a binary."""
        if self.text[start] != "~":
            self.form.add("string", anchor, start, end)
            return
        quotes = start + 1 + (self.text[start + 1] in "bBsS")
        if self.text[start + 1] in "sS":
            self.form.add("string", quotes, start, end)
            return
        self.form.add("string", quotes, quotes, end)
        self.form.add("bin_element", quotes, quotes, end)
        self.form.add("bin", start, start, end)

    # Macros

    def _macro(self) -> Parse:
        _, start, end = self._expect("macro")
        anchor = self._name_offset(start)
        name = self.text[anchor:end]
        if self._next_kind == "(" and name not in self.constants and name not in _NEVER_CALLED:
            self.place += 1
            while not self._accept(")"):
                yield self._macro_argument()
                self._accept(",")
            end = self.tokens[self.place - 1][2]
        self.form.add("macro", anchor, start, end)
        self.form.macros.append((anchor, (start, end)))
        if self._next_kind in ("{", "."):  # the macro expands to `#name`
            end = yield self._of_record(anchor, start, is_first=True)
        return anchor, start, end

    def _macro_argument(self) -> Parse:
        """Usually an expression, but any tokens are possible."""
        place = self.place
        try:
            if not self._leaf():
                yield self._expression()
            if self._next_kind not in (",", ")"):
                raise FormError
        except FormError:
            self.place = place
            self._skip(is_code=True)
            if self.place == place:
                raise

    # Data

    def _tuple(self) -> Parse:
        if not self._accept("}"):
            yield self._expressions()
            self._expect("}")
        return "tuple"

    def _list(self) -> Parse:
        """The compiler's list is a cons of head and tail; the tail is at its own first element."""
        if self._accept("]"):
            return "nil"
        elements: list[Operand] = yield self._expressions()
        if self._accept("||"):
            yield self._qualifiers()
            self._expect("]")
            return "lc"
        if self._accept("|"):
            yield self._expression()
            end = self._expect("]")[2]
        else:
            _, start, end = self._expect("]")
            self.form.add("nil", start, start, end)
        for first, start, _ in elements[1:]:
            self.form.add("rest", first, start, end)
        return "cons"

    def _binary(self) -> Parse:
        if self._accept(">>"):
            return "bin"
        while True:
            first, start, end = yield self._segment()
            if self._accept("||"):
                yield self._qualifiers()
                self._expect(">>")
                return "bc"
            self.form.add("bin_element", first, start, end)
            if not self._accept(","):
                break
        self._expect(">>")
        return "bin"

    def _segment(self) -> Parse:
        """`Value:Size/types`."""
        kind, anchor, _ = self.tokens[self.place]
        if kind in _PREFIX:
            self.place += 1
            _, _, end = yield self._primary()
            self.form.add("op", anchor, anchor, end)
            first, start = anchor, anchor
        else:
            first, start, end = yield self._primary()
        if self._accept(":"):
            _, _, end = yield self._primary()
        if self._accept("/"):
            while True:
                if self._next_kind == "macro":
                    yield self._macro()
                else:
                    self._expect("atom")
                if self._accept(":"):
                    self.place += 1
                if not self._accept("-"):
                    break
            end = self.tokens[self.place - 1][2]
        return first, start, end

    def _qualifiers(self) -> Parse:
        """Generators and filters of a comprehension."""
        while True:
            _, start, end = yield self._expression()
            if self._next_kind == ":=":
                anchor = self._expect(":=")[1]
                _, _, end = yield self._expression()
                self.form.add("map_field_exact", anchor, start, end)
                kind, anchor, _ = self.tokens[self.place]
                if kind not in ("<-", "<:-"):
                    raise FormError
                self.place += 1
                _, _, end = yield self._expression()
                self.form.add(f"m_{_GENERATORS[kind]}", anchor, start, end)
            elif self._next_kind in _GENERATORS:
                kind, anchor, _ = self.tokens[self.place]
                self.place += 1
                _, _, end = yield self._expression()
                self.form.add(_GENERATORS[kind], anchor, start, end)
            if self._next_kind not in (",", "&&"):
                return
            self.place += 1

    def _hash(self, start: int) -> Parse:
        """A map or record from `#` on; `start` is the start of the operand before it."""
        anchor = self._expect("#")[1]
        if self._next_kind == "{":
            kind = yield self._pairs()
        else:
            if self._next_kind != "macro":
                self.place += 1
                if self._accept(":"):  # a record of another module
                    self.place += 1
            elif self.tokens[self.place + 1][0] == "(":
                yield self._macro()
            else:
                self._constant()
            return anchor, start, (yield self._of_record(anchor, start, is_first=start == anchor))
        end = self.tokens[self.place - 1][2]
        self.form.add(kind, anchor, start, end)
        return anchor, start, end

    def _of_record(self, anchor: int, start: int, is_first: bool) -> Parse:
        """The field access or field list after a record name; returns its end."""
        if self._accept("."):
            yield self._primary()
            kind = "record_index" if is_first else "record_field"
        else:
            yield self._fields()
            kind = "record"
        end = self.tokens[self.place - 1][2]
        self.form.add(kind, anchor, start, end)
        return end

    def _pairs(self) -> Parse:
        self._expect("{")
        if self._accept("}"):
            return "map"
        while True:
            _, start, end = yield self._expression()
            kind, anchor, _ = self.tokens[self.place]
            if kind in ("=>", ":="):
                self.place += 1
                _, _, end = yield self._expression()
                self.form.add("map_field_assoc" if kind == "=>" else "map_field_exact", anchor, start, end)
            elif self.tokens[self.place - 1][0] not in ("macro", ")"):
                raise FormError
            if self._accept("||"):
                yield self._qualifiers()
                self._expect("}")
                return "mc"
            if not self._accept(","):
                break
        self._expect("}")
        return "map"

    def _fields(self) -> Parse:
        self._expect("{")
        while self._next_kind != "}":
            yield self._field()
            if not self._accept(","):
                break
        self._expect("}")

    def _field(self) -> Parse:
        """A field of a record, usually with a value."""
        first, start, end = yield self._primary()
        if self._accept("="):
            _, _, end = self._leaf() or (yield self._expression())
        self.form.add("record_field", first, start, end)

    constructs.update({"{": _tuple, "[": _list, "<<": _binary})
