"""Converts written types to types, with names resolved and synonyms expanded."""

from collections.abc import Mapping

from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program, resolve
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.languages.haskell.types.types import Scheme, TAp, TCon, TGen, Type, quantify, replace


def convert(written: t.Type, module: ModuleInfo, program: Program, variables: Mapping[str, Type]) -> Type:
    """A written type; raises `HaskellSyntaxError` for unknown names."""
    arguments: list[t.Type] = []
    head = written
    while isinstance(head, t.TypeApplication):
        arguments.insert(0, head.argument)
        head = head.function
    parts = [convert(a, module, program, variables) for a in arguments]
    if isinstance(head, t.TypeVariable):
        if head.name not in variables:
            raise HaskellSyntaxError(f"type variable not in scope: {head.name}", *head.span)
        kind = variables[head.name]
    else:
        entity = resolve(module.types, head.name, head.span, "type")
        declaration = program.types.get(entity)
        if isinstance(declaration, t.Synonym):
            return _expanded(declaration, entity, parts, program, written.span)
        if entity in program.classes:
            raise HaskellSyntaxError(f"{head.name} is a class; it belongs before =>", *head.span)
        if isinstance(declaration, t.Data) and len(parts) > len(declaration.parameters):
            raise HaskellSyntaxError(
                f"{head.name} has only {len(declaration.parameters)} type arguments", *written.span
            )
        kind = TCon(entity)
    for part in parts:
        kind = TAp(kind, part)
    return kind


def _expanded(synonym: t.Synonym, entity: str, parts: list[Type], program: Program, span: t.Span) -> Type:
    """The type that a synonym stands for with these arguments; surplus arguments are applied to it."""
    count = len(synonym.parameters)
    if len(parts) < count:
        raise HaskellSyntaxError(f"the type synonym {synonym.name} needs {count} arguments", *span)
    variables: dict[str, Type] = {name: TGen(i) for i, name in enumerate(synonym.parameters)}
    kind = replace(convert(synonym.type, program.type_modules[entity], program, variables), parts[:count])
    for part in parts[count:]:
        kind = TAp(kind, part)
    return kind


def type_variables(written: t.Type) -> list[str]:
    """Names of the variables in a written type, in order."""
    match written:
        case t.TypeVariable(name=name):
            return [name]
        case t.TypeApplication(function=function, argument=argument):
            return list(dict.fromkeys(type_variables(function) + type_variables(argument)))
    return []


def convert_scheme(
    written: t.Qualified, module: ModuleInfo, program: Program, fixed: list[str] | None = None
) -> Scheme:
    """The scheme of a signature; `fixed` variables are quantified first."""
    names = list(dict.fromkeys([*(fixed or []), *type_variables(written.type)]))
    for _, kind, _ in written.context:
        names = list(dict.fromkeys([*names, *type_variables(kind)]))
    rigid: dict[str, Type] = {name: TCon(f"{name}~", is_rigid=True) for name in names}
    numbers = {f"{name}~": i for i, name in enumerate(names)}
    context = []
    for name, kind, span in written.context:
        entity = resolve(module.types, name, span, "class")
        if entity not in program.classes:
            raise HaskellSyntaxError(f"{name} is not a class", *span)
        context.append((entity, quantify(convert(kind, module, program, rigid), numbers)))  # type: ignore[arg-type]
    body = quantify(convert(written.type, module, program, rigid), numbers)  # type: ignore[arg-type]
    return Scheme(len(names), tuple(context), body)
