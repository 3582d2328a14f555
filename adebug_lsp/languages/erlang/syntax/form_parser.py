"""Parses one form: a function with its clauses, or an attribute. Expressions are parsed by `ExpressionParser`."""

from collections.abc import Collection

from adebug_lsp.languages.erlang.syntax.expression_parser import ExpressionParser
from adebug_lsp.languages.erlang.syntax.form import Clause, Form, FormError, Span
from adebug_lsp.languages.erlang.syntax.scanner import Token, atom, tokens
from adebug_lsp.languages.erlang.syntax.token_reader import BRACKETS, Operand, around
from adebug_lsp.languages.erlang.syntax.trampoline import Parse, run_parse


def parse_form(text: str, constants: Collection[str]) -> Form:
    """Parse a form; `constants` are macros without parameters.

    Attributes other than records are not parsed, because they contain no code. Raises `FormError`.
    """
    parser = _FormParser(text, tokens(text), constants)
    form = parser.form
    first, last = parser.tokens[0], parser.tokens[-3:][0]
    if first[0] == "eof":
        form.kind = ""
        return form
    if last[0] != "dot" or any(kind == "bad" for kind, _, _ in parser.tokens):
        raise FormError
    form.span = (first[1], parser.tokens[-4:][0][2])
    if first[0] == "-":
        _, start, end = parser.tokens[1]
        form.kind, form.name, form.name_span = "attribute", text[start:end], (start, end)
        form.tokens = parser.tokens
        form.add("attribute", start, *form.span)
        if form.name == "record":
            run_parse(parser.record())
        elif form.name != "define" and not _is_balanced(parser.tokens):
            raise FormError
    else:
        form.kind = "function"
        run_parse(parser.function())
    return form


def _is_balanced(form_tokens: list[Token]) -> bool:
    closing: list[str] = []
    for kind, _, _ in form_tokens:
        if kind in ("(", "[", "{"):
            closing.append(BRACKETS[kind])
        elif kind in (")", "]", "}") and (not closing or closing.pop() != kind):
            return False
    return not closing


