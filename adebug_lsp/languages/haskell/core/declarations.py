"""Lowers the top level of a module: types, classes, instances, deriving, and the bindings of its values."""

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.deriving import derived_instances
from adebug_lsp.languages.haskell.core.entities import (
    ClassInfo,
    InstanceInfo,
    ModuleInfo,
    Program,
    export_names,
    import_names,
    resolve,
)
from adebug_lsp.languages.haskell.core.lower import Lowering, variables
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError


def lower_module(module: ModuleInfo, program: Program) -> None:
    """Resolve and lower a module whose imports are lowered already; raises `HaskellSyntaxError`."""
    import_names(module, program)
    own = _Names(module, program)
    own.collect()
    export_names(module, program, own.values, own.types)
    lowering = Lowering(module, program)
    for declaration in module.tree.declarations:
        if isinstance(declaration, t.Class):
            _lower_class(declaration, module, program, lowering)
    instances = [d for d in module.tree.declarations if isinstance(d, t.Instance)]
    derived: list[t.Instance] = []
    for declaration in module.tree.declarations:
        if isinstance(declaration, t.Data) and declaration.deriving:
            derived += derived_instances(declaration, module, program)
    registered = [(instance, _register_instance(instance, module, program)) for instance in [*instances, *derived]]
    _lower_values(module, program, lowering, own.values)
    for instance, info in registered:
        _lower_instance(instance, info, module, program, lowering)
    for _, info in registered[len(instances) :]:
        for name in info.methods.values():
            program.binds[name].generated = True


class _Names:
    """The names that a module defines."""

    def __init__(self, module: ModuleInfo, program: Program) -> None:
        self.module, self.program = module, program
        self.values: dict[str, str] = {}
        self.types: dict[str, str] = {}

    def collect(self) -> None:
        """Define all names of the module, and take over its fixities."""
        for declaration in self.module.tree.declarations:
            match declaration:
                case t.Data() | t.Synonym():
                    self._define_type(declaration.name, declaration)
                case t.Class(name=name, declarations=inner):
                    self._define_type(name, None)
                    for signature in inner:
                        if isinstance(signature, t.Signature):
                            for method, span in signature.names:
                                self._define_value(method, span)
        self._equations()
        for declaration in self.module.tree.declarations:
            if isinstance(declaration, t.Data):
                self._constructors(declaration)
        for declaration in self.module.tree.declarations:
            if isinstance(declaration, t.Fixity):
                for operator in declaration.operators:
                    entity = resolve(self.module.values, operator, declaration.span, "operator")
                    self.program.fixities[entity] = (declaration.associativity, declaration.precedence)
        for info in self.program.constructors.values():
            info.precedence = self.program.fixities.get(info.name, ("infixl", 9))[1]

    def _equations(self) -> None:
        """Define the values that equations and patterns bind at the top level."""
        lowering = Lowering(self.module, self.program)
        for declaration in self.module.tree.declarations:
            if isinstance(declaration, t.Equation):
                name, _ = lowering._defined(declaration.left, {})
                if name is not None:
                    if name not in self.values:
                        self._define_value(name, declaration.span)
                else:
                    for variable in _written_variables(declaration.left):
                        self._define_value(variable.name, variable.span)
            elif isinstance(declaration, t.Signature) and self.module.trusted:
                for name, span in declaration.names:
                    if name.startswith("prim"):
                        self._define_value(name, span)

    def _define_value(self, name: str, span: t.Span) -> None:
        entity = f"{self.module.name}.{name}"
        if self.values.get(name):
            raise HaskellSyntaxError(f"{name} is defined twice", *span)
        self.values[name] = entity
        # As in GHC, a use of a name that is also imported is ambiguous.
        self.module.values[name] = {entity, *self.module.values.get(name, set())}
        self.module.values[f"{self.module.name}.{name}"] = {entity}

    def _define_type(self, name: str, declaration: t.Data | t.Synonym | None) -> None:
        """Define a type or class; raises `HaskellSyntaxError` if the name is taken."""
        entity = f"{self.module.name}.{name}"
        if name in self.types and declaration is not None:
            raise HaskellSyntaxError(f"the type {name} is defined twice", *declaration.span)
        self.types[name] = entity
        self.module.types[name] = {entity}
        self.module.types[f"{self.module.name}.{name}"] = {entity}
        self.program.types[entity] = declaration
        self.program.type_modules[entity] = self.module

    def _constructors(self, declaration: t.Data) -> None:
        """Define the constructors and field labels of a data type."""
        type_name = self.types[declaration.name]
        siblings: list[c.ConstructorInfo] = []
        for tag, constructor in enumerate(declaration.constructors):
            self._define_value(constructor.name, constructor.span)
            strict = constructor.strict or [False] * len(constructor.fields)
            entity = f"{self.module.name}.{constructor.name}"
            info = c.ConstructorInfo(
                entity,
                type_name,
                tag,
                len(constructor.fields),
                constructor.labels,
                strict,
                declaration.is_newtype,
                siblings,
            )
            siblings.append(info)
            self.program.constructors[entity] = info
        labels = list(dict.fromkeys(label for constructor in declaration.constructors for label in constructor.labels))
        for label in labels:
            self._define_value(label, declaration.span)
            self.program.labels[f"{self.module.name}.{label}"] = [i for i in siblings if label in i.labels]
        self.program.parts[type_name] = [f"{self.module.name}.{n}" for n in [*(i.short for i in siblings), *labels]]


