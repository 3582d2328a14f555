"""Parses a module: Lark's LALR parser behind the layout algorithm, with callbacks that build the tree."""

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from types import UnionType
from typing import Any

from lark import Lark, Token, Transformer
from lark.lexer import Lexer

from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.layout import LayoutParser
from adebug_lsp.languages.haskell.syntax.scanner import scan, unescape
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

Span = t.Span


def parse(text: str) -> t.Module:
    """The syntax tree of a text; raises `HaskellSyntaxError`."""
    module = LayoutParser(_grammar()).parse(scan(text))
    assert isinstance(module, t.Module)
    return module


class _NoLexer(Lexer):
    """No lexer: the layout algorithm feeds the tokens."""

    def __init__(self, _conf: object) -> None:
        pass

    def lex(self, _state: object, _parser_state: object) -> Iterator[Token]:
        return iter(())


@lru_cache(maxsize=1)
def _grammar() -> Lark:
    text = files(__package__).joinpath("haskell.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_NoLexer, transformer=_Builder())


def _span(first: t.Node | Token, last: t.Node | Token) -> Span:
    return _start(first), _end(last)


def _start(item: t.Node | Token) -> int:
    return int(item.start_pos or 0) if isinstance(item, Token) else int(item.span[0])


def _end(item: t.Node | Token) -> int:
    return int(item.end_pos or 0) if isinstance(item, Token) else int(item.span[1])


class Block(list[Any]):
    """The parts of a block in braces or by layout, and its end."""

    def __init__(self, items: list[Any], kind: type | UnionType) -> None:
        super().__init__(item for item in items if isinstance(item, kind))
        is_explicit = bool(str(items[-1]))
        self.end = _end(items[-1]) if is_explicit or not self else int(self[-1].span[1])


def _nodes(items: list[Any], *, of: type | UnionType = t.Node) -> list[Any]:
    return [item for item in items if isinstance(item, of)]


class _Builder(Transformer[Any, Any]):  # one method for each rule of the grammar
    # Modules

    def module(self, items: list[Any]) -> t.Module:
        exports = next((item[1] for item in items if isinstance(item, tuple) and item[0] == "exports"), None)
        return t.Module(str(items[1]), exports, items[-1])

    def script(self, items: list[Any]) -> t.Module:
        return t.Module("Main", [("main", None)], items[0])

    def body(self, items: list[Any]) -> list[Any]:
        return _nodes(items)

    def modid(self, items: list[Any]) -> Token:
        return items[0]  # type: ignore[no-any-return]

    def exports(self, items: list[Any]) -> tuple[str, list[Any]]:
        return "exports", [item for item in items if isinstance(item, tuple)]

    def export(self, items: list[Any]) -> tuple[str, Any]:
        if isinstance(items[0], Token):
            return f"module {items[1]}", None
        return items[0].name, items[1] if len(items) > 1 else None

    imported = export

    def sublist(self, items: list[Any]) -> list[str]:
        return [".." if getattr(i, "type", "") == "DOTDOT" else i.name for i in items if _is_name(i)]

    def subname(self, items: list[Any]) -> object:
        return items[0]

    def import_decl(self, items: list[Any]) -> t.Import:
        words = [item for item in items if isinstance(item, Token)]
        if words[1].type == "VARID" and words[1] != "qualified":
            raise HaskellSyntaxError("expected a module name or `qualified`", *_span(words[1], words[1]))
        alias = next((item[1] for item in items if isinstance(item, tuple) and item[0] == "as"), None)
        listed = next((item for item in items if isinstance(item, tuple) and item[0] != "as"), ("", None))
        last = items[-1]
        end = last[2] if isinstance(last, tuple) else _end(last)
        span = (_start(items[0]), end)
        return t.Import(span, str(words[-1]), words[1] == "qualified", alias, listed[0] == "hiding", listed[1])

    def import_as(self, items: list[Any]) -> tuple[str, str, int]:
        if items[0] != "as":
            raise HaskellSyntaxError("expected `as`", *_span(items[0], items[0]))
        return "as", str(items[1]), _end(items[1])

    def import_list(self, items: list[Any]) -> tuple[str, list[Any], int]:
        word = str(items[0]) if items[0].type == "VARID" else ""
        if word not in ("", "hiding"):
            raise HaskellSyntaxError("expected `hiding` or a list of names", *_span(items[0], items[0]))
        return word, [item for item in items if isinstance(item, tuple)], _end(items[-1])

    # Declarations

    def data(self, items: list[Any]) -> t.Data:
        return self._data(items, is_newtype=False)

    def newtype(self, items: list[Any]) -> t.Data:
        return self._data(items, is_newtype=True)

    def _data(self, items: list[Any], is_newtype: bool) -> t.Data:
        head: t.Qualified = items[1]
        name, parameters = _type_head(head.type)
        lists = [item for item in items[2:] if isinstance(item, list)]
        constructors = lists[0] if lists and lists[0] and isinstance(lists[0][0], t.Constructor) else []
        deriving = [pair for each in lists for pair in each if isinstance(pair, tuple)]
        if is_newtype and (len(constructors) != 1 or len(constructors[0].fields) != 1):
            raise HaskellSyntaxError("a newtype has one constructor with one field; use data", *head.span)
        ends = [_end(i) for i in items if isinstance(i, Token | t.Node)]
        ends += [c.span[1] for c in constructors] + [pair[1][1] for pair in deriving]
        return t.Data((_start(items[0]), max(ends)), name, parameters, constructors, deriving, is_newtype)

    def synonym(self, items: list[Any]) -> t.Synonym:
        name, parameters = _type_head(items[1])
        return t.Synonym(_span(items[0], items[3]), name, parameters, items[3])

    def constrs(self, items: list[Any]) -> list[Any]:
        return _nodes(items, of=t.Constructor)

    def plain_constr(self, items: list[Any]) -> t.Constructor:
        head = items[0]
        if not isinstance(head, t.TypeName):
            raise HaskellSyntaxError("a constructor begins with a capital letter", *_strict(head)[0].span)
        fields = [_strict(item) for item in items[1:]]
        end = fields[-1][0].span[1] if fields else head.span[1]
        return t.Constructor((head.span[0], end), head.name, [f for f, _ in fields], [], [s for _, s in fields])

    def infix_constr(self, items: list[Any]) -> t.Constructor:
        at = next(i for i, item in enumerate(items) if isinstance(item, t.Con))
        fields = [_strict(side) for side in (_applied(items[:at]), _applied(items[at + 1 :]))]
        span = (fields[0][0].span[0], fields[1][0].span[1])
        return t.Constructor(span, items[at].name, [f for f, _ in fields], [], [s for _, s in fields])

    def record_constr(self, items: list[Any]) -> t.Constructor:
        groups = [item for item in items if isinstance(item, tuple)]
        labels = [name for names, _ in groups for name in names]
        fields = [_strict(kind) for names, kind in groups for _ in names]
        flags = [strict for _, strict in fields]
        return t.Constructor(_span(items[0], items[-1]), str(items[0]), [f for f, _ in fields], labels, flags)

    def record_field(self, items: list[Any]) -> tuple[list[str], Any]:
        return [item.name for item in items[:-1] if isinstance(item, t.Var)], items[-1]

    def strict_field(self, items: list[Any]) -> tuple[str, t.Type]:
        return "strict", items[1]

    def deriving(self, items: list[Any]) -> list[Any]:
        return [(item.name, item.span) for item in items if isinstance(item, t.Con)]

    def _declared_class(self, items: list[Any]) -> tuple[t.Qualified, list[Any], Span]:
        head = items[1]
        declarations: list[Any] = items[3] if len(items) > 3 else []
        return head, declarations, (_start(items[0]), items[3].end if len(items) > 3 else head.span[1])

    def class_decl(self, items: list[Any]) -> t.Class:
        head, declarations, span = self._declared_class(items)
        name, parameters = _type_head(head.type)
        if len(parameters) != 1:
            raise HaskellSyntaxError("a class has one type variable", *head.span)
        return t.Class(span, head.context, name, parameters[0], declarations)

    def instance(self, items: list[Any]) -> t.Instance:
        head, declarations, span = self._declared_class(items)
        match head.type:
            case t.TypeApplication(function=t.TypeName(name=name), argument=argument):
                return t.Instance(span, head.context, name, argument, declarations)
        raise HaskellSyntaxError("an instance is of one class for one type: `instance Show T`", *head.span)

    def decls(self, items: list[Any]) -> Block:
        return Block(items, t.Node)

    def equation(self, items: list[Any]) -> t.Equation:
        return t.Equation(_span(items[0], items[1]), items[0], items[1])

    def signature(self, items: list[Any]) -> t.Signature:
        name = items[0]
        if not isinstance(name, t.Var):
            raise HaskellSyntaxError("a signature begins with the name that it is for", *name.span)
        return t.Signature(_span(name, items[2]), [(name.name, name.span)], items[2])

    def signatures(self, items: list[Any]) -> t.Signature:
        names = [(item.name, item.span) for item in items if isinstance(item, t.Var)]
        return t.Signature(_span(items[0], items[-1]), names, items[-1])

    def fixity(self, items: list[Any]) -> t.Fixity:
        numbers = [item for item in items if getattr(item, "type", "") == "INTEGER"]
        operators = [item.name for item in items if isinstance(item, t.Var | t.Con)]
        precedence = int(numbers[0]) if numbers else 9
        last = _nodes(items)[-1]
        return t.Fixity(_span(items[0], last), str(items[0]), precedence, operators)

    def plain_rhs(self, items: list[Any]) -> t.Rhs:
        return _rhs([t.Guarded(items[1].span, [], items[1])], items)

    def guarded_rhs(self, items: list[Any]) -> t.Rhs:
        return _rhs(_nodes(items, of=t.Guarded), items)

    def guarded(self, items: list[Any]) -> t.Guarded:
        return t.Guarded(_span(items[0], items[3]), items[1], items[3])

    guarded_alt = guarded

    def where(self, items: list[Any]) -> tuple[str, list[Any], Span]:
        return "where", items[1], (_start(items[0]), max(items[1].end, _end(items[0])))

    def quals(self, items: list[Any]) -> list[Any]:
        return _nodes(items, of=t.Generator | t.Condition | t.LetStatement)

    def statements(self, items: list[Any]) -> Block:
        return Block(items, t.Generator | t.Condition | t.LetStatement)

    def generator(self, items: list[Any]) -> t.Generator:
        return t.Generator(_span(items[0], items[2]), items[0], items[2])

    def condition(self, items: list[Any]) -> t.Condition:
        return t.Condition(items[0].span, items[0])

    def let_statement(self, items: list[Any]) -> t.LetStatement:
        return t.LetStatement((_start(items[0]), max(items[1].end, _end(items[0]))), items[1])

    # Types

    def context_type(self, items: list[Any]) -> t.Qualified:
        if len(items) == 1:
            return t.Qualified(items[0].span, [], items[0])
        return t.Qualified(_span(items[0], items[2]), _context(items[0]), items[2])

    def function_type(self, items: list[Any]) -> t.Type:
        arrow = t.TypeName(_span(items[1], items[1]), "->")
        return _apply_type(arrow, [items[0], items[2]], _span(items[0], items[2]))

    def type_application(self, items: list[Any]) -> t.Type:
        return t.TypeApplication(_span(items[0], items[1]), items[0], items[1])

    def type_variable(self, items: list[Any]) -> t.Type:
        return t.TypeVariable(_span(items[0], items[0]), str(items[0]))

    def unit_type(self, items: list[Any]) -> t.Type:
        return t.TypeName(_span(items[0], items[-1]), "()")

    def parenthesised_type(self, items: list[Any]) -> t.Type:
        inner: t.Type = items[1]
        inner.span = _span(items[0], items[2])
        return inner

    def tuple_type(self, items: list[Any]) -> t.Type:
        parts = _nodes(items)
        whole = _span(items[0], items[-1])
        return _apply_type(t.TypeName(whole, f"({',' * (len(parts) - 1)})"), parts, whole)

    def list_type(self, items: list[Any]) -> t.Type:
        whole = _span(items[0], items[-1])
        return _apply_type(t.TypeName(whole, "[]"), [items[1]], whole)

    def function_constructor(self, items: list[Any]) -> t.Type:
        return t.TypeName(_span(items[0], items[-1]), "->")

    def tuple_constructor(self, items: list[Any]) -> t.Type:
        return t.TypeName(_span(items[0], items[-1]), "".join(items))

    list_constructor = tuple_constructor

    def tycon(self, items: list[Any]) -> t.Type:
        return t.TypeName(_span(items[0], items[0]), str(items[0]))

    # Expressions

    def annotation(self, items: list[Any]) -> t.Annotation:
        return t.Annotation(_span(items[0], items[2]), items[0], items[2])

    def infixexp(self, items: list[Any]) -> Any:
        if len(items) == 1:
            return items[0] if not isinstance(items[0], t.Negation) else t.Infix(items[0].span, items)
        before = items[0].items if isinstance(items[0], t.Infix) else [items[0]]
        return t.Infix(_span(items[0], items[2]), [*before, items[1], items[2]])

    def negation(self, items: list[Any]) -> t.Negation:
        return t.Negation(_span(items[0], items[1]), items[1])

    def lambda_exp(self, items: list[Any]) -> t.Lambda:
        return t.Lambda(_span(items[0], items[-1]), items[1:-2], items[-1])

    def let(self, items: list[Any]) -> t.Let:
        return t.Let(_span(items[0], items[-1]), items[1], items[-1])

    def if_exp(self, items: list[Any]) -> t.If:
        condition, then, otherwise = _nodes(items)
        return t.If(_span(items[0], items[-1]), condition, then, otherwise)

    def case(self, items: list[Any]) -> t.Case:
        return t.Case((_start(items[0]), max(items[3].end, _end(items[2]))), items[1], items[3])

    def do(self, items: list[Any]) -> t.Do:
        return t.Do((_start(items[0]), max(items[1].end, _end(items[0]))), items[1])

    def fexp(self, items: list[Any]) -> Any:
        return items[0] if len(items) == 1 else t.Apply(_span(items[0], items[-1]), items[0], items[1:])

    def parenthesised(self, items: list[Any]) -> t.Parenthesised:
        return t.Parenthesised(_span(items[0], items[2]), items[1])

    def tuple_exp(self, items: list[Any]) -> t.Tuple:
        return t.Tuple(_span(items[0], items[-1]), _nodes(items))

    def list_exp(self, items: list[Any]) -> t.List:
        return t.List(_span(items[0], items[-1]), _nodes(items))

    def range_exp(self, items: list[Any]) -> t.EnumRange:
        first, *last = _nodes(items)
        return t.EnumRange(_span(items[0], items[-1]), first, None, last[0] if last else None)

    def range_with_step(self, items: list[Any]) -> t.EnumRange:
        first, second, *last = _nodes(items)
        return t.EnumRange(_span(items[0], items[-1]), first, second, last[0] if last else None)

    def comprehension(self, items: list[Any]) -> t.Comprehension:
        return t.Comprehension(_span(items[0], items[-1]), items[1], items[3])

    def left_section(self, items: list[Any]) -> t.LeftSection:
        return t.LeftSection(_span(items[0], items[3]), items[1], items[2])

    def right_section(self, items: list[Any]) -> t.RightSection:
        return t.RightSection(_span(items[0], items[3]), items[1], items[2])

    def wildcard(self, items: list[Any]) -> t.Wildcard:
        return t.Wildcard(_span(items[0], items[0]))

    def as_pattern(self, items: list[Any]) -> t.AsPattern:
        return t.AsPattern(_span(items[0], items[2]), str(items[0]), _span(items[0], items[0]), items[2])

    def lazy_pattern(self, items: list[Any]) -> t.LazyPattern:
        return t.LazyPattern(_span(items[0], items[1]), items[1])

    def bang_pattern(self, items: list[Any]) -> t.BangPattern:
        return t.BangPattern(_span(items[0], items[1]), items[1])

    def record(self, items: list[Any]) -> t.Record:
        fields = [item for item in items if isinstance(item, tuple)]
        return t.Record(_span(items[0], items[-1]), items[0], fields)

    def binding(self, items: list[Any]) -> tuple[str, Any]:
        return items[0].name, items[2]

    def literal(self, items: list[Any]) -> t.Literal:
        token = items[0]
        kinds = {"INTEGER": "int", "FLOAT": "frac", "CHAR": "char", "STRING": "string"}
        return t.Literal(_span(token, token), kinds[token.type], _literal_value(token))

    def alts(self, items: list[Any]) -> Block:
        return Block(items, t.Alternative)

    def plain_alt(self, items: list[Any]) -> t.Alternative:
        rhs = _rhs([t.Guarded(items[2].span, [], items[2])], items[1:])
        return t.Alternative((items[0].span[0], rhs.span[1]), items[0], rhs)

    def guarded_alternative(self, items: list[Any]) -> t.Alternative:
        rhs = _rhs(_nodes(items, of=t.Guarded), items[1:])
        return t.Alternative((items[0].span[0], rhs.span[1]), items[0], rhs)

    # Names

    def var(self, items: list[Any]) -> t.Var:
        token = items[0] if len(items) == 1 else items[1]
        return token if isinstance(token, t.Var) else t.Var(_span(items[0], items[-1]), str(token))

    qvar = var

    def con(self, items: list[Any]) -> t.Con:
        token = items[0] if len(items) == 1 else items[1]
        return token if isinstance(token, t.Con) else t.Con(_span(items[0], items[-1]), str(token))

    qcon = con
    cons = con

    def gcon(self, items: list[Any]) -> t.Con:
        return items[0]  # type: ignore[no-any-return]

    def unit(self, items: list[Any]) -> t.Con:
        return t.Con(_span(items[0], items[-1]), "".join(items))

    tuple_con = unit
    nil = unit

    def conop(self, items: list[Any]) -> t.Con:
        return t.Con(_span(items[0], items[-1]), str(items[0] if len(items) == 1 else items[1]))

    def qop(self, items: list[Any]) -> t.Var | t.Con:
        if len(items) > 1:
            name: t.Var | t.Con = items[1]
            name.span = _span(items[0], items[2])
            return name
        token = items[0]
        kind = t.Con if token.type in ("CONSYM", "QCONSYM", "COLON") else t.Var
        return kind(_span(token, token), str(token))

    section_op = qop

    def backquoted(self, items: list[Any]) -> t.Var | t.Con:
        token = items[0]
        return (t.Con if "CON" in token.type else t.Var)(_span(token, token), str(token))


def _is_name(item: object) -> bool:
    return isinstance(item, t.Var | t.Con) or getattr(item, "type", "") == "DOTDOT"


def _rhs(branches: list[t.Guarded], items: list[Any]) -> t.Rhs:
    last = items[-1]
    if isinstance(last, tuple):
        return t.Rhs((_start(items[0]), last[2][1]), branches, last[1])
    return t.Rhs((_start(items[0]), branches[-1].span[1]), branches, [])


def _strict(item: Any) -> tuple[t.Type, bool]:
    return (item[1], True) if isinstance(item, tuple) else (item, False)


def _applied(items: list[Any]) -> Any:
    if len(items) == 1:
        return items[0]
    types = [_strict(item)[0] for item in items]
    return _apply_type(types[0], types[1:], _span(types[0], types[-1]))


def _apply_type(function: t.Type, arguments: list[t.Type], span: Span) -> t.Type:
    for argument in arguments:
        function = t.TypeApplication(span, function, argument)
    return function


def _type_head(head: t.Type) -> tuple[str, list[str]]:
    parameters: list[str] = []
    while isinstance(head, t.TypeApplication):
        if not isinstance(head.argument, t.TypeVariable):
            raise HaskellSyntaxError("expected a type variable", *head.argument.span)
        parameters.insert(0, head.argument.name)
        head = head.function
    if not isinstance(head, t.TypeName):
        raise HaskellSyntaxError("expected the name of a type", *head.span)
    return head.name, parameters


def _context(written: t.Type) -> list[tuple[str, t.Type, Span]]:
    parts, head = list[t.Type](), written
    while isinstance(head, t.TypeApplication):
        parts.insert(0, head.argument)
        head = head.function
    is_tuple = isinstance(head, t.TypeName) and head.name.startswith("(")
    return [_constraint(part) for part in (parts if is_tuple else [written])]


def _constraint(written: t.Type) -> tuple[str, t.Type, Span]:
    match written:
        case t.TypeApplication(function=t.TypeName(name=name), argument=argument):
            return name, argument, written.span
    raise HaskellSyntaxError("a constraint is a class and a type: `Eq a`", *written.span)


def _literal_value(token: Token) -> int | float | str:
    if token.type == "INTEGER":
        return int(token, 0) if token[:2].lower() in ("0x", "0o", "0b") else int(token)
    if token.type == "FLOAT":
        return float(token)
    return unescape(token[1:-1])
