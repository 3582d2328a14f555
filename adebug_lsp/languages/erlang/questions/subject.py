"""A recorded Erlang run as a subject: calls, processes and their steps, and the parts inside them."""

import hashlib
from functools import cached_property

import numpy as np
from attrs import define, field

from adebug_lsp.languages.erlang.questions.inner import VALUE, ExecutedPart, InnerSubject, executed_parts
from adebug_lsp.languages.erlang.questions.process_questions import ProcessBehaviours, send_effect, start_call
from adebug_lsp.languages.erlang.questions.tree_layout import Item, build_tree
from adebug_lsp.languages.erlang.questions.value_dependences import ErlangDependences
from adebug_lsp.languages.erlang.reading.frames import OPEN
from adebug_lsp.languages.erlang.reading.processes import Process, Step
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised, is_recorder_message, used_variables
from adebug_lsp.languages.erlang.reading.term_text import as_value, atom_text, is_complete, text
from adebug_lsp.languages.erlang.reading.terms import Term, canonical, is_run_specific
from adebug_lsp.languages.erlang.sandbox.rules import RuleEvaluator
from adebug_lsp.languages.language import Entry, TraceValue
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.presentation import BEFORE, RESULT, address
from adebug_lsp.model.source import Location
from adebug_lsp.model.values import Binding, Environment, Part, Role, Value
from adebug_lsp.tree.columns import ExecutionTree, Ints
from adebug_lsp.tree.transform.draft import Transformed
from adebug_lsp.tree.transform.halving import halve

MAX_SIBLINGS = 12
"""Longer sequences of siblings are halved."""
_MAX_CHARACTERS = 120
"""Characters of an argument in the text of a call."""
_MAX_LISTED = 12
"""Calls that a question about several lists."""


