"""Serves requests: runs code from rebuilt values and compares the completion with the recording.

Raises `CannotAnswer` if a request is undecidable. The client interprets the replies.
"""

import ast
import gc
import inspect
import types
from collections.abc import Generator, Sequence
from typing import Any, cast

from .execution import (
    DELEGATE,
    END,
    RAISE,
    RETURN,
    VALUE,
    CodePiece,
    Completion,
    DelegationRewriter,
    Surroundings,
    Variable,
    call,
    defaults_for,
    delegate,
    guarded,
    last_step,
    live_function,
)
from .modules import CannotAnswer, Source, UserModules
from .objects.comparison import Comparison, Verdict
from .objects.rebuild import NameLookup, Rebuilder, Standin, row_of
from .objects.value_text import canonical, text
from .protocol import NamedIndex, Reply, Request, Row, Variables
from .versions.alignment import added, align
from .versions.routine_syntax import (
    DEFS,
    Routine,
    bound,
    copy,
    declared,
    head,
    names_bound_by,
    optional,
    own_nodes,
    parameters,
    place,
)
from .versions.unchanged_code import Changes

LivePart = tuple[object, int, tuple[str, ...]]
"""A live value, the index of the row that it is compared with, and its path."""
_COMPARED = ("routine", "step", "part")
_ITERATIONS = ("iteration", "range")
_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Raise)