class _FormParser(ExpressionParser):
    """Adds constructs with clauses or an `end`."""

    def function(self) -> Parse:
        """Clauses with the same name and arity."""
        form = self.form
        while True:
            if not (yield self._macro_clause()):
                yield self._function_clause()
            if not self._accept(";"):
                break
        self._expect("dot")
        self.form.add("function", form.clauses[0].anchor, *form.span)

    def _function_clause(self) -> Parse:
        form = self.form
        kind, start, end = self.tokens[self.place]
        if kind not in ("atom", "macro"):
            raise FormError
        anchor = self._name_offset(start) if kind == "macro" else start
        self.place += 1
        arguments: list[Operand] = yield self._arguments()
        name, arity = atom(self.text[start:end]), len(arguments)
        if form.name and (form.name, form.arity) != (name, arity):
            raise FormError
        if not form.name:
            form.name, form.name_span, form.arity = name, (start, end), arity
        form.clauses.append((yield self._clause(anchor, start, around(arguments))))

    def _macro_clause(self) -> Parse:
        """A macro that expands to one or more clauses."""
        place, known = self.place, len(self.form.macros)
        if self._next_kind == "macro":
            anchor, start, end = yield self._macro()
            if self._next_kind in (";", "dot"):
                self.form.clauses.append(Clause(anchor, (start, end), None, None, (start, end)))
                return True
            self.place = place
            del self.form.macros[known:]
        return False

    def record(self) -> Parse:
        """Default values of fields; types are skipped."""
        self.place = 2
        in_parentheses = self._accept("(")
        is_named_as_used = self._accept("#")  # from OTP 29 on: `-record #name{...}`
        self.place += 1
        if not is_named_as_used:
            self._expect(",")
        self._expect("{")
        while self._next_kind != "}":
            yield self._field()
            if self._accept("::"):
                self._skip(is_code=False)
            if not self._accept(","):
                break
        self._expect("}")
        if in_parentheses:
            self._expect(")")
        self._expect("dot")

    # Clauses

    def _clause(self, anchor: int, start: int, head: Span | None) -> Parse:
        """The rest of a clause after its patterns."""
        guard = None
        if self._accept("when"):
            guard = (yield self._guard())[1:]
        return (yield self._body(anchor, start, head, guard))

    def _body(self, anchor: int, start: int, head: Span | None, guard: Span | None) -> Parse:
        self._expect("->")
        body = around((yield self._expressions()))
        assert body  # noqa: S101 - expressions are one or more
        clause = Clause(anchor, (start, body[1]), head, guard, body)
        self.form.add("clause", anchor, *clause.span)
        self.form.parts[anchor] = clause
        return clause

    def _guard(self) -> Parse:
        first = yield self._expression()
        end = first[2]
        while self._next_kind in (",", ";"):
            self.place += 1
            end = (yield self._expression())[2]
        return first[0], first[1], end

    def _clauses(self) -> Parse:
        """Clauses of `case`, `receive`, `of` and `else`."""
        while True:
            first, start, end = yield self._expression()
            clause: Clause = yield self._clause(first, start, (start, end))
            if not self._accept(";"):
                return clause.span[1]

    def _handlers(self) -> Parse:
        """Handlers of `try ... catch`: `Class:Pattern:Stacktrace`, or the pattern alone."""
        while True:
            anchor, start, end = yield self._expression(remote=False)
            if self._accept(":"):
                _, _, end = yield self._expression(remote=False)
                if self._accept(":"):
                    _, _, end = yield self._primary()
            self.form.add("caught", anchor, start, end)
            yield self._clause(anchor, start, (start, end))
            if not self._accept(";"):
                return

    # Constructs with `end`

    def _block(self) -> Parse:
        yield self._expressions()
        self._expect("end")
        return "block"

    def _case(self) -> Parse:
        yield self._expression()
        self._expect("of")
        yield self._clauses()
        self._expect("end")
        return "case"

    def _if(self) -> Parse:
        while True:
            first, start, end = yield self._guard()
            yield self._body(first, start, None, (start, end))
            if not self._accept(";"):
                break
        self._expect("end")
        return "if"

    def _receive(self) -> Parse:
        if self._next_kind != "after":
            yield self._clauses()
        if self._accept("after"):
            yield self._expression()
            self._expect("->")
            yield self._expressions()
        self._expect("end")
        return "receive"

    def _try(self) -> Parse:
        yield self._expressions()
        if self._accept("of"):
            yield self._clauses()
        if self._accept("catch"):
            yield self._handlers()
        if self._accept("after"):
            yield self._expressions()
        self._expect("end")
        return "try"

    def _maybe(self) -> Parse:
        """Parses a `maybe` expression (EEP 49) after its first word."""
        yield self._expressions()
        _, anchor, _ = token = self.tokens[self.place]
        if self._is_word(token, "else"):
            self.place += 1
            end = yield self._clauses()
            self.form.add("else", anchor, anchor, end)
        self._expect("end")
        return "maybe"

    def _fun(self) -> Parse:
        if not self._is_fun_with_clauses():
            return (yield self._fun_of_name())
        kind = "fun" if self._next_kind == "(" else "named_fun"
        while True:
            anchor = self.tokens[self.place][1]
            if kind == "named_fun":
                self._expect("var")
            arguments = yield self._arguments()
            yield self._clause(anchor, anchor, around(arguments))
            if not self._accept(";"):
                break
        self._expect("end")
        return kind

    def _fun_of_name(self) -> Parse:
        """`fun name/1`, `fun module:name/1`."""
        yield self._primary()
        if self._accept(":"):
            yield self._primary()
        if self._accept("/"):
            yield self._primary()
        elif self.tokens[self.place - 1][0] not in ("macro", ")"):
            raise FormError
        return "fun"

    constructs = ExpressionParser.constructs | {
        "begin": _block,
        "case": _case,
        "if": _if,
        "receive": _receive,
        "try": _try,
        "maybe": _maybe,
        "fun": _fun,
    }
