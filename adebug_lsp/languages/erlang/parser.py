"""One form of Erlang: every node where the compiler says it is, with the text that it takes.

The abstract code of the compiler has one place for a node, and that is often not where its text starts: an operator is
where the operator stands, a call and a match where the first token of the function or pattern stands that is no
parenthesis (`first` below), what a macro gives where the macro's name stands. Places are offsets into the form's text.

The methods of the parser are generators, which yield what they need parsed: nesting has no limit but memory, since
`_run` keeps them on a list and not on Python's stack.
"""

from collections.abc import Collection, Generator
from typing import Any

from adebug_lsp.languages.erlang.form import Clause, Form, NoFormError, Span
from adebug_lsp.languages.erlang.scanner import Token, atom, tokens

Operand = tuple[int, int, int]
"""Where the compiler places what comes first in an expression, and the span of the expression with parentheses."""
_Steps = Generator[Any, Any, Any]

NEVER_CALLED = frozenset(
    ["FILE", "FUNCTION_ARITY", "FUNCTION_NAME", "LINE", "MACHINE", "MODULE", "MODULE_STRING", "OTP_RELEASE"]
)
"""Macros of the language itself: parentheses after them are those of a call."""

_LEAVES = frozenset(["atom", "var", "integer", "float", "char"])
_ENDS = frozenset([",", ")", "]", "}", ";", "->", "|", "||", ">>", "end", "of", "when", "dot", "=>", ":=", "<-"])
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
"""How strongly operators bind, and whether to the right."""
_GENERATORS = {"<-": "generate", "<:-": "generate_strict", "<=": "b_generate", "<:=": "b_generate_strict"}
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<<": ">>"}
_WITH_END = frozenset(["begin", "if", "case", "receive", "try"])


def parse_form(text: str, constants: Collection[str]) -> Form:
    """The form that a text is; `constants` are macros without parameters.

    Attributes other than records are not looked into, since they have no code. Raises `NoFormError`.
    """
    parser = _Parser(text, tokens(text), constants)
    form = parser.form
    first, last = parser.tokens[0], parser.tokens[-3:][0]
    if first[0] == "eof":
        form.kind = ""
        return form
    if last[0] != "dot" or any(kind == "bad" for kind, _, _ in parser.tokens):
        raise NoFormError
    form.span = (first[1], parser.tokens[-4:][0][2])
    if first[0] == "-":
        _, start, end = parser.tokens[1]
        form.kind, form.name, form.name_span = "attribute", text[start:end], (start, end)
        form.tokens = parser.tokens
        form.add("attribute", start, *form.span)
        if form.name == "record":
            _run(parser.record())
        elif form.name != "define" and not _is_balanced(parser.tokens):
            raise NoFormError
    else:
        form.kind = "function"
        _run(parser.function())
    return form


def _is_balanced(found: list[Token]) -> bool:
    closing: list[str] = []
    for kind, _, _ in found:
        if kind in ("(", "[", "{"):
            closing.append(_BRACKETS[kind])
        elif kind in (")", "]", "}") and (not closing or closing.pop() != kind):
            return False
    return not closing


def _run(steps: _Steps) -> None:
    running, value, error = [steps], None, None
    while running:
        value, error = _step(running, value, error)
    if error:
        raise error


def _step(running: list[_Steps], value: object, error: NoFormError | None) -> tuple[object, NoFormError | None]:
    """Go on with the innermost generator, which was waiting for a value."""
    try:
        running.append(running[-1].throw(error) if error else running[-1].send(value))
    except StopIteration as end:
        running.pop()
        return end.value, None
    except NoFormError as problem:
        running.pop()
        return None, problem
    return None, None


