"""Executes one activation again with full recording, while its calls are answered from the recording of the run.

The routine starts with its recorded values. Recorded code that it calls, in whatever way, returns the recorded value
and leaves objects as it left them; unrecorded code is run. The first difference ends the execution.
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
from .objects.rebuild import NameLookup, Rebuilder, Standin
from .objects.refill import refill
from .protocol import JsonObject, NamedIndex, RecordedModule, Reply, Request, Row, Variables
from .versions.routine_syntax import DEFS

image, Writer = recorder_module("observe.images").image, recorder_module("tape.writer").Writer
Recorder: Any = recorder_module("tape.tape").Recorder


def _identity(o: object) -> int:
    """Replaces `id` for the recorder, since the guard refuses the builtin."""
    return id(o)


class AnsweringRecorder(Recorder):  # type: ignore[misc]
    """A recorder that answers calls."""

    __slots__ = ("answer", "next", "rebound", "yields")

    def __init__(self) -> None:
        super().__init__()
        self.id = _identity  # type: ignore[misc]
        self.next: Callable[[str, int, Any, dict[str, Any]], bool] | None = None
        """Looks up the answer; None while nothing is executed again."""
        self.answer: Any = None
        self.yields = False
        self.rebound: dict[str, Any] = {}

    def answers(self, module: str, node: int, token: object = None) -> bool:
        """Whether a routine that has just begun is answered; `answer` then holds the result."""
        return self.next is not None and self.next(module, node, token, sys._getframe(1).f_locals)

    def refuses(self, why: str) -> None:
        """Raises `CannotAnswer` for code that cannot be answered."""
        if self.next is not None:
            raise CannotAnswer(why)


class Reexecutor:
    """Serves requests to execute an activation again."""

    def __init__(self, workspace: str, modules: list[RecordedModule], main: str) -> None:
        self.recorder = AnsweringRecorder()
        self.user_modules = Instrumented(workspace, modules, main, self.recorder)
        self.recorder.is_user_code = self.user_modules.is_user_code
        self.names = NameLookup(self.user_modules, main)
        self.names.closure = self._closure

    def load(self, _request: Request) -> None:
        """Loads all modules, since a value may be of a class in any of them."""
        for name in list(self.user_modules.sources):
            self.user_modules.module(name)

    def answer(self, request: Request) -> Reply:
        """Executes an activation again and writes its recording to a file."""
        self.load(request)
        execution = Execution(self, request)
        execution.prepare()
        recorder = self.recorder
        recorder.tape.cut(0)
        recorder.known.clear()
        recorder.pending.clear()
        completion = execution.run()
        writer = Writer(request["out"], {**request["meta"], "level": "full"}, self.user_modules.is_user_code)
        for facts in self.user_modules.maps:
            writer.module(facts)
        writer.write_tape(next(iter(recorder.tapes)), recorder.tape)
        writer.close({"how": "finished", "exit_code": 0})
        return {"how": completion.how}

    def function(self, module: str, node: int, free: Variables) -> types.FunctionType:
        """The function of a routine, with these free variables."""
        routine = self.user_modules.routine(module, node)
        if routine is None:
            raise CannotAnswer("its code cannot be found")
        code, facts = routine
        cells = []
        for name in code.co_freevars:
            if name == "__class__":
                cells.append(types.CellType(self.names.named(module, facts["qualname"].rpartition(".")[0])))
            else:
                cells.append(types.CellType(free[name]) if name in free else types.CellType())
        space = self.user_modules.module(module).__dict__
        made = types.FunctionType(code, space, facts["name"], None, tuple(cells))
        made.__qualname__ = facts["qualname"]
        return made

    def _closure(self, row: Row, cells: Variables) -> types.FunctionType:
        """See `NameLookup`: a function made inside another."""
        module = self.names.main if row["module"] == "__main__" else row["module"]
        facts = next((facts for facts in self.user_modules.maps if facts["module"] == module), None)
        places = [] if facts is None else [r["node"] for r in facts["routines"] if r["node"] >= 0]
        for node in places:
            if facts is not None and facts["nodes"][node][1:5] == row["place"]:
                return self.function(module, node, cells)
        raise CannotAnswer(f"{row['name']} cannot be rebuilt")


class Execution:
    """One execution of an activation."""

    def __init__(self, again: Reexecutor, request: Request) -> None:
        self.again, self.request, self.recorder = again, request, again.recorder
        self.made = Rebuilder(request["rows"], again.names)
        self.matching = Matching(self.made)
        self.steps = iter(request["calls"])
        self.begun = False
        self.guard = Guard()
        self.tokens: dict[Any, int] = {}
        """Generators whose steps are answered: their tokens here, and in the recording."""

    def prepare(self) -> None:
        """Restores globals, class attributes and arguments."""
        request = self.request
        self._set_globals(request["globals"])
        for module, name, attribute, index in request["bodies"]:
            self.matching.adopt(index, _made_by(self.again.names, module, name, attribute))
        self._set_in_classes(request["classes"])
        free = self._named(request["free"])
        self.arguments = self._named(request["arguments"])
        self.function = self.again.function(request["module"], request["node"], free)

    def _named(self, pairs: list[NamedIndex]) -> Variables:
        values = self.made.all([index for _, index in pairs])
        return dict(zip([name for name, _ in pairs], values, strict=True))

    def _set_globals(self, changes: list[tuple[str, str, int]]) -> None:
        for module, name, index in changes:
            space = self.again.user_modules.module(module).__dict__
            self.matching.adopt(index, space.get(name))
            space[name] = self.made.all([index])[0]

    def _set_in_classes(self, changes: list[tuple[str, str, str, int]]) -> None:
        for module, name, attribute, index in changes:
            cls = self.again.names.named(module, name)
            if isinstance(cls, type):
                type.__setattr__(cls, attribute, self.made.all([index])[0])

    def run(self) -> Completion:
        """Calls the function; raises `CannotAnswer` if it diverges from the recording."""
        self.recorder.next = self._next
        try:
            with self.guard:
                completion = guarded(lambda: Completion(RETURN, _called(self.function, self.arguments)))
        finally:
            self.recorder.next = None
        if self.guard.problem is not None:
            raise self.guard.problem
        if completion.how == RAISE and isinstance(completion.value, CannotAnswer):
            raise completion.value
        if next(self.steps, None) is not None:
            raise Diverged("it makes fewer calls than recorded")
        self._check(completion, self.request["ending"])
        return completion

    def _check(self, completion: Completion, ending: JsonObject) -> None:
        """Compares the completion and the objects at the end."""
        if (completion.how == RAISE) != (ending["raised"] is not None):
            raise Diverged("it ends in another way than recorded")
        outcome = ending["result"] if ending["raised"] is None else ending["raised"]
        if outcome is not None:
            self.matching.match(outcome, completion.value, "its result")
        self._relate(ending["links"])

    def _relate(self, links: list[int]) -> None:
        for index in links:
            number = self.made.rows[index]["id"]
            if number in self.made.objects:
                self.matching.relate(index, self.made.objects[number])

    def _next(self, module: str, node: int, token: object, variables: Variables) -> bool:
        """See `AnsweringRecorder`. A problem is kept, since the user's code may catch any exception."""
        with self.guard.paused():
            try:
                return self._answered(module, node, token, variables)
            except CannotAnswer as problem:
                self.guard.problem = self.guard.problem or problem
                raise

    def _answered(self, module: str, node: int, token: object, variables: Variables) -> bool:
        """Called at the start of a routine: answer it if it is a recorded call; False if its code has to run."""
        if not self.begun:
            self.begun = True
            for name, index in self.request["arguments"]:
                row = self.made.rows[index]
                if "id" in row and variables[name] is not self.arguments[name]:  # the dictionary of `**keywords`
                    self.matching.pair(row["id"], variables[name])
            return False
        if self.guard.problem is not None:
            raise self.guard.problem
        step = next(self.steps, None)
        if step is None or [module, node] != step["routine"]:
            raise Diverged("it calls another routine than recorded")
        if token is not None and self.tokens.setdefault(token, step["token"]) != step["token"]:
            raise Diverged("it resumes another generator than recorded")
        # Comparing and hashing may run the user's code, which must neither be answered nor recorded.
        asked, self.recorder.next = self.recorder.next, None
        try:
            self._compare(step, variables)
            if not step["enter"]:
                self._answer(step)
        finally:
            self.recorder.next = asked
        return not step["enter"]

    def _is_here(self, row: Row) -> bool:
        """Whether an object exists here: objects that only other code holds do not."""
        return row["id"] in self.made.objects and type(self.made.objects[row["id"]]) is not Standin

    def _compare(self, step: JsonObject, variables: Variables) -> None:
        """Compares the arguments of a call and the content of known objects with the recording."""
        length = len(self.recorder.tape)
        for name, index in (*step["given"], *step["free"]):
            if name in variables:
                self.matching.match(index, variables[name], f"argument {name} of {step['name']}")
        self._relate(step["links"])
        self.recorder.tape.cut(length)

    def _answer(self, step: JsonObject) -> None:
        """Apply the recorded effects of a call, and set its result; raises its exception."""
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
        for obj in changed:
            image(tape, obj)
        if error is not None:
            raise error if isinstance(error, BaseException) else CannotAnswer("the exception cannot be rebuilt")


