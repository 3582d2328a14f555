"""Types, schemes and unification."""

from __future__ import annotations

from attrs import frozen


class TVar:
    """A type variable, which inference may still solve."""

    __slots__ = ("level", "ref")

    def __init__(self, level: int) -> None:
        self.level = level
        self.ref: Type | None = None


class TCon:
    """A type constructor, or the rigid variable of a signature."""

    __slots__ = ("is_rigid", "level", "name")

    def __init__(self, name: str, is_rigid: bool = False, level: int = 0) -> None:
        self.name, self.is_rigid, self.level = name, is_rigid, level


class TAp:
    """An application of a type."""

    __slots__ = ("argument", "function")

    def __init__(self, function: Type, argument: Type) -> None:
        self.function, self.argument = function, argument


class TGen:
    """A quantified variable of a scheme."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


Type = TVar | TCon | TAp | TGen


@frozen
class Scheme:
    """A type with quantified variables and their class constraints."""

    count: int
    context: tuple[tuple[str, Type], ...]
    type: Type


ARROW = TCon("->")
LIST = TCon("[]")
CHAR = TCon("Prelude.Char")
INT = TCon("Prelude.Int")
BOOL = TCon("Prelude.Bool")
STRING = TAp(LIST, CHAR)


class UnifyError(Exception):
    """Two types cannot be unified."""


def function(argument: Type, result: Type) -> Type:
    """`argument -> result`"""
    return TAp(TAp(ARROW, argument), result)


def prune(kind: Type) -> Type:
    """A type without solved variables at its head."""
    while isinstance(kind, TVar) and kind.ref is not None:
        kind = kind.ref
    return kind


def unify(a: Type, b: Type) -> None:
    """Make two types equal; raises `UnifyError`."""
    pending = [(a, b)]
    while pending:
        a, b = pending.pop()
        a, b = prune(a), prune(b)
        if a is b:
            continue
        if isinstance(a, TVar):
            _assign(a, b)
        elif isinstance(b, TVar):
            _assign(b, a)
        elif isinstance(a, TAp) and isinstance(b, TAp):
            pending.append((a.argument, b.argument))
            pending.append((a.function, b.function))
        elif not (isinstance(a, TCon) and isinstance(b, TCon) and a.name == b.name):
            raise UnifyError


def _assign(variable: TVar, kind: Type) -> None:
    """Solve a variable, after an occurs check that also adjusts levels."""
    pending = [kind]
    while pending:
        part = prune(pending.pop())
        if part is variable:
            raise UnifyError
        if isinstance(part, TVar):
            part.level = min(part.level, variable.level)
        elif isinstance(part, TAp):
            pending += (part.function, part.argument)
        elif isinstance(part, TCon) and part.is_rigid and part.level > variable.level:
            raise UnifyError  # the type variable of a signature would escape
    variable.ref = kind


def spine(kind: Type) -> tuple[Type, list[Type]]:
    """The head of a type and its arguments."""
    arguments: list[Type] = []
    kind = prune(kind)
    while isinstance(kind, TAp):
        arguments.append(kind.argument)
        kind = prune(kind.function)
    return kind, arguments[::-1]


def variables(kind: Type) -> list[TVar]:
    """Unsolved variables, each once, from left to right."""
    seen: dict[TVar, None] = {}
    pending = [kind]
    while pending:
        part = prune(pending.pop())
        if isinstance(part, TVar):
            seen[part] = None
        elif isinstance(part, TAp):
            pending += (part.argument, part.function)
    return list(seen)


def replace(kind: Type, arguments: list[Type]) -> Type:
    """A type with its quantified variables replaced."""
    kind = prune(kind)
    if isinstance(kind, TGen):
        return arguments[kind.number]
    if isinstance(kind, TAp):
        return TAp(replace(kind.function, arguments), replace(kind.argument, arguments))
    return kind


def quantify(kind: Type, numbers: dict[TVar | str, int]) -> Type:
    """A type with some variables (rigid ones by name) quantified."""
    kind = prune(kind)
    if isinstance(kind, TVar) and kind in numbers:
        return TGen(numbers[kind])
    if isinstance(kind, TCon) and kind.is_rigid and kind.name in numbers:
        return TGen(numbers[kind.name])
    if isinstance(kind, TAp):
        return TAp(quantify(kind.function, numbers), quantify(kind.argument, numbers))
    return kind


def result_of(kind: Type, arity: int) -> Type | None:
    """The type of a function's result after some arguments; None if it takes fewer."""
    for _ in range(arity):
        head, arguments = spine(kind)
        if not (isinstance(head, TCon) and head.name == "->" and len(arguments) == 2):
            return None
        kind = arguments[1]
    return prune(kind)


def show_scheme(scheme: Scheme) -> str:
    """A scheme in Haskell's syntax."""
    names: list[Type] = [TCon(_letter(i), is_rigid=True) for i in range(scheme.count)]
    context = [f"{short(name)} {show(replace(kind, names), 2)}" for name, kind in scheme.context]
    text = show(replace(scheme.type, names))
    if not context:
        return text
    return f"{context[0] if len(context) == 1 else '(' + ', '.join(context) + ')'} => {text}"


def show(kind: Type, precedence: int = 0, names: dict[TVar, str] | None = None) -> str:
    """A type in Haskell's syntax."""
    names = {} if names is None else names
    head, arguments = spine(kind)
    if isinstance(head, TCon):
        name = head.name
        if name == "->" and len(arguments) == 2:
            text = f"{show(arguments[0], 1, names)} -> {show(arguments[1], 0, names)}"
            return f"({text})" if precedence else text
        if name == "[]" and len(arguments) == 1:
            return "String" if _is_char(arguments[0]) else f"[{show(arguments[0], 0, names)}]"
        if name.startswith("(,") and len(arguments) == len(name) - 1:
            return f"({', '.join(show(a, 0, names) for a in arguments)})"
        text = short(name).partition("~")[0]
    elif isinstance(head, TVar):
        text = names.setdefault(head, _letter(len(names)))
    else:
        text = f"t{head.number}" if isinstance(head, TGen) else "?"
    if not arguments:
        return text
    text = " ".join([text, *(show(a, 2, names) for a in arguments)])
    return f"({text})" if precedence == 2 else text


def short(name: str) -> str:
    """A type's name without its module."""
    return name.rpartition(".")[2] if name[:1].isupper() else name


def _letter(number: int) -> str:
    return f"{chr(97 + number % 26)}{number // 26 or ''}"


def _is_char(kind: Type) -> bool:
    kind = prune(kind)
    return isinstance(kind, TCon) and kind.name == "Prelude.Char"