class Judge:
    """Serves requests about one set of modules."""

    def __init__(self, user_modules: UserModules, main: str) -> None:
        self.user_modules = user_modules
        self.names = NameLookup(user_modules, main)
        self.names.closure = self._closure
        self._changes: Changes | None = None

    @property
    def has_compared(self) -> bool:
        """Whether both versions have been compared."""
        return self._changes is not None

    def compare(self) -> Changes:
        """Code that differs between the versions; computed once, since it takes a while."""
        if self._changes is None:
            self._changes = Changes(self.user_modules.sources.values())
        return self._changes

    def answer(self, request: Request) -> Reply:
        """Reply to one request."""
        if request.get("only_code"):
            return {"judged": self._is_in_unchanged(request)}
        work = {
            "routine": self._routine,
            "step": self._step,
            "part": self._part,
            "rule": self._rule,
            "module": self._module,
        }
        try:
            reply = work[request["do"]](request)
        except CannotAnswer:
            if request["do"] in _COMPARED and self._is_unchanged(request):
                return {"judged": True}
            raise
        if request["do"] in _COMPARED and "" in reply.get("unknown", ()) and self._is_unchanged(request):
            return {"judged": True}
        return reply

    def _is_unchanged(self, request: Request) -> bool:
        """Whether the reference has the same code, and that code can reach no changed code."""
        source = self.user_modules.source(request["module"])
        if self.user_modules.is_recorded:
            return False
        recorded = _find(source, request)
        own = _counterpart(source, recorded)
        node = _node(recorded.node, request) if request["do"] == "part" else recorded.node
        other = align(recorded.node, own.node).get(id(node), node if isinstance(node, ast.expr) else None)
        if other is None or ast.dump(node) != ast.dump(other):
            return False
        return not self.compare().reach(recorded, node, _input_rows(request))

    def _is_in_unchanged(self, request: Request) -> bool:
        """Whether the same holds for the whole routine: a part may differ because of a parameter's default."""
        source = self.user_modules.source(request["module"])
        recorded = _find(source, request)
        own = _counterpart(source, recorded)
        return ast.dump(recorded.node) == ast.dump(own.node) and self._is_unchanged(request)

    def load(self, request: Request) -> None:
        """Loads the module of a request."""
        if request["do"] != "rule" and request["module"] in self.user_modules.sources:
            self.user_modules.module(request["module"])

    # Calls

    def _routine(self, request: Request) -> Reply:
        """Judge a call: run the reference's routine with the recorded arguments, and compare results and changes."""
        own, function, made, values = self._called(request)
        if isinstance(own.node, DEFS) and _yields(own.node):
            raise CannotAnswer("it is a generator")
        arguments, unset, watched = values["arguments"], _unset(function), self._watched(request)
        held = _cells(function)
        completion = call(function, own.node, arguments)
        _check_unbound(completion)
        comparison = Comparison(made, self._same_head, _without_keywords(made, own, request))
        reply = _reply(comparison, completion, self._outcome(comparison, completion, request))
        spaces = {**function.__globals__, **_cells(function), **arguments}
        keywords = _keywords(own)
        after: list[LivePart] = [
            (spaces[name], index, (name,)) for name, index in request["after"] if name in spaces and name != keywords
        ]
        after += self._outside_after(request)
        reply["same"] = _and(reply["same"], self._compare_after(comparison, reply, after))
        watched.append((_cells(function), {name: held[name] for name in held.keys() - self._nonlocal(request)}))
        changed = sorted(_newly_set(function, unset)) + _rebound(watched)
        if changed and reply["same"] is not False:
            reply.update(same=False, of="after", path=changed[:1])
        return reply

    def _step(self, request: Request) -> Reply:
        """Runs the last of some steps of a generator."""
        own, function, made, values = self._called(request, delegates=True)
        if not _yields(own.node):
            raise CannotAnswer("the reference is not a generator")
        sent = made.all(request["items"])
        held: list[Any] = []

        def check_earlier_step(generator: object) -> None:
            held.append(generator)
            if self._waiting(Comparison(made, self._same_head), generator, request["earlier"]) is False:
                raise CannotAnswer("an earlier step of the generator already differs")

        completion = call(
            function,
            own.node,
            values["arguments"],
            lambda generator: last_step(cast("Generator[object, object, object]", generator), sent, check_earlier_step),
        )
        comparison = Comparison(made, self._same_head)
        reply = _reply(comparison, completion, self._outcome(comparison, completion, request))
        states = Comparison(made, self._same_head)
        if reply["same"] is not False and held and self._waiting(states, held[0], request["later"]) is False:
            reply.update(same=False, of="after", path=list(states.differing or ()))
        return reply

    @staticmethod
    def _waiting(comparison: Comparison, generator: Any, described: list[tuple[str, list[NamedIndex]]]) -> Verdict:
        """Whether a generator, and those that it delegates to, have the recorded variables."""
        alive = [generator, *_other_generators(generator)]
        pairs = []
        for routine, variables in described:
            live = next(
                (candidate for candidate in alive if candidate.__qualname__ == routine or candidate is generator), None
            )
            if live is None or live.gi_frame is None:
                return False
            alive.remove(live)
            now = dict(live.gi_frame.f_locals)
            pairs += [(now[name], index, (name,)) for name, index in variables if name in now]
        return comparison.all(pairs)

    def _called(
        self, request: Request, *, delegates: bool = False
    ) -> tuple[Routine, types.FunctionType, Rebuilder, dict[str, Variables]]:
        """Prepares a call: the routine, its function, and the rebuilt values, with globals as recorded."""
        source = self.user_modules.source(request["module"])
        own = _counterpart(source, _find(source, request))
        made, values = self._rebuilt(request, ("arguments", "before"))
        self._check_signature(own, values["arguments"])
        surroundings = Surroundings(self.user_modules, source, own, self._outside_before(request, made))
        outer = surroundings.outer_names()
        surroundings.set_globals({name: value for name, value in values["before"].items() if name not in outer})
        definition = own.node
        if delegates and any(isinstance(node, ast.YieldFrom) for node in own_nodes(own.node)):
            surroundings.globals[DELEGATE] = delegate
            definition = DelegationRewriter().generic_visit(copy(own.node))
        known = definition is own.node and "<" not in own.name
        function = live_function(self.user_modules, source, own) if known else None
        if function is None:
            function = surroundings.define(definition, values["before"])
            function.__qualname__ = own.name
        return own, function, made, values

    def _check_signature(self, own: Routine, arguments: Variables) -> None:
        names = parameters(own.node)
        if set(arguments) - set(names) or set(names) - set(arguments) - optional(own.node):
            raise CannotAnswer("the reference has different parameters")

    def _outcome(self, comparison: Comparison, completion: Completion, request: Request) -> tuple[str, Verdict]:
        """The compared part of the outcome, and the verdict."""
        raised, result = request.get("raised"), request.get("result")
        if raised is not None:
            return "raised", completion.how == RAISE and comparison.same(completion.value, raised)
        if result is None:  # it returned None, or never ended; then the recorded version does not end here either
            return "result", completion.how == RETURN and completion.value is None
        return "result", completion.how in (RETURN, VALUE) and comparison.same(completion.value, result)

    @staticmethod
    def _compare_after(comparison: Comparison, reply: Reply, pairs: list[LivePart]) -> Verdict:
        if reply["same"] is False:
            return False
        verdict = comparison.all(pairs)
        if verdict is False:
            reply.update(of="after", path=list(comparison.differing or ()))
        reply["unknown"] = comparison.unknown
        return verdict

    def _module(self, request: Request) -> Reply:
        """Compares the code of a module body outside of functions, and the resulting variables."""
        source = self.user_modules.source(request["module"])
        space = self.user_modules.module(request["module"]).__dict__
        data = {
            name: value
            for name, value in space.items()
            if not name.startswith("__") and not isinstance(value, (types.ModuleType, types.FunctionType, type))
        }
        same = not _lost(source.recorded, source.own)
        reply: Reply = {"of": "after", "path": [], "expected": None, "how": END, "unknown": []}
        return {**reply, "same": same, "returned": canonical(data)}

    # Parts of calls

    def _part(self, request: Request) -> Reply:
        """Judge a loop, statement or expression: run the reference's counterpart from the recorded variables."""
        source = self.user_modules.source(request["module"])
        recorded = _find(source, request)
        own = _counterpart(source, recorded)
        node = _node(recorded.node, request)
        other: Any = node if recorded is own else align(recorded.node, own.node).get(id(node))
        made, values = self._rebuilt(request, ("before",))
        self._give_defaults(source, own, made, values["before"])
        surroundings = Surroundings(self.user_modules, source, own, self._outside_before(request, made))
        if other is None and isinstance(node, ast.expr):
            other = node  # the reference has no counterpart: evaluate the same expression in it
        if other is None:
            return self._without_counterpart(request, node, own, made, values["before"])
        if _in_class(recorded.node, node) or isinstance(node, (*DEFS, ast.ClassDef, ast.Import, ast.ImportFrom)):
            # Creating the class changes the values of its body, so the source is compared instead.
            return {"judged": head(node) == head(other)}
        if _binds_elsewhere(recorded, own, node):
            return {"judged": False}
        before, behind = added(recorded.node, own.node).get(id(node), ([], []))
        yielded = _yielding(other)
        if request["yielded"] and not (before or behind) and yielded is not None and _yielding(node) is not None:
            completion = CodePiece(surroundings, [yielded]).run(dict(values["before"]), None, 1)
            comparison = Comparison(made, self._same_head)
            return _reply(comparison, completion, self._outcome(comparison, completion, request))
        if request["tested"]:
            other = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), other))
        others = [other] if request["what"] in _ITERATIONS else [*before, other, *behind]
        piece, items = self._piece(request, surroundings, node, others, made)
        completion = piece.run(dict(values["before"]), items, request["iterations"])
        _check_unbound(completion)
        comparison = Comparison(made, self._same_head)
        if isinstance(node, ast.expr):
            return _reply(comparison, completion, self._outcome(comparison, completion, request))
        reply = self._compare_part(request, comparison, completion, (recorded, own))
        if len(others) > 1:
            reply["more"] = ast.unparse((before or behind)[0]).partition("\n")[0]
        return reply

    def _give_defaults(self, source: Source, own: Routine, made: Rebuilder, before: Variables) -> None:
        """Replaces parameters that cannot be rebuilt by their defaults, as a call does."""
        has_name = isinstance(own.node, DEFS) and "<" not in own.name
        function = live_function(self.user_modules, source, own) if has_name else None
        for name, value in () if function is None else defaults_for(function, own.node, before).items():
            number = row_of(cast("Standin", before[name])).get("id")
            before[name] = value
            if number is not None:
                made.objects[number] = value

    def _piece(
        self, request: Request, surroundings: Surroundings, node: ast.AST, others: list[ast.AST], made: Rebuilder
    ) -> tuple[CodePiece, list[object] | None]:
        """The code that the reference runs for a node: its counterpart, with the statements that the node lacks."""
        in_class = _in_class(surroundings.routine.node, others[0])
        if request["what"] not in _ITERATIONS:
            inner = [statement for other in others for statement in _statements(other)]
            return CodePiece(surroundings, inner, in_class=in_class), None
        other = others[0]
        if type(other) is not type(node) or not isinstance(other, (ast.For, ast.AsyncFor, ast.While)):
            raise CannotAnswer("the reference has no such loop")
        items = (
            _grouped(node.target, made.all(request["items"]), request["iterations"])
            if hasattr(node, "target")
            else None
        )
        piece = CodePiece(surroundings, list(other.body), other, in_class)
        piece.trailing_test = request["trailing_test"]
        return piece, items

    def _compare_part(
        self, request: Request, comparison: Comparison, completion: Completion, versions: tuple[Routine, Routine]
    ) -> Reply:
        """Compares the variables that both versions have."""
        if request.get("raised") is not None:
            return _reply(comparison, completion, self._outcome(comparison, completion, request))
        if completion.how == RAISE:
            return _reply(comparison, completion, ("raised", False))
        recorded, own = versions
        after = dict(request["after"])
        shared = (_variables(recorded) & _variables(own)) - declared(recorded.node, ast.Global)
        if isinstance(recorded.node, ast.Module):
            shared = {name for name in shared if name in after}
        for name in sorted(shared):
            if (name in after) != (name in completion.variables):
                return {**_reply(comparison, completion, ("after", False)), "path": [name]}
        pairs: list[LivePart] = [
            (completion.variables[name], index, (name,))
            for name, index in after.items()
            if name in completion.variables
        ]
        pairs += self._outside_after(request)
        of: tuple[str, Verdict] = ("after", True)
        if request.get("result") is not None:
            of = self._outcome(comparison, completion, request)
        reply = _reply(comparison, completion, of)
        reply["same"] = _and(reply["same"], self._compare_after(comparison, reply, pairs))
        return reply

    def _without_counterpart(
        self, request: Request, node: ast.AST, own: Routine, made: Rebuilder, before: Variables
    ) -> Reply:
        """Judges a statement that the reference lacks: wrong if it had an effect there."""
        inner = [node, *own_nodes(node)]
        if isinstance(node, _LEAVING) or request.get("raised") is not None:
            return {"judged": False}
        assigned = {
            name
            for part in inner
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            for name in [part.id]
        }
        if assigned & _variables(own):
            return {"judged": False}
        comparison = Comparison(made, self._same_head)
        pairs = [
            (before[name], index, (name,))
            for name, index in request["after"]
            if name in before and name not in assigned
        ]
        unchanged = comparison.all(pairs)
        if unchanged is None:
            raise CannotAnswer("the reference has no such statement")
        return {"judged": unchanged}

    # Rules

    def _rule(self, request: Request) -> Reply:
        """Evaluates a rule over the values of a call."""
        try:
            tree = ast.parse(request["rule"].strip(), mode="eval")
        except (SyntaxError, ValueError) as error:
            return {"bad": f"{getattr(error, 'msg', None) or error}"}
        code = compile(tree, "<rule>", "eval", dont_inherit=True)
        made, values = self._rebuilt(request, ("arguments", "before"))
        after = dict(zip([name for name, _ in request["after"]], self._later(request), strict=True))
        outcome = Rebuilder(made.rows, self.names)
        ends = {
            key: None if request.get(key) is None else outcome.all([request[key]])[0] for key in ("result", "raised")
        }
        space: dict[str, Any] = {}
        if request["module"] in self.user_modules.sources:
            space.update(self.user_modules.module(request["module"]).__dict__)
        space.update(values["before"])
        space.update({f"{name}_after": value for name, value in after.items()})
        space.update({"after": types.SimpleNamespace(**after), **values["arguments"], **ends})
        completion = guarded(lambda: Completion(VALUE, bool(eval(code, space))))  # noqa: S307
        if completion.how == RAISE:
            raise CannotAnswer(f"the rule raised {type(completion.value).__name__}: {completion.value}")
        return {"holds": completion.value}

    def _later(self, request: Request) -> list[object]:
        return Rebuilder(request["rows"], self.names).all([index for _, index in request["after"]])

    # Helpers

    def _outside_before(self, request: Request, made: Rebuilder) -> list[Variable]:
        """Global variables that the code may use, with their recorded values."""
        known = [variable for variable in request.get("globals", ()) if variable[2] is not None]
        values = made.all([index for _module, _name, index, _after in known])
        return [(self._space(variable[0]), variable[1], value) for variable, value in zip(known, values, strict=True)]

    def _outside_after(self, request: Request) -> list[LivePart]:
        """The same variables with their current values, to be compared."""
        parts: list[LivePart] = []
        for module, name, _before, after in request.get("globals", ()):
            if after is not None:
                parts.append((self._space(module).get(name), after, (name,)))
        return parts

    def _watched(self, request: Request) -> list[tuple[Variables, Variables]]:
        """Namespaces that the recorded code cannot have changed, each with the values now."""
        space, used = self._space(request["module"]), {variable[1] for variable in request.get("globals", ())}
        return [(space, {name: value for name, value in space.items() if name not in used and _is_data(name, value)})]

    def _nonlocal(self, request: Request) -> set[str]:
        """Variables of enclosing functions that some recorded function of the module may set."""
        recorded = self.user_modules.source(request["module"]).recorded_routines
        return {name for routine in recorded for name in declared(routine.node, ast.Nonlocal)}

    def _space(self, module: str) -> Variables:
        return self.names.module(module).__dict__

    def _closure(self, row: Row, cells: Variables) -> types.FunctionType:
        """A function made inside another, with these free variables."""
        source = self.user_modules.source(self.names.main if row["module"] == "__main__" else row["module"])
        own = _counterpart(source, _find(source, {"do": "routine", "routine": row["name"], "place": row["place"]}))
        made = Surroundings(self.user_modules, source, own).define(own.node, cells)
        made.__qualname__ = row["name"]
        return made

    def _rebuilt(self, request: Request, keys: tuple[str, ...]) -> tuple[Rebuilder, dict[str, Variables]]:
        """Rebuild recorded values; returns the variables for each key of the request."""
        made = Rebuilder(request["rows"], self.names)
        values = made.all([index for key in keys for _name, index in request[key]])
        variables: dict[str, dict[str, Any]] = {}
        for key in keys:
            count = len(request[key])
            variables[key] = dict(zip([name for name, _ in request[key]], values[:count], strict=True))
            values = values[count:]
        return made, variables

    def _same_head(self, module: str, name: str) -> bool:
        """Whether a nested function has the same head in both versions."""
        source = self.user_modules.sources.get(self.names.main if module == "__main__" else module)
        if source is None or source.same:
            return True
        heads = [
            [head(routine.node) for routine in routines if routine.name == name]
            for routines in (source.recorded_routines, source.own_routines)
        ]
        return heads[0] == heads[1]


