"""A reference version as an oracle: the results of its functions decide about the recorded calls.

The reference runs in a separate VM, which prints nothing and has no effects. Effects of calls and processes are judged
by a replay (`replay_processes`). It abstains where it cannot be sure: incomplete values, everything after a difference,
and requests to the outside world that were not recorded.
"""

from contextlib import ExitStack
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any

from attrs import define, field

from adebug_lsp.languages.erlang.questions.inner import CHOICE, PASSED, TAKEN, VALUE, ExecutedPart
from adebug_lsp.languages.erlang.questions.process_questions import BlockedProcess
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.questions.tree_layout import Item
from adebug_lsp.languages.erlang.reading.effects import Effect, Effects, effect_text, recorded_effects, registered_names
from adebug_lsp.languages.erlang.reading.processes import Process, Step
from adebug_lsp.languages.erlang.reading.run import Raised, used_variables
from adebug_lsp.languages.erlang.reading.sites import Place, SiteFacts, Sites, read_site_table
from adebug_lsp.languages.erlang.reading.term_text import is_complete, text
from adebug_lsp.languages.erlang.reading.terms import Atom, Omitted, Term, contains_fun
from adebug_lsp.languages.erlang.sandbox.behaviour_comparison import (
    UNREGISTERED,
    Comparison,
    ComparisonResult,
    Equality,
    paired_parts,
)
from adebug_lsp.languages.erlang.sandbox.encode_values import CannotEncodeError, ValueEncoder
from adebug_lsp.languages.erlang.sandbox.replay_processes import replay
from adebug_lsp.languages.erlang.sandbox.site_alignment import align_sites, matching_operand
from adebug_lsp.languages.erlang.sandbox.vm import Vm, encode_request
from adebug_lsp.languages.reference_tree import reference_tree
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Opinion

TIMEOUT = 5.0
"""Seconds that one call may take."""
_MAX_CALLS = 1000
"""Consecutive calls that are judged together."""


