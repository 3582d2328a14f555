"""Splits one activation into a tree of its executed parts: expressions with values, bindings, and chosen clauses.

A choice (of a function clause, `case`, `if`, `try`, `receive`) is a node beside its argument and body. Below it is one
node for every clause that was passed over and one for the clause taken, so that the search can end at a pattern or
guard that matched or failed wrongly. Calls of other activations are leaves.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from adebug_lsp.languages.erlang.questions.expected_clause import InnerDependences, clause_name
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised, used_variables
from adebug_lsp.languages.erlang.reading.sites import Clause, SiteFacts
from adebug_lsp.languages.erlang.reading.term_text import as_value, is_complete, text
from adebug_lsp.languages.erlang.reading.terms import Term, canonical
from adebug_lsp.languages.language import TraceValue
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.presentation import AFTER, RESULT, address
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.model.values import Part as ValuePart
from adebug_lsp.tree.builder import TreeBuilder, lay_out
from adebug_lsp.tree.columns import ExecutionTree

if TYPE_CHECKING:
    from adebug_lsp.languages.erlang.questions.subject import ErlangSubject

VALUE, CHOICE, PASSED, TAKEN = "value", "choice", "passed over", "taken"
_NO_VALUE: Any = object()
_ALWAYS_RIGHT = {(module, name, 0) for module in ("", "erlang") for name in ("self", "node", "make_ref")}
"""Built-in functions without arguments: they cannot be wrong, only the code that calls them."""
_ASSERTIONS = ("?assert", "?_assert")
"""Prefixes of EUnit macros: their comparisons are trusted, the compared expressions are asked about."""
_MAX_CLAUSES = 12
"""Clauses of a choice that are listed."""


@frozen(eq=False)
class ExecutedPart:
    """A piece of code that was executed, with its value."""

    kind: str
    """`VALUE`, `CHOICE`, `PASSED` or `TAKEN`."""
    site: SiteFacts
    frame: int
    """Activation that executed it."""
    event: int
    value: Any = _NO_VALUE
    """Its value; for a choice, the value that was matched."""
    raised: Raised | None = None
    clause: int = 0
    """For a choice, the number of the clause; 0 for `after`, negative for handlers of `catch`."""
    bound: dict[str, Term] = field(factory=dict)
    children: tuple["ExecutedPart", ...] = ()

    @property
    def all(self) -> Iterator["ExecutedPart"]:
        """This part and all below it."""
        yield self
        for child in self.children:
            yield from child.all

    @property
    def is_cut_off(self) -> bool:
        """Whether it had not ended, so that only its children can be judged."""
        return self.kind == VALUE and not self.has_value and self.raised is None and bool(self.children)

    @property
    def has_value(self) -> bool:
        """Whether a value is known."""
        return self.value is not _NO_VALUE


def executed_parts(run: ErlangRun, frame: int, during: tuple[int, int] | None = None) -> list[ExecutedPart]:
    """Parts that an activation executed, in order, optionally within a range of events."""
    return _PartReader(run, frame, during or (run.frames.first[frame], run.frames.last[frame])).read()


class _PartReader:
    """Reads the parts that one activation executed from its events."""

    def __init__(self, run: ErlangRun, frame: int, during: tuple[int, int]) -> None:
        self._run, self._frame = run, frame
        self._begin, self._end = during
        self._is_over = run.frames.last[frame] <= self._end
        self._done: list[ExecutedPart] = []
        self._calling: tuple[SiteFacts, int] | None = None
        self._called = run.called_frames(frame)

    def read(self) -> list[ExecutedPart]:
        """Read all events of the activation."""
        events = self._run.recording.events
        rows = self._run.events_of(self._frame)
        for event in rows[(rows >= self._begin) & (rows <= self._end)].tolist():
            kind = chr(events.kind[event])
            self._end_call(event)
            if kind in "stvmk":
                self._add_event(event, kind, self._run.recording.sites[events.site[event]], events.clause[event])
            elif kind in "cf":
                self._entered(event, events.clause[event])
        self._end_call(self._end + 1)
        return self._grouped(self._done, self._run.site(self._frame).number)

    def _entered(self, event: int, clause: int) -> None:
        """Add the choice of the function's clause."""
        site = self._run.site(self._frame)
        if len(site.clauses) > 1 or site.clauses[0].guard:
            arguments = self._run.arguments(self._frame)
            value = arguments[0] if len(arguments) == 1 else tuple(arguments)
            self._done.append(
                self._choice(
                    ExecutedPart(
                        CHOICE, site, self._frame, event, value, clause=clause, bound=self._run.bound_by(event)
                    )
                )
            )

    def _add_event(self, event: int, kind: str, site: SiteFacts, clause: int) -> None:
        """Add the part that an event completes: a value, a binding or a choice."""
        if kind in "st":
            self._calling = (site, event) if site.target == "own" or kind == "t" else None
            return
        values = self._run.recording.values(event)
        if kind == "v" and site.called in _ALWAYS_RIGHT:
            return
        if kind in "mk" and self._run.text(self._run.site_location(site)).startswith(_ASSERTIONS):
            return
        if kind == "v":
            self._done.append(
                ExecutedPart(VALUE, site, self._frame, event, values, children=self._pop_parts_inside(site))
            )
        elif kind == "m":
            bound = self._run.bound_by(event)
            children = self._pop_parts_inside(site)
            self._done.append(ExecutedPart(VALUE, site, self._frame, event, values[0], bound=bound, children=children))
        else:
            bound = self._run.bound_by(event)
            part = ExecutedPart(CHOICE, site, self._frame, event, values[0], clause=clause, bound=bound)
            self._done.append(self._choice(part))

    def _choice(self, part: ExecutedPart) -> ExecutedPart:
        """Add a node for each clause that was passed over and for the one that was taken."""
        if part.clause <= 0:
            passed = len(part.site.clauses) if part.clause == 0 else -part.clause - 1
            numbers = [-index for index in range(1, passed + 1)] if part.clause < 0 else []
        else:
            numbers = list(range(1, part.clause))
        if not numbers:
            return part
        below = [evolve(part, kind=PASSED, clause=number, bound={}) for number in numbers]
        return evolve(part, children=(*below, evolve(part, kind=TAKEN)))

    def _end_call(self, event: int) -> None:
        """Add the call of recorded code that was pending before an event."""
        if self._calling is None:
            return
        site, since = self._calling
        self._calling = None
        frames = self._run.frames
        called = [
            frame for frame in self._called if since < frames.first[frame] < event and frames.call[frame] == site.number
        ]
        if not called or frames.last[called[0]] > self._end:
            return
        returned, outcome = self._run.outcome(called[0])
        raised = outcome if isinstance(outcome, Raised) else None
        value, last = outcome if returned else _NO_VALUE, frames.last[called[0]]
        self._done.append(
            ExecutedPart(VALUE, site, self._frame, last, value, raised, children=self._pop_parts_inside(site))
        )

    def _pop_parts_inside(self, site: SiteFacts) -> tuple[ExecutedPart, ...]:
        """Remove and return the latest parts that lie inside a site."""
        start = len(self._done)
        while start and self._is_inside(self._done[start - 1].site, site):
            start -= 1
        inner = self._done[start:]
        del self._done[start:]
        return tuple(self._grouped(inner, site.number))

    def _is_inside(self, site: SiteFacts, outer: SiteFacts) -> bool:
        """Whether a site is inside another one, both in this activation's function."""
        facts = self._run.recording.sites
        if site.number == outer.number:  # an earlier iteration of the same loop
            return False
        while site.number != outer.number:
            if site.around is None or site.kind == "function":
                return False
            site = facts[site.around]
        return outer.number != self._run.site(self._frame).number

    def _grouped(self, parts: Sequence[ExecutedPart], base: int) -> list[ExecutedPart]:
        """Group parts of code without a value event: tail positions, and code that did not end."""
        groups: list[ExecutedPart] = []
        start = 0
        while start < len(parts):
            top = self._top(parts[start].site, base)
            if parts[start].kind == VALUE and parts[start].site.number == top:
                groups.append(parts[start])
                start += 1
                continue
            end = start + 1
            while end < len(parts) and top is not None and self._top(parts[end].site, base) == top:
                end += 1
            if top is None:
                groups.append(parts[start])
                end = start + 1
            else:
                groups.append(self._group(self._run.recording.sites[top], parts[start:end]))
            start = end
        return groups

    def _group(self, site: SiteFacts, parts: Sequence[ExecutedPart]) -> ExecutedPart:
        returned, outcome = self._run.outcome(self._frame) if self._is_over else (False, None)
        value = outcome if returned and site.tail else _NO_VALUE
        raised = outcome if isinstance(outcome, Raised) else None
        event = self._run.frames.last[self._frame] if site.tail and self._is_over else parts[-1].event
        children = tuple(self._grouped(parts, site.number))
        return ExecutedPart(VALUE, site, self._frame, event, value, raised, children=children)

    def _top(self, site: SiteFacts, base: int) -> int | None:
        """The outermost site around this one inside the base; None for the base itself."""
        facts = self._run.recording.sites
        while site.number != base:
            if site.around is None or site.around == base:
                return site.number
            site = facts[site.around]
        return None