def _other_generators(generator: object) -> list[object]:
    """The other suspended generators, in order of creation."""
    others = [
        candidate
        for candidate in gc.get_objects()
        if type(candidate) is types.GeneratorType and candidate is not generator
    ]
    return [other for other in others if inspect.getgeneratorstate(other) == inspect.GEN_SUSPENDED]


def _input_rows(request: Request) -> list[Row]:
    """Rows of all values that the code started with, not of those that it made."""
    rows, waiting = request["rows"], [index for key in ("arguments", "before") for _name, index in request[key]]
    waiting += [*request["items"], *(variable[2] for variable in request["globals"] if variable[2] is not None)]
    needed: dict[int, dict[str, Any]] = {}
    while waiting:
        index = waiting.pop()
        if index not in needed:
            needed[index] = row = rows[index]
            waiting += [*row.get("items", ()), *row.get("values", ())]
            waiting += [inner for key in ("attrs", "cells") for _name, inner in row.get(key, ())]
            waiting += [row[key] for key in ("extra", "value", "receiver") if key in row]
    return list(needed.values())


def _find(source: Source, request: Request) -> Routine:
    """The recorded routine of a request."""
    same = [routine for routine in source.recorded_routines if routine.name == request["routine"]]
    here = [routine for routine in same if list(place(routine.node) or ()) == request["place"]]
    if request["do"] == "part" and len(same) > 1:
        here = [
            routine
            for routine in same
            if any(list(place(node) or ()) == request["place"] for node in own_nodes(routine.node))
        ]
    candidates = here or same
    if not candidates:
        raise CannotAnswer(f"the recorded source has no {request['routine']}")
    return candidates[0]