def _called(function: types.FunctionType, arguments: dict[str, Any]) -> object:
    """Calls a function with a value for every parameter."""
    code = function.__code__
    names, count, only_named = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
    positional = [arguments[name] for name in names[:count]]
    named = {name: arguments[name] for name in names[count : count + only_named]}
    more = list(names[count + only_named :])
    if code.co_flags & _HAS_MORE_POSITIONAL:
        positional += arguments[more.pop(0)]
    if code.co_flags & _HAS_MORE_NAMED:
        named.update(arguments[more.pop(0)])
    return function(*positional, **named)


_HAS_MORE_POSITIONAL, _HAS_MORE_NAMED = 4, 8
"""`inspect.CO_VARARGS` and `inspect.CO_VARKEYWORDS`.

https://docs.python.org/3/library/inspect.html#code-objects-bit-flags
"""


def _made_by(names: NameLookup, module: str, name: str, attribute: str) -> object:
    """Object that a class body bound to a name, or a parameter default, by its source position."""
    try:
        owner = names.named(module, name)
    except CannotAnswer:
        return None
    if isinstance(owner, type):
        return vars(owner).get(attribute)
    owner = inspect.unwrap(getattr(owner, "__func__", owner))
    source = names.user_modules.sources.get(names.main if module == "__main__" else module)
    if source is None or not isinstance(owner, types.FunctionType):
        return None
    for routine in source.recorded_routines:
        if routine.name == name and isinstance(routine.node, DEFS):
            places = [f"{default.lineno}:{default.col_offset}" for default in routine.node.args.defaults]
            if attribute in places and owner.__defaults__ is not None:
                return owner.__defaults__[places.index(attribute)]
    return None