@define(eq=False)
class InnerSubject:
    """Subject of the parts of one activation, which is the root; see `Subject`."""

    outer: "ErlangSubject"
    executed: list[ExecutedPart]
    node: int

    @cached_property
    def _tree_and_parts(self) -> tuple[ExecutionTree, list[ExecutedPart | None]]:
        """The tree, and the part of each node."""
        builder = TreeBuilder()
        around = self.outer.tree.facts(self.node)
        root = builder.add(builder.site(self.outer.tree.site_of(self.node)), first=around.first, last=around.last)

        def add(part: ExecutedPart) -> int:
            name = f"{part.site.number} {part.kind} {part.clause}"
            site = Site(name, part.site.callable, part.site.module, self._location(part))
            return builder.add(
                builder.site(site),
                kind=NodeKind.EXPRESSION,
                raised=part.raised is not None,
                cost=40,
                first=part.event,
                last=part.event + 1,
            )

        return lay_out(builder, root, self.executed, add)

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._tree_and_parts[0]

    @property
    def dependences(self) -> InnerDependences:
        """See `Subject`."""
        return InnerDependences(self)

    @property
    def suspicion(self) -> None:
        """See `Subject`."""
        return None

    @property
    def plumbing(self) -> None:
        """See `Subject`."""
        return None

    def part(self, node: int) -> ExecutedPart | None:
        """The part of a node; None for the root."""
        return self._tree_and_parts[1][node]

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        part = self.part(node)
        if part is None:
            return self.outer.behaviour(self.node)
        run = self.outer.run
        where = self._location(part)
        written = run.text(where)
        context = used_variables(written, run.bindings(part.frame, part.event))
        before = Environment(
            tuple(Binding(name, as_value(value)) for name, value in context.items() if name not in part.bound)
        )
        bound = [Binding(name, as_value(value)) for name, value in part.bound.items()]
        return Behaviour(
            text=self._part_text(part, written),
            before=before,
            projection=() if where is None else (where,),
            after=Environment((*bound, *self._other_clauses(part))),
            in_text=_shown_in_text(part),
            result=as_value(part.value) if part.kind == VALUE and part.has_value else None,
            raised=None if part.raised is None else as_value(part.raised.term),
            doer=self.outer.doer(part.frame),
        )

    def behaviour_key(self, node: int) -> str:
        """See `Subject`."""
        part, run = self.part(node), self.outer.run
        if part is None or self.outer.depends_on_more(part.frame):
            return ""
        context = used_variables(run.text(self._location(part)), run.bindings(part.frame, part.event))
        known = [(name, value) for name, value in context.items() if name not in part.bound]
        value = part.value if part.has_value else None
        raised = None if part.raised is None else part.raised.term
        values = (known, value, raised, list(part.bound.items()))
        if not is_complete(values):
            return ""
        return f"{part.site.number} {part.kind} {part.clause} {part.has_value} {''.join(canonical(values))}"

    def _part_text(self, part: ExecutedPart, written: str) -> str:
        if part.kind == VALUE:
            if part.bound:
                return "; ".join(f"{name} = {text(value)}" for name, value in part.bound.items())
            if part.raised is not None and not part.has_value:
                return f"{written} raised {part.raised.kind}:{text(part.raised.reason)}"
            return f"{written} = {text(part.value)}" if part.has_value else f"{written} did not end"
        return self._choice_text(part, written)

    def _choice_text(self, part: ExecutedPart, written: str) -> str:
        """The text of a choice of a clause."""
        names = {"function": "the function", "fun": "the fun"}
        of = names.get(part.site.kind, f"`{part.site.kind}`")
        number = abs(part.clause)
        kind = "handler" if part.clause < 0 else "clause"
        arguments = f"for {text(part.value)}, " if part.site.kind != "if" and part.clause else ""
        bound = "; ".join(f"{name} = {text(value)}" for name, value in part.bound.items())
        if part.kind == PASSED:
            return f"{arguments}{kind} {number} of {of}, `{written}`, does not match"
        if part.clause == 0:
            return f"no message came in time, so that {of} goes on after its timeout"
        return f"{arguments}{kind} {number} of {of} matches: `{written}`" + (f", with {bound}" if bound else "")

    def _other_clauses(self, part: ExecutedPart) -> Iterator[Binding]:
        """The clauses that could have been taken instead."""
        clauses, sign = (part.site.handlers, -1) if part.clause < 0 else (part.site.clauses, 1)
        if part.kind != CHOICE or not part.clause or len(clauses) > _MAX_CLAUSES:
            return
        run = self.outer.run
        for number, clause in enumerate(clauses, 1):
            if sign * number != part.clause:
                written = run.text(run.head_location(part.site, clause))
                yield Binding(clause_name(sign * number), Value(f"`{written}`"), Role.CLAUSE)

    def _clause(self, part: ExecutedPart) -> Clause | None:
        clauses = part.site.handlers if part.clause < 0 else part.site.clauses
        number = abs(part.clause)
        return clauses[number - 1] if 0 < number <= len(clauses) else None

    def _location(self, part: ExecutedPart) -> Location | None:
        run = self.outer.run
        if part.kind == VALUE:
            return run.site_location(part.site)
        clause = self._clause(part)
        return run.site_location(part.site) if clause is None else run.head_location(part.site, clause)

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`: if all parts of a clause are right, its last expression is the buggy code."""
        part, run = self.part(node), self.outer.run
        if part is None:
            final = self._final_of_call()
            return self.outer.code(self.node) if final is None else run.with_definitions(final)
        taken = next((child for child in part.children if child.kind == CHOICE and child.site == part.site), None)
        clause = None if taken is None else self._clause(taken)
        final = None if clause is None else self._final(part.site, clause, part.children)
        return run.with_definitions(final or self._location(part))

    def _final_of_call(self) -> Location | None:
        """The last expression of the entered clause, if nothing else can have made the value wrong."""
        run, frame = self.outer.run, self.outer.frame(self.node)
        clause = None if frame is None else run.clause(frame)
        if frame is None or clause is None:
            return None
        asked = any(part.kind == CHOICE and part.site == run.site(frame) for part in self.executed)
        does_more = run.has_effects(run.frames.first[frame], run.frames.last[frame], run.frames.process[frame])
        if does_more or not (asked or None not in clause.names):
            return None
        return self._final(run.site(frame), clause, self.executed)

    def _final(self, site: SiteFacts, clause: Clause, parts: Sequence[ExecutedPart]) -> Location | None:
        """The last expression of a clause; None if it has a node of its own."""
        if not clause.body or any(part.kind == VALUE and part.site.place == clause.body[-1][1] for part in parts):
            return None
        return self.outer.run.location(site, *clause.body[-1])

    def holds(self, rule: str, _node: int) -> bool | None:
        """See `Subject`: always None, rules are about calls."""
        self.outer.check_rule(rule)
        return None

    def inside(self, _node: int) -> None:
        """See `Subject`: always None, there is no finer level."""

    def parts(self, _identity: int, _moment: int, _start: int, _count: int) -> tuple[ValuePart, ...]:
        """See `RecordedSubject`."""
        return ()

    def variable(self, _node: int, _name: str) -> Value | None:
        """See `RecordedSubject`: only the values that a question shows are known."""
        return None

    def trace_values(self, _node: int) -> list[TraceValue]:
        """See `RecordedSubject`."""
        return self.outer.trace_values(self.node)

    def unexecuted(self, _node: int) -> tuple[Location, ...]:
        """See `RecordedSubject`."""
        return self.outer.unexecuted(self.node)

    def sources(self) -> dict[str, str]:
        """See `RecordedSubject`."""
        return self.outer.sources()


def _shown_in_text(part: ExecutedPart) -> tuple[str, ...]:
    """Addresses of the values that the text of a part shows whole."""
    if part.kind != VALUE:
        return ()
    bound = tuple(address(AFTER, name) for name in part.bound)
    is_shown = not bound or any(text(value) == text(part.value) for value in part.bound.values())
    return (*bound, RESULT) if is_shown else bound