def _written_variables(pattern: t.Expression) -> list[t.Var]:
    """The variables of a pattern as it is written, before operators are bound."""
    match pattern:
        case t.Var():
            return [pattern]
        case t.AsPattern(name=name, name_span=span, pattern=inner):
            return [t.Var(span, name), *_written_variables(inner)]
        case t.Apply(arguments=items) | t.Tuple(items=items) | t.List(items=items):
            return [v for item in items for v in _written_variables(item)]
        case t.Infix(items=items):
            return [v for item in items[::2] for v in _written_variables(item)]
        case t.Parenthesised(inner=inner) | t.LazyPattern(pattern=inner) | t.BangPattern(pattern=inner):
            return _written_variables(inner)
    return []


def _lower_values(module: ModuleInfo, program: Program, lowering: Lowering, names: dict[str, str]) -> None:
    """Lower the bindings of a module's values."""
    declarations = module.tree.declarations
    lowering.top = True
    heads = lowering.heads(declarations, {}, {}, is_top=True)
    lowering.top = False
    signed = {n for d in declarations if isinstance(d, t.Signature) for n, _ in d.names}
    primitive = {n for n in signed if n.startswith("prim") and module.trusted and n not in {h[1] for h in heads}}
    checked = [d for d in declarations if not (isinstance(d, t.Signature) and d.names[0][0] in primitive)]
    defined = {h[1] for h in heads} | {c.short(v.name) for h in heads if h[3] is not None for v in variables(h[3])}
    module.groups = lowering.bindings(heads, checked, {}, {n: q for n, q in names.items() if n in defined})
    for declaration in declarations:
        if isinstance(declaration, t.Signature) and declaration.names[0][0] in primitive:
            for name, _ in declaration.names:
                program.schemes[names[name]] = (module, declaration.type)
    for label, infos in program.labels.items():
        if infos and program.type_modules[infos[0].type_name] is module:
            module.groups.insert(0, [_selector(label, infos)])
    for group in module.groups:
        for bind in group:
            program.binds[bind.name] = bind
            program.owners[bind.name] = module


def _selector(label: str, infos: list[c.ConstructorInfo]) -> c.Bind:
    """The selector function of a field label."""
    span = (0, 0)
    clauses = []
    for info in infos:
        name = "field~0"
        parts: list[c.Pattern] = [c.PVar(span, name) if own == c.short(label) else c.PWild(span) for own in info.labels]
        clauses.append(c.Clause(span, [c.PCon(span, info, parts)], [c.Branch(span, [], c.Var(span, name))], []))
    return c.Bind(span, label, c.Lam(span, 1, clauses, generated=True), generated=True)