def _counterpart(source: Source, recorded: Routine) -> Routine:
    own = recorded if source.same else source.counterpart(recorded)
    if own is None:
        raise CannotAnswer(f"the reference has no {recorded.name}")
    return own


def _node(routine: ast.AST, request: Request) -> ast.AST:
    """The recorded syntax node of a request."""
    for node in own_nodes(routine):
        if type(node).__name__ == request["kind"] and list(place(node) or ()) == request["place"]:
            return node
    if request["kind"] == "Lambda" and list(place(routine) or ()) == request["place"]:
        return routine
    raise CannotAnswer("the recorded source has no such code")


def _grouped(target: ast.expr, items: list[object], iterations: int) -> list[object] | None:
    """Values of a `for` loop's target in each iteration; None for one iteration, whose target is already bound."""
    if iterations == 1:
        return None
    names = sum(isinstance(node, ast.Name) for node in ast.walk(target))
    if isinstance(target, (ast.Tuple, ast.List)):
        if len(items) != iterations * names or any(not isinstance(item, ast.Name) for item in target.elts):
            raise CannotAnswer("the values of the loop's variables are unknown")
        return [tuple(items[start : start + names]) for start in range(0, len(items), names)]
    if len(items) != iterations:
        raise CannotAnswer("the values of the loop's variable are unknown")
    return items


