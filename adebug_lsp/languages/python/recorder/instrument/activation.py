"""The records at the start and end of an activation, whether it returns or raises.

`Rewriter` and `ScopeRewriter` wrap them around a rewritten body; `Statements` uses them for `return`, `Blocks` for
exceptions that leave a `with`.
"""

import ast
import sys
from typing import Any

from ..analysis.names import Function
from .emit import put_raised
from .scope import Scope
from .syntax_builder import again, assign, call, constant, name, recorder, stored

IMPORTS_MAY_BE_LAZY = sys.version_info >= (3, 15)
"""PEP 810: imports in a `try` are not lazy, and `lazy import` is an error there, so modules are not wrapped in one."""


def begin_activation(
    scope: Scope, node: Function, argument_names: list[str], location: dict[str, Any]
) -> list[ast.stmt]:
    """The statements before a function's code, which bind the recorder's variables and record the arguments."""
    made = _leaves(scope, True, location)
    made += [ast.Nonlocal(sorted(scope.early), **location)] if scope.early else []
    slots: list[tuple[int, ast.expr]] = [(-1, name(parameter, location)) for parameter in argument_names]
    stores = [(parameter, index) for index, parameter in enumerate(argument_names)]
    facts = {"free": [[variable, len(slots) + index] for index, variable in enumerate(scope.free)]}
    for index, variable in enumerate(scope.free):
        made.append(_looked_at(variable, index, location))
        slots.append((-1, name(f"@f{index}", location)))
    if scope.generator:
        made.append(
            assign(
                name("@g", location, ast.Store()),
                ast.Call(recorder("numbers", location), [], [], **location),
                location,
            )
        )
        slots.append((-1, name("@g", location)))
        if scope.kind in ("coroutine", "async_generator"):
            slots.append((-1, ast.Call(recorder("nested", location), [], [], **location)))
    marker = scope.map.marker(
        "enter",
        scope.map.node(node),
        scope.routine,
        slots=[-1] * len(slots),
        stores=stores,
        **(facts if scope.free else {}),
    )
    entered = scope.statements(marker, slots, location)
    return [*scope.look_up(location), *scope.prepare(location), *made, *entered]


def end_activation(scope: Scope, node: Function, body: list[ast.stmt], location: dict[str, Any]) -> None:
    """Append the record of an end without `return`."""
    if body and isinstance(body[-1], (ast.Return, ast.Raise)):
        return
    slots = [(-1, value) for value in generator_slots(scope, location)]
    marker = scope.map.marker(
        "return", scope.map.node(node), scope.routine, slots=[-1] * len(slots), **lingering(scope)
    )
    body.extend(scope.statements(marker, slots, location))


def guarded_activation(scope: Scope, body: list[ast.stmt], location: dict[str, Any]) -> ast.stmt:
    """Record an exception that leaves a routine; re-raising it does not change its traceback.

    The handler avoids function calls, which would raise again at the recursion limit.
    """
    more = generator_slots(scope, location)
    marker = scope.map.marker("raised", -1, scope.routine, slots=[-1] * (2 + len(more)))
    if scope.kind == "module" and IMPORTS_MAY_BE_LAZY:
        return guarded(body, marker, location, ends=True)
    caught, exception = caught_exception(scope, location)
    trace = ast.Attribute(exception, "__traceback__", ast.Load(), **location)
    record = put_raised(marker, [again(exception), trace, *more], location)
    final: list[ast.stmt] = []
    if scope.lingers:
        left = scope.map.marker("left", -1, scope.routine, slots=[-1] * len(more))
        final = [
            ast.If(
                name("@q", location),
                scope.statements(left, [(-1, value) for value in more], location),
                [],
                **location,
            )
        ]
    # As a name, `BaseException` would be looked up in the program's namespaces; the recorder is a constant.
    # A frame that holds the exception in a temporary would be part of a cycle with its traceback.
    cleared = scope.clear_temporaries(body, location) if scope.function else []
    leaves = _leaves(scope, False, location)
    reraise = [scope.failed(location), *record, *leaves, *cleared, ast.Raise(None, None, **location)]
    handler = ast.ExceptHandler(recorder("every", location), caught, reraise, **location)
    return ast.Try(body, [handler], [], final, **location)


def guarded(body: list[ast.stmt], marker: int, location: dict[str, Any], *, ends: bool) -> ast.stmt:
    """Wrap statements of a module in a `with` that records an exception leaving them, and the end if `ends` is set."""
    arguments: list[ast.expr] = [constant(marker, location), ast.Constant(ends, **location)]
    return ast.With([ast.withitem(call(recorder("leaving", location), arguments, location))], body, **location)


def caught_exception(scope: Scope, location: dict[str, Any]) -> tuple[str | None, ast.expr]:
    """The exception's name in a handler that the recorder adds, or None, and an expression for the exception."""
    if scope.hidden:
        return "@e", name("@e", location)
    return None, ast.Call(recorder("exception", location), [], [], **location)


def generator_slots(scope: Scope, location: dict[str, Any]) -> list[ast.expr]:
    """The activation's number, which records of generators and coroutines contain; empty for other functions."""
    return [name("@g", location)] if scope.generator else []


def lingering(scope: Scope) -> dict[str, int]:
    """The enclosing `with` or `finally` that runs after a `return`, as a fact of its marker."""
    return {"lingers": scope.around[-1] if scope.around else -1} if scope.lingers else {}


def _leaves(scope: Scope, normally: bool, location: dict[str, Any]) -> list[ast.stmt]:
    """Store whether a lingering activation still has to record its end."""
    if not scope.lingers:
        return []
    return [assign(name("@q", location, ast.Store()), ast.Constant(normally, **location), location)]


def _looked_at(variable: str, index: int, location: dict[str, Any]) -> ast.stmt:
    """Copy a variable of an enclosing function into the record; it may be unbound."""
    held = name(f"@f{index}", location, ast.Store())
    nothing: list[ast.stmt] = [assign(stored(held), ast.Constant(..., **location), location)]
    handler = ast.ExceptHandler(recorder("unbound", location), None, nothing, **location)
    return ast.Try([assign(held, name(variable, location), location)], [handler], [], [], **location)
