"""Reexecute one activation again, recording all of it, while its calls are answered from the recording of the run.

The routine begins with the values that it had. Whatever recorded code it calls, in whatever way, gives what it gave,
and leaves objects as it left them; code that was not recorded is run. What is not the same as before ends this.
"""

import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from .execution import RAISE, RETURN, Completion, guarded
from .guard import Guard
from .instrumented import Instrumented, recorder_module
from .modules import CannotAnswer
from .objects.matching import Diverged, Matching
from .objects.rebuild import Names, Rebuilder, Standin
from .objects.refill import refill
from .protocol import JsonObject, NamedIndex, RecordedModule, Reply, Request, Row, Variables
from .versions.routine_syntax import DEFS

image, Writer = recorder_module("observe.images").image, recorder_module("tape.writer").Writer
Recorder: Any = recorder_module("tape.tape").Recorder


def _identity(o: object) -> int:
    """What the recorder itself asks: the guard refuses `id`, which gives something else every time."""
    return id(o)


class AnsweringRecorder(Recorder):  # type: ignore[misc]
    """A recorder that has answers."""

    __slots__ = ("answer", "next", "rebound", "yields")

    def __init__(self) -> None:
        super().__init__()
        self.id = _identity  # type: ignore[misc]
        self.next: Callable[[str, int, Any, dict[str, Any]], bool] | None = None
        """Finds the answer; None while nothing is executed again."""
        self.answer: Any = None
        self.yields = False
        self.rebound: dict[str, Any] = {}

    def answers(self, module: str, node: int, token: object = None) -> bool:
        """Whether there is an answer for a routine that has begun, which is then here."""
        return self.next is not None and self.next(module, node, token, sys._getframe(1).f_locals)

    def refuses(self, why: str) -> None:
        """Something began that cannot be answered."""
        if self.next is not None:
            raise CannotAnswer(why)


class Reexecutor:
    """Answers requests to execute something again."""

    def __init__(self, workspace: str, modules: list[RecordedModule], main: str) -> None:
        self.recorder = AnsweringRecorder()
        self.world = Instrumented(workspace, modules, main, self.recorder)
        self.recorder.is_mine = self.world.is_mine
        self.names = Names(self.world, main)
        self.names.closure = self._closure

    def load(self, _request: Request) -> None:
        """Load all modules: what a value is of may be anywhere."""
        for name in list(self.world.sources):
            self.world.module(name)

    def answer(self, request: Request) -> Reply:
        """Execute an activation again and write what was recorded to a file."""
        self.load(request)
        execution = Execution(self, request)
        execution.prepare()
        recorder = self.recorder
        recorder.tape.cut(0)
        recorder.known.clear()
        recorder.pending.clear()
        completion = execution.run()
        writer = Writer(request["out"], {**request["meta"], "level": "full"}, self.world.is_mine)
        for facts in self.world.maps:
            writer.module(facts)
        writer.spill(next(iter(recorder.tapes)), recorder.tape)
        writer.close({"how": "finished", "exit_code": 0})
        return {"how": completion.how}

    def function(self, module: str, node: int, given: Variables) -> types.FunctionType:
        """The function of a routine, with these values of its free variables."""
        found = self.world.routine(module, node)
        if found is None:
            raise CannotAnswer("its code cannot be found")
        code, facts = found
        cells = []
        for name in code.co_freevars:
            if name == "__class__":
                cells.append(types.CellType(self.names.named(module, facts["qualname"].rpartition(".")[0])))
            else:
                cells.append(types.CellType(given[name]) if name in given else types.CellType())
        space = self.world.module(module).__dict__
        made = types.FunctionType(code, space, facts["name"], None, tuple(cells))
        made.__qualname__ = facts["qualname"]
        return made

    def _closure(self, row: Row, cells: Variables) -> types.FunctionType:
        """See `Names`: a function that was made inside of another."""
        module = self.names.main if row["module"] == "__main__" else row["module"]
        facts = next((one for one in self.world.maps if one["module"] == module), None)
        places = [] if facts is None else [r["node"] for r in facts["routines"] if r["node"] >= 0]
        for node in places:
            if facts is not None and facts["nodes"][node][1:5] == row["place"]:
                return self.function(module, node, cells)
        raise CannotAnswer(f"{row['name']} cannot be made again")


