"""One form of Erlang: a function with its clauses, or an attribute. What is in it is in `expressions`."""

from collections.abc import Collection

from adebug_lsp.languages.erlang.syntax.expression_parser import Expressions
from adebug_lsp.languages.erlang.syntax.form import Clause, Form, NoFormError, Span
from adebug_lsp.languages.erlang.syntax.scanner import Token, atom, tokens
from adebug_lsp.languages.erlang.syntax.token_reader import BRACKETS, Operand, around
from adebug_lsp.languages.erlang.syntax.trampoline import Steps, run


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
            run(parser.record())
        elif form.name != "define" and not _is_balanced(parser.tokens):
            raise NoFormError
    else:
        form.kind = "function"
        run(parser.function())
    return form


def _is_balanced(found: list[Token]) -> bool:
    closing: list[str] = []
    for kind, _, _ in found:
        if kind in ("(", "[", "{"):
            closing.append(BRACKETS[kind])
        elif kind in (")", "]", "}") and (not closing or closing.pop() != kind):
            return False
    return not closing


class _Parser(Expressions):
    """Adds everything that has clauses or an `end`."""

    def function(self) -> Steps:
        """Clauses with the same name."""
        form = self.form
        while True:
            if not (yield self._macro_clause()):
                yield self._function_clause()
            if not self._passes(";"):
                break
        self._take("dot")
        self.form.add("function", form.clauses[0].at, *form.span)

    def _function_clause(self) -> Steps:
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
        form.clauses.append((yield self._clause(at, start, around(arguments))))

    def _macro_clause(self) -> Steps:
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

    def record(self) -> Steps:
        """The default values of fields; types are passed over."""
        self.place = 2
        in_parentheses = self._passes("(")
        is_named_as_used = self._passes("#")  # from OTP 29 on: `-record #name{...}`
        self.place += 1
        if not is_named_as_used:
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

    # Clauses

    def _clause(self, at: int, start: int, head: Span | None) -> Steps:
        """What follows the patterns of a clause."""
        guard = None
        if self._passes("when"):
            guard = (yield self._guard())[1:]
        return (yield self._body(at, start, head, guard))

    def _body(self, at: int, start: int, head: Span | None, guard: Span | None) -> Steps:
        self._take("->")
        body = around((yield self._expressions()))
        assert body  # noqa: S101 - expressions are one or more
        clause = Clause(at, (start, body[1]), head, guard, body)
        self.form.add("clause", at, *clause.span)
        self.form.parts[at] = clause
        return clause

    def _guard(self) -> Steps:
        first = yield self._expression()
        end = first[2]
        while self._next in (",", ";"):
            self.place += 1
            end = (yield self._expression())[2]
        return first[0], first[1], end

    def _clauses(self) -> Steps:
        """Of case, receive, `of` and `else`."""
        while True:
            first, start, end = yield self._expression()
            clause: Clause = yield self._clause(first, start, (start, end))
            if not self._passes(";"):
                return clause.span[1]

    def _handlers(self) -> Steps:
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

    # Constructs with `end`

    def _block(self) -> Steps:
        yield self._expressions()
        self._take("end")
        return "block"

    def _case(self) -> Steps:
        yield self._expression()
        self._take("of")
        yield self._clauses()
        self._take("end")
        return "case"

    def _if(self) -> Steps:
        while True:
            first, start, end = yield self._guard()
            yield self._body(first, start, None, (start, end))
            if not self._passes(";"):
                break
        self._take("end")
        return "if"

    def _receive(self) -> Steps:
        if self._next != "after":
            yield self._clauses()
        if self._passes("after"):
            yield self._expression()
            self._take("->")
            yield self._expressions()
        self._take("end")
        return "receive"

    def _try(self) -> Steps:
        yield self._expressions()
        if self._passes("of"):
            yield self._clauses()
        if self._passes("catch"):
            yield self._handlers()
        if self._passes("after"):
            yield self._expressions()
        self._take("end")
        return "try"

    def _maybe(self) -> Steps:
        yield self._expressions()
        _, at, _ = token = self.tokens[self.place]
        if self._says(token, "else"):
            self.place += 1
            end = yield self._clauses()
            self.form.add("else", at, at, end)
        self._take("end")
        return "maybe"

    def _fun(self) -> Steps:
        if not self._is_fun_with_clauses():
            return (yield self._fun_of_name())
        kind = "fun" if self._next == "(" else "named_fun"
        while True:
            at = self.tokens[self.place][1]
            if kind == "named_fun":
                self._take("var")
            arguments = yield self._arguments()
            yield self._clause(at, at, around(arguments))
            if not self._passes(";"):
                break
        self._take("end")
        return kind

    def _fun_of_name(self) -> Steps:
        """`name/1`, `module:name/1`."""
        yield self._primary()
        if self._passes(":"):
            yield self._primary()
        if self._passes("/"):
            yield self._primary()
        elif self.tokens[self.place - 1][0] not in ("macro", ")"):
            raise NoFormError
        return "fun"

    constructs = Expressions.constructs | {
        "begin": _block,
        "case": _case,
        "if": _if,
        "receive": _receive,
        "try": _try,
        "maybe": _maybe,
        "fun": _fun,
    }