@define(eq=False, slots=False)
class Reference:
    """A reference version as an oracle; a context manager that stops its VM."""

    subject: ErlangSubject
    vm: Vm
    files: list[Path]
    """Source files of its modules."""
    closing: ExitStack
    """Cleanup when the oracle is closed."""
    name: str = "reference"
    sites: dict[str, dict[int, SiteFacts]] = field(factory=dict)
    """For each module of the reference, its sites by the corresponding site of the program."""
    _known: dict[int, Opinion] = field(factory=dict)
    _effects: dict[int, Effects] = field(factory=dict)
    """Effects by process."""
    _heads: dict[int, dict[str, Term]] = field(factory=dict)

    @classmethod
    def open(cls, spec: str, workspace: Path, subject: ErlangSubject) -> "Reference":
        """Start the VM with the modules of a folder, a file, or a revision."""
        with ExitStack() as closing:
            folder, single = closing.enter_context(reference_tree(spec, workspace))
            files = _modules(folder, subject) if single is None else [folder / single]
            if not files:
                raise BadInputError(f"--reference {spec}: it has none of the recorded modules")
            return cls._start(spec, files, subject, closing.pop_all())

    @classmethod
    def _start(cls, spec: str, files: list[Path], subject: ErlangSubject, closing: ExitStack) -> "Reference":
        """Start the VM and load the reference's modules into it."""
        made = cls(subject, Vm.start("the reference"), files, closing)
        answer = made.vm.ask(encode_request({"load": [str(file) for file in files]}))
        if not isinstance(answer, tuple):
            made.__exit__()
            raise BadInputError(f"--reference {spec}: {answer.decode() if isinstance(answer, bytes) else text(answer)}")
        for module, sites in answer[1]:
            made.sites[str(module)] = align_sites(subject.run.recording.sites, Sites({}, read_site_table(sites)))
        return made

    def __enter__(self) -> "Reference":
        return self

    def __exit__(self, *_: object) -> None:
        self.vm.close()
        self.closing.close()

    @cached_property
    def _comparison(self) -> Comparison | None:
        """The run compared with its replay by the reference."""
        replayed = replay(self.subject.run, self.files, self._encoder)
        return None if replayed is None else Comparison(self.subject.run, replayed)

    @property
    def _encoder(self) -> ValueEncoder:
        return ValueEncoder(self.subject.run, self.sites)

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        inner = self.subject.inside(question.zoomed[0]) if question.zoomed else None
        part = None if inner is None else inner.part(question.node)
        outer = question.zoomed[0] if question.zoomed else question.node
        item = self.subject.item(outer) if part is None else part.frame
        if item is None:
            return self._opinion_on_sequence(self.subject.items_of(outer))
        if part is not None and self._module(part.frame) in self.sites:
            return self._opinion_on_part(part.frame, part)
        return self._opinion_on_item(item)

    def _opinion_on_item(self, item: int | Process | Step | BlockedProcess) -> Opinion | None:
        if not isinstance(item, int):
            return self._opinion_on_process(item)
        return self._cached_opinion(item) if self._module(item) in self.sites else None

    def _opinion_on_sequence(self, items: list[Item]) -> Opinion:
        """Judge consecutive calls or steps: all must be right."""
        if not items or sum(isinstance(item, int) for item in items) > _MAX_CALLS:
            return _unknown("it cannot be judged as a whole")
        sure = True
        for item in items:
            opinion = None if item is None else self._opinion_on_item(item)
            if opinion is not None and opinion.judgement is Judgement.NO:
                return Opinion(Judgement.NO, f"of one of them {opinion.reason}")
            sure = sure and opinion is not None and opinion.judgement is Judgement.YES
        return Opinion(Judgement.YES, "the reference gives the same") if sure else _unknown("not all can be judged")

    def _opinion_on_process(self, item: Process | Step | BlockedProcess) -> Opinion:
        beside = self._comparison
        if beside is None:
            return _unknown("the input of the processes cannot be replayed")
        if isinstance(item, Process):
            return _opinion(beside.process(item))
        return _opinion(beside.step(item) if isinstance(item, Step) else beside.blocked(item.process))

    def _module(self, frame: int) -> str:
        return self.subject.run.site(frame).module

    def _cached_opinion(self, frame: int) -> Opinion:
        """The opinion on a call, computed once."""
        if frame not in self._known:
            self._known[frame] = self._opinion_on_call(frame)
        return self._known[frame]

    def _opinion_on_call(self, frame: int) -> Opinion:
        """Judge a call by calling the reference's function with the recorded arguments."""
        run = self.subject.run
        facts, arguments = run.site(frame), run.arguments(frame)
        returned, outcome = run.outcome(frame)
        first, last = run.frames.first[frame], run.frames.last[frame]
        if run.has_effects(first, last, run.frames.process[frame]):
            compared = None if self._comparison is None else self._comparison.call(frame)
            return _unknown("it has effects") if compared is None else _opinion(compared)
        unknown = outcome is None and not returned and not run.is_endless(frame)
        if unknown or run.is_ended_by_another(frame) or not is_complete((arguments, outcome)):
            return _unknown("its values are incomplete")
        request: dict[str, Term] = {
            "module": Atom(facts.module),
            "function": Atom(facts.function),
            "arguments": arguments,
        }
        if facts.kind == "fun":
            try:
                request = {"fun": self._encoder.fun_of_frame(frame), "arguments": arguments}
            except (CannotEncodeError, RecursionError):
                return _unknown("its captured variables cannot be sent to the reference")
        return _judge_outcome(returned, outcome, self._run(request, {}, {}), [])

    def _opinion_on_part(self, frame: int, part: ExecutedPart) -> Opinion:
        """Judge an expression or a choice by running the reference's code for it."""
        run = self.subject.run
        other = self._counterpart(part)
        begun = self._first_event(part)
        done = self._effects_between(begun, part.event, run.frames.process[frame]) if part.kind == VALUE else []
        if other is None or done is None:
            return _unknown("the reference has no such code" if other is None else "it has effects")
        around, unsure = run.variables_in_scope(frame, begun), run.ambiguous_variables(frame)
        needed = used_variables(run.text(run.site_location(part.site)), around)
        if unsure & needed.keys():
            return _unknown("the captured values of the fun are not known")
        around |= self._cached_extra_variables(frame)
        request: dict[str, Term] = {"module": Atom(part.site.module), "tag": Atom(other[0]), "place": other[1]}
        request["arguments"] = []
        if part.kind == VALUE:
            if not part.has_value and part.raised is None and not run.is_endless(frame):
                return _unknown("it did not end")
            if done:
                request["world"] = self._recorded_world(run.frames.process[frame], done)
            outcome = part.value if part.has_value else part.raised
            answer = self._run(request, needed, around)
            if isinstance(answer, tuple) and any(not self._has_receiver(*effect) for effect in answer[2]):
                return _unknown(UNREGISTERED)
            return _judge_outcome(part.has_value, outcome, answer, done)
        if part.site.kind in ("function", "fun"):
            needed["adebug_value"] = tuple(run.arguments(frame))
        else:
            needed["adebug_value"] = (*part.value, []) if part.clause < 0 else part.value
        return self._opinion_on_choice(part, request, needed, around)

    @cached_property
    def _registered_names(self) -> frozenset[str]:
        return registered_names(self.subject.run)

    def _has_receiver(self, module: Atom, name: Atom, arguments: list[Term]) -> bool:
        """Whether a message of the reference goes to a known process; true for every other effect."""
        return Effect(0, str(module), str(name), arguments).receiver_name in (None, *self._registered_names)

    def _counterpart(self, part: ExecutedPart) -> tuple[str, Place] | None:
        """Kind and place of the reference's code for a part, or for the corresponding operand of the code around it."""
        sites, others = self.subject.run.recording.sites, self.sites[part.site.module]
        if part.site.number in others:
            return others[part.site.number].tag, others[part.site.number].place
        if part.kind != VALUE or part.site.around is None or part.site.around not in others:
            return None
        return matching_operand(part.site, sites[part.site.around], others[part.site.around])

    def _cached_extra_variables(self, frame: int) -> dict[str, Term]:
        """Variables that the reference's clause binds for the same arguments, and the program's does not."""
        if frame not in self._heads:
            self._heads[frame] = self._extra_variables(frame)
        return self._heads[frame]

    def _extra_variables(self, frame: int) -> dict[str, Term]:
        """Run the head of the reference's clause to find variables that only it binds."""
        run, facts = self.subject.run, self.subject.run.site(frame)
        other, number = self.sites[facts.module].get(facts.number), run.clause_number(frame)
        if facts.kind != "function" or other is None or not 0 < number <= len(other.clauses):
            return {}
        ours = run.bindings(frame, run.frames.last[frame] + 1)
        if set(other.clauses[number - 1].variables) <= set(ours):
            return {}
        request: dict[str, Term] = {
            "module": Atom(other.module),
            "tag": Atom(other.tag),
            "place": other.place,
            "arguments": [],
        }
        every = list(range(1, len(other.clauses) + 1))
        answer = self._run(request | {"clauses": every}, {"adebug_value": tuple(run.arguments(frame))}, {})
        match answer:
            case ("value", (int(taken), [*bound]), *_) if taken == number:
                its = {str(name): value for name, value in bound}
                same = all(are_equal(ours[name], value) for name, value in its.items() if name in ours)
                return {name: value for name, value in its.items() if name not in ours} if same else {}
        return {}

    def _first_event(self, part: ExecutedPart) -> int:
        """The event at which the evaluation of a part begins, after everything evaluated before it."""
        if part.kind != VALUE:
            return part.event
        run, number = self.subject.run, part.site.number
        events, sites, frames = run.recording.events, run.recording.sites, run.frames
        rows = run.events_of(part.frame)
        rows, begun = rows[rows <= min(item.event for item in part.all)].tolist(), part.event
        while rows and (events.site[rows[-1]] == number or sites.is_inside(events.site[rows[-1]], number)):
            begun = rows.pop()
        called = [item for item in run.called_frames(part.frame) if frames.process[item] == frames.process[part.frame]]
        over = [frames.last[item] for item in called if frames.first[item] < begun]
        return min(begun, max([*over, *rows[-1:]], default=begun - 1) + 1)

    def _effects_between(self, first: int, last: int, process: int) -> list[Effect] | None:
        """Effects of a process in a range of events; None if it waited, or if a result is unknown."""
        run = self.subject.run
        if not run.has_effects(first, last, process):
            return []
        if process not in self._effects:
            self._effects[process] = recorded_effects(run, process)
        effects = self._effects[process].during(first, last)
        known = all(effect.answer is not None or effect.name == "send" for effect in effects)
        return effects if known and not run.waits_in(first, last, process) else None

    def _recorded_world(self, process: int, done: list[Effect]) -> Term:
        """Pid of the process and its recorded results, for `adebug_reference:effect/3`."""
        answers = [
            (
                Atom(effect.module),
                Atom(effect.name),
                effect.arguments,
                Atom(str(effect.is_write).lower()),
                effect.answer[0],
            )
            for effect in done
            if effect.answer is not None
        ]
        return self.subject.run.recording.events.processes[process], answers

    def _opinion_on_choice(
        self, part: ExecutedPart, request: dict[str, Term], needed: dict[str, Term], around: dict[str, Term]
    ) -> Opinion:
        """Judge whether the reference takes the same clause; for a single clause, whether it matches as recorded."""
        clauses = part.site.handlers if part.clause < 0 else part.site.clauses
        sign = -1 if part.clause < 0 else 1
        alone = (
            [part.clause] if part.kind in (PASSED, TAKEN) else [sign * index for index in range(1, len(clauses) + 1)]
        )
        if part.site.kind not in ("function", "fun") and self._uses_unknown_variables(part, alone, {*needed, *around}):
            return _unknown("the reference uses another variable there")
        answer = self._run(request | {"clauses": alone}, needed, around) if part.clause else None
        if not isinstance(answer, tuple) or answer[0] != "value":
            return _unknown("the reference has no such clause")
        number, bound = (None, []) if answer[1] == "none" else answer[1]
        taken = number == abs(part.clause)
        if taken == (part.kind != PASSED):
            return _judge_bindings(part.bound, {str(name): value for name, value in bound})
        chosen = "no clause" if number is None else f"clause {number}"
        difference = f"takes {chosen}" if part.kind == CHOICE else "has it the other way"
        return Opinion(Judgement.NO, f"the reference {difference}")

    def _uses_unknown_variables(self, part: ExecutedPart, numbers: list[int], known: set[str]) -> bool:
        """Whether clauses of the reference use variables that the program does not have."""
        other = self.sites[part.site.module][part.site.number]
        named = _pattern_variables(other, numbers) - _pattern_variables(part.site, numbers)
        return not named <= known

    def _run(self, request: dict[str, Term], needed: dict[str, Term], around: dict[str, Any]) -> Any:
        """Runs code of the reference with these variables; returns None if a value cannot be encoded."""
        try:
            sent = {key: self._encoder.encode(value) for key, value in request.items()}
            sent |= {"bindings": self._encoder.encode_variables(needed, around), "limit": int(1000 * TIMEOUT)}
            message = encode_request(sent)
        except (CannotEncodeError, RecursionError):  # a fun may capture itself, and a value may be very deep
            return None
        return self.vm.ask(message)