class _Parser:
    """At `place` in the tokens. Methods that parse expressions give an `Operand`."""

    def __init__(self, text: str, found: list[Token], constants: Collection[str]) -> None:
        self.text = text
        self.tokens = found
        self.constants = constants
        self.place = 0
        self.form = Form()

    # Tokens

    @property
    def _next(self) -> str:
        return self.tokens[self.place][0]

    def _take(self, kind: str) -> Token:
        token = self.tokens[self.place]
        if token[0] != kind:
            raise NoFormError
        self.place += 1
        return token

    def _passes(self, kind: str) -> bool:
        if self.tokens[self.place][0] == kind:
            self.place += 1
            return True
        return False

    def _says(self, token: Token, word: str) -> bool:
        return token[0] == "atom" and self.text[token[1] : token[2]] == word

    # Forms

    def function(self) -> _Steps:
        """Clauses with the same name."""
        form = self.form
        while True:
            if not (yield self._macro_clause()):
                yield self._function_clause()
            if not self._passes(";"):
                break
        self._take("dot")
        self.form.add("function", form.clauses[0].at, *form.span)

    def _function_clause(self) -> _Steps:
        form = self.form
        kind, start, end = self.tokens[self.place]
        if kind not in ("atom", "macro"):
            raise NoFormError
        at = self._name_at(start) if kind == "macro" else start
        self.place += 1
        arguments: list[Operand] = yield self._arguments()
        name, arity = atom(self.text[start:end]), len(arguments)
        if form.name and (form.name, form.arity) != (name, arity):
            raise NoFormError
        if not form.name:
            form.name, form.name_span, form.arity = name, (start, end), arity
        form.clauses.append((yield self._clause(at, start, _around(arguments))))

    def _macro_clause(self) -> _Steps:
        """A macro that is a whole clause of a function, or more."""
        place, known = self.place, len(self.form.macros)
        if self._next == "macro":
            at, start, end = yield self._macro()
            if self._next in (";", "dot"):
                self.form.clauses.append(Clause(at, (start, end), None, None, (start, end)))
                return True
            self.place = place
            del self.form.macros[known:]
        return False

    def record(self) -> _Steps:
        """The default values of fields; types are passed over."""
        self.place = 2
        in_parentheses = self._passes("(")
        self.place += 1
        self._take(",")
        self._take("{")
        while self._next != "}":
            yield self._field()
            if self._passes("::"):
                self._skip(is_code=False)
            if not self._passes(","):
                break
        self._take("}")
        if in_parentheses:
            self._take(")")
        self._take("dot")

    def _skip(self, is_code: bool) -> None:
        """Pass over everything up to a comma or the end of what it is in."""
        closing: list[str] = []
        while closing or self._next not in (",", ")", "}"):
            kind = self._next
            if kind == "eof":
                raise NoFormError
            self.place += 1
            if closing and kind == closing[-1]:
                closing.pop()
            elif kind in _BRACKETS:
                closing.append(_BRACKETS[kind])
            elif is_code and (kind in _WITH_END or (kind == "fun" and self._is_fun_with_clauses())):
                closing.append("end")

    # Clauses

    def _clause(self, at: int, start: int, head: Span | None) -> _Steps:
        """What follows the patterns of a clause."""
        guard = None
        if self._passes("when"):
            guard = (yield self._guard())[1:]
        return (yield self._body(at, start, head, guard))

    def _body(self, at: int, start: int, head: Span | None, guard: Span | None) -> _Steps:
        self._take("->")
        body = _around((yield self._expressions()))
        assert body  # noqa: S101 - expressions are one or more
        clause = Clause(at, (start, body[1]), head, guard, body)
        self.form.add("clause", at, *clause.span)
        self.form.parts[at] = clause
        return clause

    def _guard(self) -> _Steps:
        first = yield self._expression()
        end = first[2]
        while self._next in (",", ";"):
            self.place += 1
            end = (yield self._expression())[2]
        return first[0], first[1], end

    def _clauses(self) -> _Steps:
        """Of case, receive, `of` and `else`."""
        while True:
            first, start, end = yield self._expression()
            clause: Clause = yield self._clause(first, start, (start, end))
            if not self._passes(";"):
                return clause.span[1]

    def _handlers(self) -> _Steps:
        """Of `try ... catch`: `Class:Pattern:Stacktrace`, where the pattern alone is enough."""
        while True:
            at, start, end = yield self._expression(remote=False)
            if self._passes(":"):
                _, _, end = yield self._expression(remote=False)
                if self._passes(":"):
                    _, _, end = yield self._primary()
            self.form.add("caught", at, start, end)
            yield self._clause(at, start, (start, end))
            if not self._passes(";"):
                return

    # Expressions

    def _expressions(self) -> _Steps:
        found = [self._leaf() or (yield self._expression())]
        while self.tokens[self.place][0] == ",":
            self.place += 1
            found.append(self._leaf() or (yield self._expression()))
        return found

    def _leaf(self) -> Operand | None:
        """A whole expression of one token: most are."""
        kind, start, end = self.tokens[self.place]
        if kind in _LEAVES and self.tokens[self.place + 1][0] in _ENDS:
            self.place += 1
            self.form.add(kind, start, start, end)
            return start, start, end
        return None

    def _expression(self, remote: bool = True) -> _Steps:
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
        kind, strength, at = operator
        first, start, end = operands.pop()
        if strength in (0, _UNARY):
            self.form.add("catch" if kind == "catch" else "op", at, at, end)
            operands.append((at, at, end))
            return
        first, start, _ = operands.pop()
        if kind == "=":
            self.form.add("match", first, start, end)
        else:
            self.form.add("maybe_match" if kind == "?=" else "op", at, start, end)
        operands.append((first, start, end))

    def _is_applied(self, remote: bool) -> bool:
        kind = self.tokens[self.place][0]
        if kind == "macro":  # the macro is `#name`
            return self.tokens[self.place + 1][0] in ("{", ".")
        return kind in ("(", "#") or (kind == ":" and remote)

    def _applied(self, operand: Operand) -> _Steps:
        """What follows an operand and binds most strongly: arguments, the function of a module, `#`."""
        first, start, _ = operand
        if self._next == "(":
            yield self._arguments()
            end = self.tokens[self.place - 1][2]
            self.form.add("call", first, start, end)
        elif self._next == ":":
            at = self._take(":")[1]
            _, _, end = self._constant() if self._next == "macro" else (yield self._primary())
            self.form.add("remote", at, start, end)
        elif self._next == "macro":
            at, _, _ = self._constant()
            end = yield self._of_record(at, start, is_first=False)
        else:
            end = (yield self._hash(start))[2]
        return first, start, end

    def _arguments(self) -> _Steps:
        self._take("(")
        if self._passes(")"):
            return []
        found = yield self._expressions()
        self._take(")")
        return found

    def _primary(self) -> _Steps:
        kind, start, end = self.tokens[self.place]
        if kind in _LEAVES and not self._says(self.tokens[self.place], "maybe"):
            self.place += 1
            self.form.add(kind, start, start, end)
            return start, start, end
        if kind == "(":
            self.place += 1
            first, _, _ = yield self._expression()
            return first, start, self._take(")")[2]
        if kind in ("string", "macro"):
            return (yield self._strings())
        if kind == "#":
            return (yield self._hash(start))
        if kind == "atom" and not self._is_maybe():
            self.place += 1
            self.form.add(kind, start, start, end)
            return start, start, end
        parse = _CONSTRUCTS.get(self.text[start:end])
        if parse is None:
            raise NoFormError
        self.place += 1
        named = yield parse(self, start)
        end = self.tokens[self.place - 1][2]
        self.form.add(named, start, start, end)
        return start, start, end

    def _is_maybe(self) -> bool:
        """Whether the word `maybe` begins an expression: then another expression follows."""
        following = self.tokens[self.place + 1][0]
        if following == "(":
            return any(token[0] == "?=" for token in self.tokens)
        return following in _LEAVES | {"string", "macro", "{", "[", "<<", "#", "catch", "not"} | _CONSTRUCTS.keys()

    def _strings(self) -> _Steps:
        """Strings side by side are one, and macros may be among them."""
        at = None
        count = 0
        while self._next in ("string", "macro"):
            kind, start, end = self.tokens[self.place]
            if kind == "macro":
                first, start, end = yield self._macro()
            else:
                self.place += 1
                first = start
            at = at or (first, start, kind)
            count += 1
        assert at  # noqa: S101 - one was there
        first, start, kind = at
        if count > 1 or kind == "string":
            self.form.add("bin" if self.text[start] == "~" else "string", first, start, end)
        return first, start, end

    # Macros

    def _name_at(self, start: int) -> int:
        """Where the name of a macro stands."""
        while self.text[start] == "?" or self.text[start].isspace():
            start += 1
        return start

    def _constant(self) -> Operand:
        """A macro whose parentheses or braces, if any follow, are those of what it names."""
        _, start, end = self._take("macro")
        at = self._name_at(start)
        self.form.add("macro", at, start, end)
        self.form.macros.append((at, (start, end)))
        return at, start, end

    def _macro(self) -> _Steps:
        _, start, end = self._take("macro")
        at = self._name_at(start)
        name = self.text[at:end]
        if self._next == "(" and name not in self.constants and name not in NEVER_CALLED:
            self.place += 1
            while not self._passes(")"):
                yield self._macro_argument()
                self._passes(",")
            end = self.tokens[self.place - 1][2]
        self.form.add("macro", at, start, end)
        self.form.macros.append((at, (start, end)))
        if self._next in ("{", "."):  # the macro was `#name`
            end = yield self._of_record(at, start, is_first=True)
        return at, start, end

    def _macro_argument(self) -> _Steps:
        """Mostly an expression, but it may be any tokens."""
        place = self.place
        try:
            if not self._leaf():
                yield self._expression()
            if self._next not in (",", ")"):
                raise NoFormError
        except NoFormError:
            self.place = place
            self._skip(is_code=True)
            if self.place == place:
                raise

    # Data

    def _tuple(self, _start: int) -> _Steps:
        if not self._passes("}"):
            yield self._expressions()
            self._take("}")
        return "tuple"

    def _list(self, _start: int) -> _Steps:
        """The compiler's list is a pair of its first element and the rest, which is where its first element is."""
        if self._passes("]"):
            return "nil"
        found: list[Operand] = yield self._expressions()
        if self._passes("||"):
            yield self._qualifiers()
            self._take("]")
            return "lc"
        if self._passes("|"):
            yield self._expression()
            end = self._take("]")[2]
        else:
            _, start, end = self._take("]")
            self.form.add("nil", start, start, end)
        for first, start, _ in found[1:]:
            self.form.add("rest", first, start, end)
        return "cons"

    def _binary(self, _start: int) -> _Steps:
        if self._passes(">>"):
            return "bin"
        while True:
            first, start, end = yield self._segment()
            if self._passes("||"):
                yield self._qualifiers()
                self._take(">>")
                return "bc"
            self.form.add("bin_element", first, start, end)
            if not self._passes(","):
                break
        self._take(">>")
        return "bin"

    def _segment(self) -> _Steps:
        """`Value:Size/types`."""
        kind, at, _ = self.tokens[self.place]
        if kind in _PREFIX:
            self.place += 1
            _, _, end = yield self._primary()
            self.form.add("op", at, at, end)
            first, start = at, at
        else:
            first, start, end = yield self._primary()
        if self._passes(":"):
            _, _, end = yield self._primary()
        if self._passes("/"):
            while True:
                if self._next == "macro":
                    yield self._macro()
                else:
                    self._take("atom")
                if self._passes(":"):
                    self.place += 1
                if not self._passes("-"):
                    break
            end = self.tokens[self.place - 1][2]
        return first, start, end

    def _qualifiers(self) -> _Steps:
        """The right part of a comprehension."""
        while True:
            _, start, end = yield self._expression()
            if self._next == ":=":
                at = self._take(":=")[1]
                _, _, end = yield self._expression()
                self.form.add("map_field_exact", at, start, end)
                at = self._take("<-")[1]
                _, _, end = yield self._expression()
                self.form.add("m_generate", at, start, end)
            elif self._next in _GENERATORS:
                kind, at, _ = self.tokens[self.place]
                self.place += 1
                _, _, end = yield self._expression()
                self.form.add(_GENERATORS[kind], at, start, end)
            if self._next not in (",", "&&"):
                return
            self.place += 1

    def _hash(self, start: int) -> _Steps:
        """A map or a record from the `#` on; `start` is where what stands before it starts."""
        at = self._take("#")[1]
        if self._next == "{":
            kind = yield self._pairs()
        else:
            if self._next != "macro":
                self.place += 1
            elif self.tokens[self.place + 1][0] == "(":
                yield self._macro()
            else:
                self._constant()
            return at, start, (yield self._of_record(at, start, is_first=start == at))
        end = self.tokens[self.place - 1][2]
        self.form.add(kind, at, start, end)
        return at, start, end

    def _of_record(self, at: int, start: int, is_first: bool) -> _Steps:
        """What follows the name of a record: a field, or fields with values; gives where it ends."""
        if self._passes("."):
            yield self._primary()
            kind = "record_index" if is_first else "record_field"
        else:
            yield self._fields()
            kind = "record"
        end = self.tokens[self.place - 1][2]
        self.form.add(kind, at, start, end)
        return end

    def _pairs(self) -> _Steps:
        self._take("{")
        if self._passes("}"):
            return "map"
        while True:
            _, start, end = yield self._expression()
            kind, at, _ = self.tokens[self.place]
            if kind in ("=>", ":="):
                self.place += 1
                _, _, end = yield self._expression()
                self.form.add("map_field_assoc" if kind == "=>" else "map_field_exact", at, start, end)
            elif self.tokens[self.place - 1][0] not in ("macro", ")"):
                raise NoFormError
            if self._passes("||"):
                yield self._qualifiers()
                self._take("}")
                return "mc"
            if not self._passes(","):
                break
        self._take("}")
        return "map"

    def _fields(self) -> _Steps:
        self._take("{")
        while self._next != "}":
            yield self._field()
            if not self._passes(","):
                break
        self._take("}")

    def _field(self) -> _Steps:
        """Of a record: a name, mostly with a value."""
        first, start, end = yield self._primary()
        if self._passes("="):
            _, _, end = self._leaf() or (yield self._expression())
        self.form.add("record_field", first, start, end)

    # Constructs with `end`

    def _block(self, _start: int) -> _Steps:
        yield self._expressions()
        self._take("end")
        return "block"

    def _case(self, _start: int) -> _Steps:
        yield self._expression()
        self._take("of")
        yield self._clauses()
        self._take("end")
        return "case"

    def _if(self, _start: int) -> _Steps:
        while True:
            first, start, end = yield self._guard()
            yield self._body(first, start, None, (start, end))
            if not self._passes(";"):
                break
        self._take("end")
        return "if"

    def _receive(self, _start: int) -> _Steps:
        if self._next != "after":
            yield self._clauses()
        if self._passes("after"):
            yield self._expression()
            self._take("->")
            yield self._expressions()
        self._take("end")
        return "receive"

    def _try(self, _start: int) -> _Steps:
        yield self._expressions()
        if self._passes("of"):
            yield self._clauses()
        if self._passes("catch"):
            yield self._handlers()
        if self._passes("after"):
            yield self._expressions()
        self._take("end")
        return "try"

    def _maybe(self, _start: int) -> _Steps:
        yield self._expressions()
        _, at, _ = token = self.tokens[self.place]
        if self._says(token, "else"):
            self.place += 1
            end = yield self._clauses()
            self.form.add("else", at, at, end)
        self._take("end")
        return "maybe"

    def _fun(self, _start: int) -> _Steps:
        if not self._is_fun_with_clauses():
            return (yield self._fun_of_name())
        kind = "fun" if self._next == "(" else "named_fun"
        while True:
            at = self.tokens[self.place][1]
            if kind == "named_fun":
                self._take("var")
            arguments = yield self._arguments()
            yield self._clause(at, at, _around(arguments))
            if not self._passes(";"):
                break
        self._take("end")
        return kind

    def _is_fun_with_clauses(self) -> bool:
        return self._next == "(" or (self._next == "var" and self.tokens[self.place + 1][0] == "(")

    def _fun_of_name(self) -> _Steps:
        """`name/1`, `module:name/1`."""
        yield self._primary()
        if self._passes(":"):
            yield self._primary()
        if self._passes("/"):
            yield self._primary()
        elif self.tokens[self.place - 1][0] not in ("macro", ")"):
            raise NoFormError
        return "fun"


_CONSTRUCTS = {
    "{": _Parser._tuple,
    "[": _Parser._list,
    "<<": _Parser._binary,
    "begin": _Parser._block,
    "case": _Parser._case,
    "if": _Parser._if,
    "receive": _Parser._receive,
    "try": _Parser._try,
    "maybe": _Parser._maybe,
    "fun": _Parser._fun,
}


def _around(operands: list[Operand]) -> Span | None:
    return (operands[0][1], operands[-1][2]) if operands else None