class Execution:
    """One activation, executed again."""

    def __init__(self, again: Reexecutor, request: Request) -> None:
        self.again, self.request, self.recorder = again, request, again.recorder
        self.made = Rebuilder(request["rows"], again.names)
        self.matching = Matching(self.made)
        self.steps = iter(request["calls"])
        self.begun = False
        self.guard = Guard()
        self.tokens: dict[Any, int] = {}
        """The generators that steps are answered of, by their tokens here and in the recording."""

    def prepare(self) -> None:
        """Make the world as it was."""
        request = self.request
        self._set_globals(request["globals"])
        for module, name, attribute, index in request["bodies"]:
            self.matching.adopt(index, _made_by(self.again.names, module, name, attribute))
        self._set_in_classes(request["classes"])
        free = self._named(request["free"])
        self.given = self._named(request["arguments"])
        self.function = self.again.function(request["module"], request["node"], free)

    def _named(self, pairs: list[NamedIndex]) -> Variables:
        values = self.made.all([index for _, index in pairs])
        return dict(zip([name for name, _ in pairs], values, strict=True))

    def _set_globals(self, changes: list[tuple[str, str, int]]) -> None:
        for module, name, index in changes:
            space = self.again.world.module(module).__dict__
            self.matching.adopt(index, space.get(name))
            space[name] = self.made.all([index])[0]

    def _set_in_classes(self, changes: list[tuple[str, str, str, int]]) -> None:
        for module, name, attribute, index in changes:
            cls = self.again.names.named(module, name)
            if isinstance(cls, type):
                type.__setattr__(cls, attribute, self.made.all([index])[0])

    def run(self) -> Completion:
        """Call the function; raises `CannotAnswer` where it does something else than it did."""
        self.recorder.next = self._next
        try:
            with self.guard:
                completion = guarded(lambda: Completion(RETURN, _called(self.function, self.given)))
        finally:
            self.recorder.next = None
        if self.guard.problem is not None:
            raise self.guard.problem
        if completion.how == RAISE and isinstance(completion.value, CannotAnswer):
            raise completion.value
        if next(self.steps, None) is not None:
            raise Diverged("it makes fewer calls than it made")
        self._check(completion, self.request["ending"])
        return completion

    def _check(self, completion: Completion, ending: JsonObject) -> None:
        """Compare how it ended, and what it left behind."""
        if (completion.how == RAISE) != (ending["raised"] is not None):
            raise Diverged("it does not end as it ended")
        outcome = ending["result"] if ending["raised"] is None else ending["raised"]
        if outcome is not None:
            self.matching.match(outcome, completion.value, "what it gives")
        self._relate(ending["links"])

    def _relate(self, links: list[int]) -> None:
        for index in links:
            number = self.made.rows[index]["id"]
            if number in self.made.objects:
                self.matching.relate(index, self.made.objects[number])

    def _next(self, module: str, node: int, token: object, variables: Variables) -> bool:
        """See `AnsweringRecorder`. What goes wrong is kept: the user's code may catch anything."""
        with self.guard.paused():
            try:
                return self._answered(module, node, token, variables)
            except CannotAnswer as problem:
                self.guard.problem = self.guard.problem or problem
                raise

    def _answered(self, module: str, node: int, token: object, variables: Variables) -> bool:
        if not self.begun:
            self.begun = True
            for name, index in self.request["arguments"]:
                row = self.made.rows[index]
                if "id" in row and variables[name] is not self.given[name]:  # the dictionary of `**keywords`
                    self.matching.pair(row["id"], variables[name])
            return False
        if self.guard.problem is not None:
            raise self.guard.problem
        step = next(self.steps, None)
        if step is None or [module, node] != step["routine"]:
            raise Diverged("it calls something else than it called")
        if token is not None and self.tokens.setdefault(token, step["token"]) != step["token"]:
            raise Diverged("it asks another generator than it asked")
        # Comparing and hashing may run code of the user, which must neither be answered nor recorded.
        asked, self.recorder.next = self.recorder.next, None
        try:
            self._compare(step, variables)
            if not step["enter"]:
                self._answer(step)
        finally:
            self.recorder.next = asked
        return not step["enter"]

    def _is_here(self, row: Row) -> bool:
        """Whether an object can be met here: what only others hold is not."""
        return row["id"] in self.made.objects and type(self.made.objects[row["id"]]) is not Standin

    def _compare(self, step: JsonObject, variables: Variables) -> None:
        """Whether a call is given what it was given, and objects hold what they held."""
        length = len(self.recorder.tape)
        for name, index in (*step["given"], *step["free"]):
            if name in variables:
                self.matching.match(index, variables[name], f"what {step['name']} is given as {name}")
        self._relate(step["links"])
        self.recorder.tape.cut(length)

    def _answer(self, step: JsonObject) -> None:
        recorder, tape = self.recorder, self.recorder.tape
        changes = [self.made.rows[index] for index in step["changes"]]
        changes = [row for row in changes if self._is_here(row)]
        for row in changes:
            recorder._show(self.made.objects[row["id"]])
        length = len(tape)
        changed = [refill(self.made, row) for row in changes]
        self._set_globals(step["globals"])
        self._set_in_classes(step["classes"])
        recorder.rebound = self._named(step["rebound"])
        cells = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        for name, value in self._named(step["cells"]).items():
            cells[name].cell_contents = value
        raised, result = step["raised"], step["result"]
        recorder.yields = step["yields"]
        recorder.answer = None if result is None else self.made.all([result])[0]
        error = None if raised is None else self.made.all([raised])[0]
        tape.cut(length)
        for one in changed:
            image(tape, one)
        if error is not None:
            raise error if isinstance(error, BaseException) else CannotAnswer("what was raised cannot be made again")


def _called(function: types.FunctionType, given: dict[str, Any]) -> object:
    """Call a function with a value for every parameter."""
    code = function.__code__
    names, count, only_named = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
    positional = [given[name] for name in names[:count]]
    named = {name: given[name] for name in names[count : count + only_named]}
    more = list(names[count + only_named :])
    if code.co_flags & _HAS_MORE_POSITIONAL:
        positional += given[more.pop(0)]
    if code.co_flags & _HAS_MORE_NAMED:
        named.update(given[more.pop(0)])
    return function(*positional, **named)


_HAS_MORE_POSITIONAL, _HAS_MORE_NAMED = 4, 8
"""Flags of code: it has a parameter for all other arguments, or for all other keyword arguments."""


def _made_by(names: Names, module: str, name: str, attribute: str) -> object:
    """What the body of a class has bound to a name, or a default of a function's parameter, given by its place."""
    try:
        found = names.named(module, name)
    except CannotAnswer:
        return None
    if isinstance(found, type):
        return vars(found).get(attribute)
    found = inspect.unwrap(getattr(found, "__func__", found))
    source = names.world.sources.get(names.main if module == "__main__" else module)
    if source is None or not isinstance(found, types.FunctionType):
        return None
    for one in source.recorded_routines:
        if one.name == name and isinstance(one.node, DEFS):
            places = [f"{default.lineno}:{default.col_offset}" for default in one.node.args.defaults]
            if attribute in places and found.__defaults__ is not None:
                return found.__defaults__[places.index(attribute)]
    return None