def _modules(folder: Path, subject: ErlangSubject) -> list[Path]:
    """Files of the recorded modules, at their path in the workspace or anywhere else, and those beside them."""
    there = sorted(folder.resolve().rglob("*.erl"))
    paths = {source.path for source in subject.run.sources.values()}
    names = {Path(path).name for path in paths}
    recorded = [file for file in there if file.relative_to(folder.resolve()).as_posix() in paths]
    folders = {file.parent for file in recorded or there if file.name in names}
    return [file for file in there if file.parent in folders]


def _pattern_variables(site: SiteFacts, numbers: list[int]) -> set[str]:
    """Variables in the patterns of some clauses."""
    chosen = ((site.handlers if number < 0 else site.clauses)[abs(number) - 1 :][:1] for number in numbers)
    return {name for clauses in chosen for clause in clauses for name in clause.variables}


def _unknown(why: str) -> Opinion:
    return Opinion(Judgement.UNKNOWN, why)


def _opinion(finding: ComparisonResult) -> Opinion:
    if finding.equality is Equality.SAME:
        return Opinion(Judgement.YES, "the reference does the same")
    return Opinion(Judgement.NO if finding.equality is Equality.DIFFERENT else Judgement.UNKNOWN, finding.why)


def _judge_bindings(ours: dict[str, Term], its: dict[str, Term]) -> Opinion:
    """Judge the bindings of the same clause; unknown if the same values have other names."""
    shared = [name for name in ours if name in its and is_complete(ours[name]) and not contains_fun(ours[name])]
    name = next((name for name in shared if not are_equal(ours[name], its[name])), None)
    if name is None:
        return Opinion(Judgement.YES, "the reference takes the same clause")
    if all(any(are_equal(ours[shared_name], value) for value in its.values()) for shared_name in shared):
        return _unknown("the reference has other names for what it binds")
    return Opinion(Judgement.NO, f"the reference has {name} = {text(its[name])} then")