@define(eq=False)
class ErlangSubject:
    """See `Subject`."""

    run: ErlangRun
    entry: Entry | None = None
    root_is_wrong: bool = True
    during: tuple[int, int] | None = None
    """First and last event of the subject; None for the whole run."""
    rules: RuleEvaluator | None = None
    """Evaluates typed rules while a session is open."""
    _inner_subjects: dict[int, InnerSubject | None] = field(factory=dict)

    @cached_property
    def _processes(self) -> ProcessBehaviours:
        return ProcessBehaviours(self.run, self._call_text)

    @cached_property
    def _tree_and_items(self) -> tuple[ExecutionTree, list[Item]]:
        """The tree before halving, and the item of each node."""
        return build_tree(self.run, self._processes, self.during or (0, len(self.run.recording.events)))

    @cached_property
    def _halved(self) -> Transformed:
        return halve(self._tree_and_items[0], MAX_SIBLINGS)

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._halved.tree

    @cached_property
    def dependences(self) -> ErlangDependences:
        """See `Subject`."""
        return ErlangDependences(self.run, self.tree, self.item)

    @property
    def suspicion(self) -> None:
        """See `Subject`."""
        return None

    @property
    def plumbing(self) -> None:
        """See `Subject`."""
        return None

    def item(self, node: int) -> Item:
        """Item of a node; None for a sequence and for the whole run."""
        old = int(self._halved.identity[node])
        return self._tree_and_items[1][old] if old >= 0 else None

    def frame(self, node: int) -> int | None:
        """Activation of a node; None if the node is not a call."""
        item = self.item(node)
        return item if isinstance(item, int) else None

    def items_of(self, node: int) -> list[Item]:
        """Items of a node that is a sequence of siblings; else empty."""
        if int(self._halved.identity[node]) >= 0:
            return []
        return [self._tree_and_items[1][source] for source in self._halved.sources[node]]

    def node_of(self, frame: int) -> int:
        """Node of an activation; 0 if it has none."""
        return self._nodes.get(frame, 0)

    @cached_property
    def _nodes(self) -> dict[int, int]:
        pairs = ((self.frame(node), node) for node in range(len(self.tree)))
        return {frame: node for frame, node in pairs if frame is not None}

    def process_text(self, process: Process) -> str:
        """The first call of a process, and how the process ended."""
        return self._processes.summary(process)

    # Questions

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        item = self.item(node)
        if item is None:
            return self._sequence_behaviour(node)
        if not isinstance(item, int):
            return self._processes.behaviour(item)
        frame, run = item, self.run
        returned, outcome = run.outcome(frame)
        before = [Binding(name, as_value(value), Role.ARGUMENT) for name, value in run.parameters(frame)]
        before += [Binding(name, as_value(value)) for name, value in self.context(frame).items()]
        effects = self._effects(frame)
        return Behaviour(
            text=f"{self._call_text(frame)} {self._outcome_text(frame)}",
            before=Environment(tuple(before)),
            projection=self.code(node),
            after=Environment(tuple(Binding(name, as_value(value), Role.MAILBOX) for name, value in effects)),
            in_text=self._shown_in_text(frame),
            result=as_value(outcome) if returned else None,
            raised=as_value(outcome.term) if isinstance(outcome, Raised) else None,
            identity=self._identity(frame, effects),
            code_hash=run.code_hash(run.site(frame)),
            doer=self.doer(frame),
        )

    def doer(self, frame: int) -> str:
        """The process of an activation, if the run has several."""
        process = self.run.frames.process[frame]
        return f"process {self._processes.process(process)}" if self.run.has_messages else ""

    def _call_text(self, frame: int) -> str:
        facts = self.run.site(frame)
        arguments = ", ".join(text(value, _MAX_CHARACTERS) for value in self.run.arguments(frame))
        if facts.kind == "fun":
            return f"the fun at line {facts.place[0]} of {facts.routine}, given ({arguments}),"
        name = atom_text(facts.function)
        return (
            f"{atom_text(facts.module)}:{name}({arguments})" if self.run.has_several_modules else f"{name}({arguments})"
        )

    def _shown_in_text(self, frame: int) -> tuple[str, ...]:
        """Addresses of the values that the text of a call shows whole."""
        parameters = self.run.parameters(frame)
        whole = [name for name, value in parameters if text(value, _MAX_CHARACTERS) == text(value)]
        return (*(address(BEFORE, name) for name in whole), RESULT)

    def _outcome_text(self, frame: int) -> str:
        returned, outcome = self.run.outcome(frame)
        if returned:
            return f"= {text(outcome)}"
        if isinstance(outcome, Raised):
            return f"raised {outcome.kind}:{text(outcome.reason)}"
        if not self.run.clause_number(frame):
            return "matched no clause"
        return "did not end" if self.run.frames.status[frame] == OPEN else "ended, but how was not recorded"

    def context(self, frame: int) -> dict[str, Term]:
        """Captured variables that a fun uses."""
        definer = self.run.definer(frame)
        if definer is None:
            return {}
        written = self.run.text(self.run.site_location(self.run.site(frame)))
        own = {*dict(self.run.parameters(frame)), self.run.site(frame).name}
        around = self.run.bindings(definer, self.run.frames.first[frame])
        return {name: value for name, value in used_variables(written, around).items() if name not in own}

    def _effects(self, frame: int) -> list[tuple[str, Term]]:
        """Messages and processes that a call sent or started, and states of the servers that it called."""
        frames, effects = self.run.frames, list[tuple[str, Term]]()
        for event in self.run.vm_events(frames.first[frame], frames.last[frame], frames.process[frame]):
            if event[2] == "send" and not is_recorder_message(event[3]):
                done, what = send_effect(event[3])
                effects.append((f"{done} {text(event[4])}", what))
            elif event[2] == "spawn":
                effects.append((f"started {text(event[3])}", start_call(event[4])))
        return effects + [
            (f"state of {name} then", state) for name, state in self.run.server_states_after(frame).items()
        ]

    def _identity(self, frame: int, effects: list[tuple[str, Term]]) -> str:
        """The identity of a call's behaviour, equal in every run."""
        returned, outcome = self.run.outcome(frame)
        raised = outcome.term if isinstance(outcome, Raised) else ()
        facts = self.run.site(frame)
        values = (self.run.arguments(frame), outcome if returned else raised)
        if facts.kind == "fun" or outcome is None or effects or not is_complete(values) or is_run_specific(values):
            return ""
        key = f"{facts.routine} {returned} {''.join(canonical(values))}"
        return hashlib.sha256(key.encode()).hexdigest()

    def behaviour_key(self, node: int) -> str:
        """See `Subject`: only calls without effects have a key."""
        frame, run = self.frame(node), self.run
        if frame is None or self.depends_on_more(frame):
            return ""
        returned, outcome = run.outcome(frame)
        ended = outcome if returned else outcome.term if isinstance(outcome, Raised) else None
        facts = run.site(frame)
        values = (run.arguments(frame), list(self.context(frame).items()), ended, self._effects(frame))
        if outcome is None or not is_complete(values):
            return ""
        return f"{facts.number} {returned} {''.join(canonical(values))}"

    def depends_on_more(self, frame: int) -> bool:
        """Whether an activation, or one that it called, had effects."""
        frames = self.run.frames
        return self.run.has_effects(frames.first[frame], frames.last[frame], frames.process[frame])

    def _sequence_behaviour(self, node: int) -> Behaviour:
        if int(self._halved.identity[node]) >= 0:
            return self._whole_run()
        texts = [self._item_text(self._tree_and_items[1][source]) for source in self._halved.sources[node]]
        more = "; …" if len(texts) > _MAX_LISTED else ""
        return Behaviour(f"{len(texts)} in a row: {'; '.join(texts[:_MAX_LISTED])}{more}")

    def _item_text(self, item: Item) -> str:
        if isinstance(item, int):
            return f"{self._call_text(item)} {self._outcome_text(item)}"
        return "the run" if item is None else self._processes.behaviour(item).text

    def _whole_run(self) -> Behaviour:
        """The behaviour of the root: the outcome of the test, or of the evaluated call."""
        if self.entry is not None and self.entry.name:
            return Behaviour(self.entry.message or f"{self.entry.name}() passed")
        ended, call = self.run.recording.ended, str(self.run.recording.meta.get("call", "the run"))
        if ended.get("how") == "finished":
            return Behaviour(f"{call} = {text(ended.get('value'))}", result=as_value(ended.get("value")))
        if ended.get("how") == "raised":
            return Behaviour(f"{call} raised {ended.get('class')}:{text(ended.get('reason'))}")
        return Behaviour(f"{call} did not end")

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`: the entered clause, or the whole function if none matched, and the definitions it uses."""
        frame = self.item(node)
        if not isinstance(frame, int):
            return () if frame is None else self._processes.code(frame)
        facts, clause = self.run.site(frame), self.run.clause(frame)
        return self.run.with_definitions(
            self.run.site_location(facts) if clause is None else self.run.clause_location(facts, clause)
        )

    def holds(self, rule: str, node: int) -> bool | None:
        """See `Subject`."""
        return None if self.rules is None else self.rules.holds(rule, self.frame(node))

    def check_rule(self, rule: str) -> None:
        """Raise `BadAnswerError` for a rule that cannot be used."""
        if self.rules is not None:
            self.rules.holds(rule, None)

    def inside(self, node: int) -> InnerSubject | None:
        """See `Subject`."""
        if node not in self._inner_subjects:
            executed = self._executed_parts(self.item(node))
            self._inner_subjects[node] = InnerSubject(self, executed, node) if executed else None
        return self._inner_subjects[node]

    def _executed_parts(self, item: Item) -> list[ExecutedPart]:
        """The executed parts of a call, or of a step."""
        if isinstance(item, int):
            return executed_parts(self.run, item)
        if isinstance(item, Step):
            executed = [
                part for frame in item.open for part in executed_parts(self.run, frame, (item.first, item.last))
            ]
            while any(self._exceeds(item, part) for part in executed):
                cut = [part.children if self._exceeds(item, part) else (part,) for part in executed]
                executed = [part for parts in cut for part in parts]
            return executed
        return []

    def _exceeds(self, step: Step, part: ExecutedPart) -> bool:
        """Whether a step covers only part of an executed part, such as the `receive` in which the step begins."""
        begun = self.run.recording.events.site[step.took] if step.took >= 0 else -1
        return bool(part.children) and (part.is_cut_off or (part.kind == VALUE and part.site.number == begun))

    def parts(self, _identity: int, _moment: int, _start: int, _count: int) -> tuple[Part, ...]:
        """See `RecordedSubject`: Erlang has no mutable objects."""
        return ()

    def variable(self, _node: int, _name: str) -> Value | None:
        """See `RecordedSubject`: only the values that a question shows are known."""
        return None

    def trace_values(self, node: int) -> list[TraceValue]:
        """See `RecordedSubject`."""
        return [value for frame in self._frames_of(node) for value in seen_values(self.run, frame)]

    def unexecuted(self, node: int) -> tuple[Location, ...]:
        """See `RecordedSubject`."""
        return tuple(
            sorted({location for frame in self._frames_of(node) for location in unexecuted_clauses(self.run, frame)})
        )

    def _frames_of(self, node: int) -> list[int]:
        item = self.item(node)
        return [item] if isinstance(item, int) else item.open if isinstance(item, Step) else []

    def sources(self) -> dict[str, str]:
        """See `RecordedSubject`."""
        return {source.path: source.text for source in self.run.sources.values()}

    def executed(self, path: str, line: int) -> Ints:
        """Nodes that executed a line themselves."""
        modules = {module for module, source in self.run.sources.items() if source.path == path}
        sites = self.run.recording.sites.facts.values()
        there = {site.number for site in sites if site.module in modules and site.place[0] == line + 1}
        events = self.run.recording.events
        rows = np.flatnonzero(np.isin(np.frombuffer(events.site, np.int32), list(there)))
        items: set[int | Step | None] = {self.run.frames.by_number.get(events.frame[row]) for row in rows.tolist()}
        if self.run.has_messages:
            items |= {self.run.processes.step_at(events.process[row], row) for row in rows.tolist()}
        return np.array([n for n in range(len(self.tree)) if self.item(n) in items - {None}], np.int64)


def seen_values(run: ErlangRun, frame: int) -> list[TraceValue]:
    """Values of the variables and expressions of an activation."""
    values: dict[tuple[Location, str], list[str]] = {}
    for event in run.events_of(frame).tolist():
        kind, site = (
            chr(run.recording.events.kind[event]),
            run.recording.sites.facts.get(run.recording.events.site[event]),
        )
        if site is None:
            continue
        if kind in "vm" and (where := run.site_location(site)) is not None:
            value = run.recording.values(event)
            values.setdefault((where, ""), []).append(text(value[0] if kind == "m" else value, _MAX_CHARACTERS))
        where = run.location(site, *site.pattern) if kind in "mg" and site.pattern is not None else None
        if where is not None:
            for name, value in run.bound_by(event).items():
                values.setdefault((where, name), []).append(text(value, _MAX_CHARACTERS))
    return [TraceValue(where, tuple(v[:5]), len(v), name, bound=bool(name)) for (where, name), v in values.items()]


def unexecuted_clauses(run: ErlangRun, frame: int) -> tuple[Location, ...]:
    """Clauses of the function, and of the choices made in it, that were not entered."""
    events, chosen = run.recording.events, dict[int, set[int]]()
    for event in run.events_of(frame).tolist():
        if chr(events.kind[event]) in "cfk":
            chosen.setdefault(events.site[event], set()).add(events.clause[event])
    locations = []
    for number, taken in chosen.items():
        site = run.recording.sites[number]
        others = [clause for number, clause in enumerate(site.clauses, 1) if number not in taken]
        others += [clause for number, clause in enumerate(site.handlers, 1) if -number not in taken]
        locations += [where for clause in others if (where := run.clause_location(site, clause)) is not None]
    return tuple(sorted(locations))
