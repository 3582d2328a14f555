"""What one activation executed itself, as a tree: expressions with their values, bindings, and chosen clauses.

A choice (of a function's clause, of `case`, `if`, `try`, `receive`) is a node beside the argument and the body. Below
it there is a node for every clause that was passed over and for the one that was taken: so the search ends at a pattern
or guard that failed or matched wrongly. Calls of other activations are leaves.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from adebug_lsp.languages.erlang.questions.expected_clause import InnerDependences, clause_name
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised, used
from adebug_lsp.languages.erlang.reading.sites import Clause, SiteFacts
from adebug_lsp.languages.erlang.reading.term_text import is_whole, shown, text
from adebug_lsp.languages.erlang.reading.terms import canonical
from adebug_lsp.languages.language import Seen
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.model.values import Part as ValuePart
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

if TYPE_CHECKING:
    from adebug_lsp.languages.erlang.questions.subject import ErlangSubject

VALUE, CHOICE, PASSED, TAKEN = "value", "choice", "passed over", "taken"
_NOTHING: Any = object()
_ALWAYS_RIGHT = {(module, name, 0) for module in ("", "erlang") for name in ("self", "node", "make_ref")}
"""What has no arguments and is no code of the program: where it should not stand, what it stands in is wrong."""
_ASSERTIONS = ("?assert", "?_assert")
"""Macros of EUnit: how they compare is right, and what they compare is asked about."""
_MOST_CLAUSES = 12
"""Clauses of a choice of which all are listed."""


@frozen(eq=False)
class Inner:
    """A piece of code that was executed, and what it gave."""

    what: str
    site: SiteFacts
    frame: int
    """The activation that executed it."""
    event: int
    value: Any = _NOTHING
    """The value that it gave; of a choice what was chosen for."""
    raised: Raised | None = None
    clause: int = 0
    """Of a choice: the number of the clause; 0 for `after`, negative for those of `catch`."""
    bound: dict[str, Any] = field(factory=dict)
    children: tuple["Inner", ...] = ()

    @property
    def all(self) -> Iterator["Inner"]:
        """All parts below, and itself."""
        yield self
        for child in self.children:
            yield from child.all

    @property
    def is_cut_off(self) -> bool:
        """Whether it had not ended, so that only what is in it can be judged."""
        return self.what == VALUE and not self.has_value and self.raised is None and bool(self.children)

    @property
    def has_value(self) -> bool:
        """Whether a value is known."""
        return self.value is not _NOTHING


def parts_of(run: ErlangRun, frame: int, during: tuple[int, int] | None = None) -> list[Inner]:
    """What an activation executed, in order: all, or from one event to another."""
    return _Reader(run, frame, during or (run.frames.first[frame], run.frames.last[frame])).read()


class _Reader:
    def __init__(self, run: ErlangRun, frame: int, during: tuple[int, int]) -> None:
        self._run, self._frame = run, frame
        self._begin, self._end = during
        self._is_over = run.frames.last[frame] <= self._end
        self._done: list[Inner] = []
        self._calling: tuple[SiteFacts, int] | None = None
        self._called = run.called(frame)

    def read(self) -> list[Inner]:
        events = self._run.recording.events
        rows = self._run.events_of(self._frame)
        for event in rows[(rows >= self._begin) & (rows <= self._end)].tolist():
            kind = chr(events.kind[event])
            self._come_back(event)
            if kind in "stvmk":
                self._take(event, kind, self._run.recording.sites[events.site[event]], events.clause[event])
            elif kind in "cf":
                self._entered(event, events.clause[event])
        self._come_back(self._end + 1)
        return self._grouped(self._done, self._run.site(self._frame).number)

    def _entered(self, event: int, clause: int) -> None:
        site = self._run.site(self._frame)
        if len(site.clauses) > 1 or site.clauses[0].guard:
            given = self._run.given(self._frame)
            value = given[0] if len(given) == 1 else tuple(given)
            self._done.append(
                self._choice(
                    Inner(CHOICE, site, self._frame, event, value, clause=clause, bound=self._run.bound(event))
                )
            )

    def _take(self, event: int, kind: str, site: SiteFacts, clause: int) -> None:
        if kind in "st":
            self._calling = (site, event) if site.target == "own" or kind == "t" else None
            return
        values = self._run.recording.values(event)
        if kind == "v" and site.called in _ALWAYS_RIGHT:
            return
        if kind in "mk" and self._run.text(self._run.of_site(site)).startswith(_ASSERTIONS):
            return
        if kind == "v":
            self._done.append(Inner(VALUE, site, self._frame, event, values, children=self._adopted(site)))
        elif kind == "m":
            bound = self._run.bound(event)
            children = self._adopted(site)
            self._done.append(Inner(VALUE, site, self._frame, event, values[0], bound=bound, children=children))
        else:
            bound = self._run.bound(event)
            part = Inner(CHOICE, site, self._frame, event, values[0], clause=clause, bound=bound)
            self._done.append(self._choice(part))

    def _choice(self, part: Inner) -> Inner:
        """A choice with its clauses: those that were passed over, and the one that was taken."""
        if part.clause <= 0:
            passed = len(part.site.clauses) if part.clause == 0 else -part.clause - 1
            numbers = [-at for at in range(1, passed + 1)] if part.clause < 0 else []
        else:
            numbers = list(range(1, part.clause))
        if not numbers:
            return part
        below = [evolve(part, what=PASSED, clause=number, bound={}) for number in numbers]
        return evolve(part, children=(*below, evolve(part, what=TAKEN)))

    def _come_back(self, event: int) -> None:
        """A call of recorded code that was told before an event is over."""
        if self._calling is None:
            return
        site, since = self._calling
        self._calling = None
        frames = self._run.frames
        called = [at for at in self._called if since < frames.first[at] < event and frames.call[at] == site.number]
        if not called or frames.last[called[0]] > self._end:
            return
        returned, outcome = self._run.outcome(called[0])
        raised = outcome if isinstance(outcome, Raised) else None
        value, last = outcome if returned else _NOTHING, frames.last[called[0]]
        self._done.append(Inner(VALUE, site, self._frame, last, value, raised, children=self._adopted(site)))

    def _adopted(self, site: SiteFacts) -> tuple[Inner, ...]:
        """What was done last, as far as it stands inside of a site."""
        at = len(self._done)
        while at and self._is_inside(self._done[at - 1].site, site):
            at -= 1
        found = self._done[at:]
        del self._done[at:]
        return tuple(self._grouped(found, site.number))

    def _is_inside(self, site: SiteFacts, outer: SiteFacts) -> bool:
        facts = self._run.recording.sites
        if site.number == outer.number:  # an earlier turn of the same loop
            return False
        while site.number != outer.number:
            if site.around is None or site.kind == "function":
                return False
            site = facts[site.around]
        return outer.number != self._run.site(self._frame).number

    def _grouped(self, parts: Sequence[Inner], base: int) -> list[Inner]:
        """Parts of code that has no value of its own since it is a tail, or did not end, put together."""
        found: list[Inner] = []
        at = 0
        while at < len(parts):
            top = self._top(parts[at].site, base)
            if parts[at].what == VALUE and parts[at].site.number == top:
                found.append(parts[at])
                at += 1
                continue
            end = at + 1
            while end < len(parts) and top is not None and self._top(parts[end].site, base) == top:
                end += 1
            if top is None:
                found.append(parts[at])
                end = at + 1
            else:
                found.append(self._group(self._run.recording.sites[top], parts[at:end]))
            at = end
        return found

    def _group(self, site: SiteFacts, parts: Sequence[Inner]) -> Inner:
        returned, outcome = self._run.outcome(self._frame) if self._is_over else (False, None)
        value = outcome if returned and site.tail else _NOTHING
        raised = outcome if isinstance(outcome, Raised) else None
        event = self._run.frames.last[self._frame] if site.tail and self._is_over else parts[-1].event
        children = tuple(self._grouped(parts, site.number))
        return Inner(VALUE, site, self._frame, event, value, raised, children=children)

    def _top(self, site: SiteFacts, base: int) -> int | None:
        """The outermost site around one that is inside of the base; None for what belongs to the base itself."""
        facts = self._run.recording.sites
        while site.number != base:
            if site.around is None or site.around == base:
                return site.number
            site = facts[site.around]
        return None


@define(eq=False)
class InnerErlang:
    """See `Subject`: the root is the activation itself."""

    outer: "ErlangSubject"
    found: list[Inner]
    node: int

    @cached_property
    def _laid_out(self) -> tuple[ExecutionTree, list[Inner | None]]:
        builder = TreeBuilder()
        laid: list[Inner | None] = [None]
        around = self.outer.tree.facts(self.node)
        root = builder.add(builder.site(self.outer.tree.site_of(self.node)), first=around.first, last=around.last)
        builder.attach(root, None)

        def add(part: Inner, parent: int) -> None:
            site = Site(
                f"{part.site.number} {part.what} {part.clause}", part.site.callable, part.site.module, self._where(part)
            )
            handle = builder.add(
                builder.site(site),
                kind=NodeKind.EXPRESSION,
                raised=part.raised is not None,
                cost=40,
                first=part.event,
                last=part.event + 1,
            )
            builder.attach(handle, parent)
            laid.append(part)
            for child in part.children:
                add(child, handle)

        for part in self.found:
            add(part, root)
        tree, places = builder.finish()
        ordered: list[Inner | None] = [None] * len(laid)
        for handle, node in enumerate(places):
            ordered[node] = laid[handle]
        return tree, ordered

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._laid_out[0]

    @property
    def dependences(self) -> InnerDependences:
        """See `Subject`."""
        return InnerDependences(self)

    @property
    def suspicion(self) -> None:
        """See `Subject`."""
        return None

    def part(self, node: int) -> Inner | None:
        """What a node executed; None for the root."""
        return self._laid_out[1][node]

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        part = self.part(node)
        if part is None:
            return self.outer.behaviour(self.node)
        run = self.outer.run
        where = self._where(part)
        written = run.text(where)
        context = used(written, run.bindings(part.frame, part.event))
        before = Environment(
            tuple(Binding(name, shown(value)) for name, value in context.items() if name not in part.bound)
        )
        bound = [Binding(name, shown(value)) for name, value in part.bound.items()]
        return Behaviour(
            text=self._told(part, written),
            before=before,
            projection=() if where is None else (where,),
            after=Environment((*bound, *self._others(part))),
            result=shown(part.value) if part.what == VALUE and part.has_value else None,
            raised=None if part.raised is None else shown(part.raised.term),
            doer=self.outer.doer(part.frame),
        )

    def behaviour_key(self, node: int) -> str:
        """See `Subject`."""
        part, run = self.part(node), self.outer.run
        if part is None or self.outer.depends_on_more(part.frame):
            return ""
        context = used(run.text(self._where(part)), run.bindings(part.frame, part.event))
        known = [(name, value) for name, value in context.items() if name not in part.bound]
        value = part.value if part.has_value else None
        raised = None if part.raised is None else part.raised.term
        values = (known, value, raised, list(part.bound.items()))
        if not is_whole(values):
            return ""
        return f"{part.site.number} {part.what} {part.clause} {part.has_value} {''.join(canonical(values))}"

    def _told(self, part: Inner, written: str) -> str:
        if part.what == VALUE:
            if part.bound:
                return "; ".join(f"{name} = {text(value)}" for name, value in part.bound.items())
            if part.raised is not None and not part.has_value:
                return f"{written} raised {part.raised.kind}:{text(part.raised.reason)}"
            return f"{written} = {text(part.value)}" if part.has_value else f"{written} did not end"
        return self._choice_text(part, written)

    def _choice_text(self, part: Inner, written: str) -> str:
        names = {"function": "the function", "fun": "the fun"}
        of = names.get(part.site.kind, f"`{part.site.kind}`")
        number = abs(part.clause)
        kind = "handler" if part.clause < 0 else "clause"
        given = f"for {text(part.value)}, " if part.site.kind != "if" and part.clause else ""
        bound = "; ".join(f"{name} = {text(value)}" for name, value in part.bound.items())
        if part.what == PASSED:
            return f"{given}{kind} {number} of {of}, `{written}`, does not match"
        if part.clause == 0:
            return f"no message came in time, so that {of} goes on after its timeout"
        return f"{given}{kind} {number} of {of} matches: `{written}`" + (f", with {bound}" if bound else "")

    def _others(self, part: Inner) -> Iterator[Binding]:
        """The clauses that could have been taken instead."""
        clauses, sign = (part.site.handlers, -1) if part.clause < 0 else (part.site.clauses, 1)
        if part.what != CHOICE or not part.clause or len(clauses) > _MOST_CLAUSES:
            return
        run = self.outer.run
        for at, clause in enumerate(clauses, 1):
            if sign * at != part.clause:
                written = run.text(run.of_head(part.site, clause))
                yield Binding(clause_name(sign * at), Value(f"`{written}`"), Role.CLAUSE)

    def _clause(self, part: Inner) -> Clause | None:
        clauses = part.site.handlers if part.clause < 0 else part.site.clauses
        number = abs(part.clause)
        return clauses[number - 1] if 0 < number <= len(clauses) else None

    def _where(self, part: Inner) -> Location | None:
        run = self.outer.run
        if part.what == VALUE:
            return run.of_site(part.site)
        clause = self._clause(part)
        return run.of_site(part.site) if clause is None else run.of_head(part.site, clause)

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`: where all parts of a clause are right, it is the expression that its value is made by."""
        part, run = self.part(node), self.outer.run
        if part is None:
            final = self._final_of_call()
            return self.outer.code(self.node) if final is None else run.with_definitions(final)
        taken = next((one for one in part.children if one.what == CHOICE and one.site == part.site), None)
        clause = None if taken is None else self._clause(taken)
        final = None if clause is None else self._final(part.site, clause, part.children)
        return run.with_definitions(final or self._where(part))

    def _final_of_call(self) -> Location | None:
        """The last expression of the clause that was entered, if nothing else can have made its value wrong."""
        run, frame = self.outer.run, self.outer.frame(self.node)
        clause = None if frame is None else run.clause(frame)
        if frame is None or clause is None:
            return None
        asked = any(one.what == CHOICE and one.site == run.site(frame) for one in self.found)
        does_more = run.has_state(run.frames.first[frame], run.frames.last[frame], run.frames.process[frame])
        if does_more or not (asked or None not in clause.names):
            return None
        return self._final(run.site(frame), clause, self.found)

    def _final(self, site: SiteFacts, clause: Clause, parts: Sequence[Inner]) -> Location | None:
        """The last expression of a clause; None where it was asked about."""
        if not clause.body or any(one.what == VALUE and one.site.place == clause.body[-1][1] for one in parts):
            return None
        return self.outer.run.location(site, *clause.body[-1])

    def holds(self, rule: str, _node: int) -> bool | None:
        """Rules are about calls."""
        self.outer.check_rule(rule)
        return None

    def inside(self, _node: int) -> None:
        """There is nothing finer."""

    def parts(self, _identity: int, _moment: int, _start: int, _count: int) -> tuple[ValuePart, ...]:
        """See `RecordedSubject`."""
        return ()

    def variable(self, _node: int, _name: str) -> Value | None:
        """See `RecordedSubject`: only what a question shows is known."""
        return None

    def seen(self, _node: int) -> list[Seen]:
        """See `RecordedSubject`."""
        return self.outer.seen(self.node)

    def unexecuted(self, _node: int) -> tuple[Location, ...]:
        """See `RecordedSubject`."""
        return self.outer.unexecuted(self.node)

    def sources(self) -> dict[str, str]:
        """See `RecordedSubject`."""
        return self.outer.sources()
