"""Instances of deriving clauses, generated as Haskell text and parsed."""

from collections.abc import Callable

from attrs import fields, has

from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program, resolve
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.parser import parse
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

P = "Prelude."


def derived_instances(data: t.Data, module: ModuleInfo, program: Program) -> list[t.Instance]:
    """The instances that a data type derives; their spans are that of the class in the deriving clause."""
    instances = []
    for name, span in data.deriving:
        entity = resolve(module.types, name, span, "class")
        make = _MAKERS.get(entity)
        if make is None:
            raise HaskellSyntaxError(f"{name} cannot be derived; write the instance", *span)
        lines = make(data, module, program)
        context = ", ".join(f"{P}{entity.removeprefix(P)} {v}" for v in data.parameters if _occurs(v, data))
        head = f"({module.name}.{data.name} {' '.join(data.parameters)})"
        text = f"instance ({context}) => {entity} {head} where {{ {'; '.join(lines)} }}"
        try:
            tree = parse(text.replace("() => ", ""))
        except HaskellSyntaxError as problem:
            raise AssertionError(f"{problem} in {text}") from problem
        instance = tree.declarations[0]
        assert isinstance(instance, t.Instance)
        _place(instance, span)
        instances.append(instance)
    return instances


def _occurs(variable: str, data: t.Data) -> bool:
    """Whether a type variable occurs in the fields of a data type."""

    def inside(kind: t.Type) -> bool:
        match kind:
            case t.TypeVariable(name=name):
                return name == variable
            case t.TypeApplication(function=function, argument=argument):
                is_head = isinstance(function, t.TypeVariable)
                return (not is_head and inside(function)) or inside(argument)
        return False

    return any(inside(kind) for constructor in data.constructors for kind in constructor.fields)


def _place(node: object, span: t.Span) -> None:
    """Give every node below the same span."""
    pending = [node]
    while pending:
        child = pending.pop()
        if isinstance(child, list | tuple):
            pending.extend(child)
        elif (kind := type(child)) and has(kind):
            if isinstance(child, t.Node):
                child.span = span
            pending.extend(getattr(child, a.name) for a in fields(kind) if a.name != "span")


def _applied(data: t.Constructor, module: ModuleInfo, prefix: str) -> str:
    name = f"{module.name}.{data.name}"
    head = f"({name})" if data.name.startswith(":") else name
    return f"({' '.join([head, *(f'{prefix}{i}' for i in range(len(data.fields)))])})"


def _eq(data: t.Data, module: ModuleInfo, _program: Program) -> list[str]:
    lines = []
    for constructor in data.constructors:
        tests = [f"({P}==) a{i} b{i}" for i in range(len(constructor.fields))]
        body = f" {P}&& ".join(f"({test})" for test in tests) or f"{P}True"
        lines.append(f"(==) {_applied(constructor, module, 'a')} {_applied(constructor, module, 'b')} = {body}")
    return [*lines, f"(==) _ _ = {P}False"] if len(data.constructors) != 1 else lines


def _ord(data: t.Data, module: ModuleInfo, _program: Program) -> list[str]:
    """Equations of `compare`: the fields in order, otherwise the numbers of the constructors."""
    lines = []
    for constructor in data.constructors:
        if constructor.fields:
            body = f" `{P}primThenCompare` ".join(f"({P}compare a{i} b{i})" for i in range(len(constructor.fields)))
            lines.append(f"compare {_applied(constructor, module, 'a')} {_applied(constructor, module, 'b')} = {body}")
    if len(data.constructors) != 1 or not lines:
        lines.append(f"compare a b = {P}compare ({P}primTag a) ({P}primTag b)")
    return lines