def _lower_class(declaration: t.Class, module: ModuleInfo, program: Program, lowering: Lowering) -> None:
    """Lower a class declaration with its default methods."""
    entity = f"{module.name}.{declaration.name}"
    supers = [resolve(module.types, name, span, "class") for name, _, span in declaration.context]
    signatures = [d for d in declaration.declarations if isinstance(d, t.Signature)]
    methods = {f"{module.name}.{name}": d.type for d in signatures for name, _ in d.names}
    info = ClassInfo(entity, declaration.variable, supers, list(methods), dict(methods), span=declaration.span)
    program.classes[entity] = info
    program.parts[entity] = list(methods)
    program.methods |= dict.fromkeys(methods, entity)
    names = {c.short(method): f"{method}~default" for method in methods}
    equations = [d for d in declaration.declarations if isinstance(d, t.Equation)]
    for d in declaration.declarations:
        if isinstance(d, t.Fixity):
            for operator in d.operators:
                program.fixities[f"{module.name}.{operator}"] = (d.associativity, d.precedence)
    for group in _methods(equations, names, lowering, declaration.name):
        for bind in group:
            info.defaults[bind.name.removesuffix("~default")] = bind
            program.owners[bind.name] = module


def _methods(equations: list[t.Equation], names: dict[str, str], lowering: Lowering, where: str) -> list[list[c.Bind]]:
    """The bindings of the methods that a class or instance defines."""
    heads = lowering.heads(equations, {}, {}, is_top=True)
    for equation, name, _, _ in heads:
        if name is None or name not in names:
            raise HaskellSyntaxError(f"{name or 'this'} is not a method of {where}", *equation.left.span)
    return lowering.bindings(heads, [], {}, names)


def _register_instance(instance: t.Instance, module: ModuleInfo, program: Program) -> InstanceInfo:
    """Add an instance to the program, before any method is lowered."""
    entity = resolve(module.types, instance.name, instance.span, "class")
    if entity not in program.classes:
        raise HaskellSyntaxError(f"{instance.name} is not a class", *instance.span)
    head, parameters = instance.type, list[str]()
    while isinstance(head, t.TypeApplication):
        if not isinstance(head.argument, t.TypeVariable):
            raise HaskellSyntaxError(
                "an instance head is a type constructor with type variables (no FlexibleInstances); use a newtype",
                *instance.span,
            )
        parameters.insert(0, head.argument.name)
        head = head.function
    if not isinstance(head, t.TypeName):
        raise HaskellSyntaxError("an instance is for a type constructor", *instance.span)
    type_name = resolve(module.types, head.name, head.span, "type")
    if isinstance(program.types.get(type_name), t.Synonym):
        raise HaskellSyntaxError(
            "an instance for a type synonym (no TypeSynonymInstances); use a newtype", *instance.span
        )
    context = []
    for name, kind, span in instance.context:
        if not isinstance(kind, t.TypeVariable) or kind.name not in parameters:
            raise HaskellSyntaxError("the context of an instance is about its type variables", *span)
        context.append((resolve(module.types, name, span, "class"), parameters.index(kind.name)))
    key = (entity, type_name)
    if key in program.instances:
        raise HaskellSyntaxError(f"there are two instances of {instance.name} for this type", *instance.span)
    name = f"{module.name}.{c.short(entity)}~{c.short(type_name)}"
    info = InstanceInfo(entity, type_name, len(parameters), context, module.name, name, span=instance.span)
    info.number = len(program.instances)
    program.instances[key] = info
    module.instances.append(info)
    return info


def _lower_instance(
    instance: t.Instance, info: InstanceInfo, module: ModuleInfo, program: Program, lowering: Lowering
) -> None:
    """Lower the methods of a registered instance."""
    class_info = program.classes[info.class_name]
    suffix = f"~{c.short(info.type_name)}"
    names = {c.short(method): f"{module.name}.{c.short(method)}{suffix}" for method in class_info.methods}
    equations = [d for d in instance.declarations if isinstance(d, t.Equation)]
    by_name = {f"{module.name}.{c.short(m)}{suffix}": m for m in class_info.methods}
    for group in _methods(equations, names, lowering, instance.name):
        for bind in group:
            info.methods[by_name[bind.name]] = bind.name
            program.binds[bind.name] = bind
            program.owners[bind.name] = module