def _yielding(statement: ast.AST) -> ast.expr | None:
    """Operand of a statement that does nothing but yield; None for other statements."""
    value = getattr(statement, "value", None)
    return (value.value or ast.Constant(None)) if isinstance(value, ast.Yield) else None


def _in_class(routine: ast.AST, node: ast.AST) -> bool:
    classes = [inner for inner in own_nodes(routine) if isinstance(inner, ast.ClassDef)]
    return any(inner is node for cls in classes for inner in own_nodes(cls))


def _statements(node: ast.AST) -> Sequence[ast.AST]:
    """The statements to run for a node; for a handler or a case, its body."""
    return node.body if isinstance(node, (ast.ExceptHandler, ast.match_case)) else [node]


def _binds_elsewhere(recorded: Routine, own: Routine, node: ast.AST) -> bool:
    """Whether a statement binds a variable in another scope than the reference does."""
    inner = [node, *own_nodes(node)] if isinstance(node, ast.stmt) else []
    names = {name for part in inner for name in names_bound_by(part)}
    moved = {name for name in names if _scope(recorded, name) != _scope(own, name)}
    if moved and any(isinstance(part, ast.stmt) for part in inner[1:]):
        raise CannotAnswer("a variable has another scope in the reference")
    return bool(moved)


def _scope(routine: Routine, name: str) -> str:
    """Scope in which a routine binds a variable."""
    if name in declared(routine.node, ast.Global):
        return "global"
    return "nonlocal" if name in declared(routine.node, ast.Nonlocal) else "local"