def _judge_outcome(returned: bool, outcome: Any, answer: Any, done: list[Effect]) -> Opinion:
    """Judge a value or exception, and the effects, by the reference's answer."""
    outcome = outcome.without_stack.term if isinstance(outcome, Raised) else outcome
    if contains_fun(outcome):
        return _unknown("a fun in it is not the same in another run")
    if not isinstance(answer, tuple) or len(answer) != 3:
        return _unknown("its values cannot be sent to the reference")
    kind, right, performed = answer
    if kind == "value":
        same, expected = returned and are_equal(outcome, right), text(right)
    elif isinstance(right[1], tuple) and right[1][:1] in (("unbound_var",), ("unbound",)):
        return _unknown("the reference uses another variable there")
    else:
        same = not returned and are_equal(outcome, right)
        expected = f"an exception, {right[0]}:{text(right[1])}"
    if not same:
        return Opinion(Judgement.NO, f"the reference gives {expected}", expected=expected)
    others = [
        effect
        for module, name, arguments in performed
        if (effect := Effect(0, str(module), str(name), arguments)).is_write
    ]
    if contains_fun([effect.arguments for effect in (*done, *others)]):
        return _unknown("a fun in what it does is not the same in another run")
    for ours, theirs in zip_longest([effect for effect in done if effect.is_write], others):
        if ours is None or theirs is None or not are_equal([ours.key, ours.arguments], [theirs.key, theirs.arguments]):
            return Opinion(Judgement.NO, f"the reference {'does less' if theirs is None else effect_text(theirs)}")
    return Opinion(Judgement.YES, "the reference gives the same")


def are_equal(left: Term, right: Term) -> bool:
    """Whether two terms are equal; floats within a relative tolerance."""
    waiting = [(left, right)]
    while waiting:
        term, other = waiting.pop()
        parts = paired_parts(term, other)
        if parts is None or isinstance(term, Omitted):
            return False
        waiting += parts
    return True