def _show(data: t.Data, module: ModuleInfo, program: Program) -> list[str]:
    """Equations of `showsPrec`, with labels, operators and precedences as in the report."""
    lines = []
    for constructor in data.constructors:
        count = len(constructor.fields)
        left = f"showsPrec d {_applied(constructor, module, 'a')}"
        shown = f"({constructor.name})" if constructor.name.startswith(":") else constructor.name
        if not count:
            lines.append(f'{left} = {P}showString "{shown}"')
        elif constructor.labels:
            pieces = [f'{P}showString "{shown} {{"']
            for i, label in enumerate(constructor.labels):
                name = label if label[0].isalpha() or label[0] == "_" else f"({label})"
                pieces += [f'{P}showString "{", " if i else ""}{name} = "', f"{P}showsPrec 0 a{i}"]
            pieces.append(f'{P}showString "}}"')
            lines.append(f"{left} = {P}showParen (d {P}>= 11) ({f' {P}. '.join(pieces)})")
        elif constructor.name.startswith(":") and count == 2:
            precedence = program.constructors[f"{module.name}.{constructor.name}"].precedence
            pieces = [
                f"{P}showsPrec {precedence + 1} a0",
                f'{P}showString " {constructor.name} "',
                f"{P}showsPrec {precedence + 1} a1",
            ]
            lines.append(f"{left} = {P}showParen (d {P}> {precedence}) ({f' {P}. '.join(pieces)})")
        else:
            pieces = [f'{P}showString "{shown} "']
            pieces += [p for i in range(count) for p in (f"{P}showsPrec 11 a{i}", f'{P}showString " "')][:-1]
            lines.append(f"{left} = {P}showParen (d {P}>= 11) ({f' {P}. '.join(pieces)})")
    return lines or [f'showsPrec _ _ = {P}showString ""']


def _enum(data: t.Data, module: ModuleInfo, _program: Program) -> list[str]:
    """Equations of `fromEnum`, `toEnum` and the ranges."""
    _plain(data, "Enum")
    last = len(data.constructors) - 1
    lines = [f"fromEnum x = {P}primTag x"]
    lines += [f"toEnum {i} = {module.name}.{constructor.name}" for i, constructor in enumerate(data.constructors)]
    lines += [
        f'toEnum _ = {P}error "toEnum: bad argument"',
        f"enumFrom x = {P}map {P}toEnum ({P}enumFromTo ({P}primTag x) {last})",
        f"enumFromThen x y = {P}map {P}toEnum ({P}enumFromThenTo ({P}primTag x) ({P}primTag y) "
        f"(if {P}primTag x {P}<= {P}primTag y then {last} else 0))",
        f'succ x = if {P}primTag x {P}== {last} then {P}error "succ: no more" else {P}toEnum ({P}primTag x {P}+ 1)',
        f'pred x = if {P}primTag x {P}== 0 then {P}error "pred: no more" else {P}toEnum ({P}primTag x {P}- 1)',
    ]
    return lines


def _bounded(data: t.Data, module: ModuleInfo, _program: Program) -> list[str]:
    """Equations of `minBound` and `maxBound`."""
    if len(data.constructors) == 1:
        constructor = data.constructors[0]
        name = f"{module.name}.{constructor.name}"
        return [
            f"{bound} = {' '.join([name, *[P + bound] * len(constructor.fields)])}"
            for bound in ("minBound", "maxBound")
        ]
    _plain(data, "Bounded")
    return [
        f"minBound = {module.name}.{data.constructors[0].name}",
        f"maxBound = {module.name}.{data.constructors[-1].name}",
    ]


def _plain(data: t.Data, name: str) -> None:
    """Check that all constructors are without fields, as `Enum` and `Bounded` need."""
    if not data.constructors or any(constructor.fields for constructor in data.constructors):
        raise HaskellSyntaxError(
            f"{name} can only be derived for constructors without fields; write the instance", *data.span
        )


_MAKERS: dict[str, Callable[[t.Data, ModuleInfo, Program], list[str]]] = {
    f"{P}Eq": _eq,
    f"{P}Ord": _ord,
    f"{P}Show": _show,
    f"{P}Enum": _enum,
    f"{P}Bounded": _bounded,
}