def _keywords(routine: Routine) -> str | None:
    """Name of the `**kwargs` parameter."""
    kwarg = routine.node.args.kwarg
    return kwarg and kwarg.arg  # type: ignore[no-any-return]


def _without_keywords(made: Rebuilder, routine: Routine, request: Request) -> dict[int, object]:
    """Rebuilt objects without the dictionary of `**kwargs`: a call makes a new one."""
    index = dict(request["arguments"]).get(_keywords(routine))
    number = None if index is None else made.rows[index].get("id")
    return {key: obj for key, obj in made.objects.items() if key != number}


def _variables(routine: Routine) -> set[str]:
    node = routine.node
    return bound(node) | declared(node, ast.Nonlocal) | declared(node, ast.Global)


def _yields(node: ast.AST) -> bool:
    return any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in own_nodes(node))


def _unset(function: types.FunctionType) -> set[str]:
    """Free variables of a function that are unbound."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name for name, cell in cells if cell == types.CellType()}


def _newly_set(function: types.FunctionType, unset: set[str]) -> set[str]:
    """Free variables bound by a run that the recorded version did not have."""
    return unset - _unset(function)


def _is_data(name: str, value: object) -> bool:
    return not name.startswith("_") and not isinstance(value, (types.ModuleType, types.FunctionType, type))


def _rebound(watched: list[tuple[Variables, Variables]]) -> list[str]:
    """Variables that are not the same objects any more."""
    return sorted(name for now, before in watched for name, value in before.items() if now.get(name) is not value)


def _cells(function: types.FunctionType) -> Variables:
    unset = _unset(function)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if name not in unset and name != "__class__"}


def _check_unbound(completion: Completion) -> None:
    """Raises `CannotAnswer` for an unbound free variable, whose value may be missing from the recording."""
    if completion.how == RAISE and type(completion.value) is NameError and "free variable" in str(completion.value):
        raise CannotAnswer(str(completion.value))


def _lost(recorded: ast.Module, own: ast.Module) -> bool:
    """Whether the recorded module body has statements that the reference lacks."""
    ours, theirs = ([head(statement) for statement in tree.body] for tree in (recorded, own))
    return any(head_text not in theirs for head_text in ours)


def _reply(comparison: Comparison, completion: Completion, outcome: tuple[str, Verdict]) -> Reply:
    """The reply with verdict, path of the first difference, and expected value."""
    of, same = outcome
    shown = f"raise {text(completion.value)}" if completion.how == RAISE else text(completion.value)
    return {
        "same": same,
        "of": of,
        "path": list(comparison.differing or ()),
        "expected": shown if completion.how in (RAISE, RETURN, VALUE) else None,
        "how": completion.how,
        "returned": canonical(completion.value) if completion.how == RETURN else "",
        "unknown": comparison.unknown,
    }


def _and(*verdicts: Verdict) -> Verdict:
    if False in verdicts:
        return False
    return None if None in verdicts else True
