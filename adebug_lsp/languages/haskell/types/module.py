"""Checks a lowered module: types of constructors and methods, then its bindings, instances and defaults."""

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ClassInfo, InstanceInfo, ModuleInfo, Program
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.languages.haskell.types.convert import convert, convert_scheme
from adebug_lsp.languages.haskell.types.infer import Inference
from adebug_lsp.languages.haskell.types.types import Scheme, TAp, TCon, TGen, Type, function, replace


def check_module(module: ModuleInfo, program: Program) -> None:
    """Infer all types of a module, which fills in its dictionaries; raises `HaskellSyntaxError`."""
    for declaration in module.tree.declarations:
        if isinstance(declaration, t.Data):
            _type_constructors(declaration, module, program)
    own = [info for info in program.classes.values() if program.type_modules.get(info.name) is module]
    for info in own:
        _type_methods(info, module, program)
    for name, scheme in program.schemes.items():
        if isinstance(scheme, tuple) and scheme[0] is module:
            program.schemes[name] = convert_scheme(scheme[1], module, program)
    inference = Inference(module, program)
    inference.groups(module.groups)
    for instance in module.instances:
        _check_instance(instance, program, inference)
    for info in own:
        for method, bind in info.defaults.items():
            inference.signed(bind, program.schemes[method])
    inference.finish()


def _type_constructors(data: t.Data, module: ModuleInfo, program: Program) -> None:
    """Give the constructors of a data type their types."""
    variables: dict[str, Type] = {name: TGen(i) for i, name in enumerate(data.parameters)}
    result: Type = TCon(f"{module.name}.{data.name}")
    for variable in variables.values():
        result = TAp(result, variable)
    for constructor in data.constructors:
        kind = result
        for field in reversed(constructor.fields):
            kind = function(convert(field, module, program, variables), kind)
        program.constructors[f"{module.name}.{constructor.name}"].scheme = Scheme(len(variables), (), kind)


def _type_methods(info: ClassInfo, module: ModuleInfo, program: Program) -> None:
    for method, written in info.signatures.items():
        scheme = convert_scheme(written, module, program, [info.variable])
        program.schemes[method] = Scheme(scheme.count, ((info.name, TGen(0)), *scheme.context), scheme.type)


def _check_instance(instance: InstanceInfo, program: Program, inference: Inference) -> None:
    """Check the methods of an instance against the class's types."""
    info = program.classes[instance.class_name]
    for above in info.supers:
        if (above, instance.type_name) not in program.instances:
            name = c.short(above)
            raise HaskellSyntaxError(
                f"the superclass {name} has no instance for {c.short(instance.type_name)}", *instance.span
            )
    for method in info.methods:
        bind = program.binds.get(instance.methods.get(method, ""))
        if bind is None:
            continue
        bind.signature = info.signatures[method]
        bind.scheme = _method_scheme(instance, program.schemes[method])
        program.schemes[bind.name] = bind.scheme
        inference.signed(bind, bind.scheme)


def _method_scheme(instance: InstanceInfo, method: Scheme) -> Scheme:
    """The type of a method at an instance: the parameters of the instance are quantified first."""
    parameters: list[Type] = [TGen(i) for i in range(instance.parameters)]
    kind: Type = TCon(instance.type_name)
    for parameter in parameters:
        kind = TAp(kind, parameter)
    others: list[Type] = [TGen(instance.parameters + i) for i in range(method.count - 1)]
    arguments = [kind, *others]
    context = [(cls, parameters[index]) for cls, index in instance.context]
    context += [(cls, replace(type_, arguments)) for cls, type_ in method.context[1:]]
    return Scheme(instance.parameters + len(others), tuple(context), replace(method.type, arguments))
