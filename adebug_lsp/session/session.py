"""A session: Algorithm 1 as an interactive search. It takes steps, and always has an outcome.

A session is its list of steps: loading it and undoing a step replay that list. Answers of oracles are steps as well, so
that a replay consults no oracle. If the buggy node has finer code inside, the session continues there with a step of
its own.
"""

from collections.abc import Iterable, Sequence
from math import ceil, log2

import numpy as np
from attrs import evolve

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    AskSkipped,
    Judgement,
    Reject,
    Source,
    Step,
    Transform,
    Zoom,
)
from adebug_lsp.model.behaviour import Question, Reason
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import ROUTINE_KINDS, NodeKind
from adebug_lsp.model.transformations import LOOP_EXPANSION, ORIGINAL
from adebug_lsp.model.verdicts import Verdict
from adebug_lsp.oracles.chain import Chain, Consultation
from adebug_lsp.oracles.oracle import Comparer, Witness
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.oracles.typed_rules import RuleOracle
from adebug_lsp.search.combined import rules_left
from adebug_lsp.search.strategies import DEFAULT, because, strategy
from adebug_lsp.search.weights import weigh
from adebug_lsp.session.candidates import contradiction, shortened
from adebug_lsp.session.inference import inferred_answer, revised_answers
from adebug_lsp.session.levels import Insides, Levels, TransformedSubjects
from adebug_lsp.session.outcome import Ask, DeadEnd, Found, Outcome, only_rule
from adebug_lsp.session.state import Contradiction, Options, State
from adebug_lsp.session.step_check import check
from adebug_lsp.session.subject import Subject


class Session:
    """The search for one bug in one run."""

    def __init__(
        self,
        subject: Subject,
        options: Options | None = None,
        *,
        oracles: Chain | None = None,
        steps: Iterable[Step] = (),
    ) -> None:
        self.run = subject
        """The whole run: the subject of the outermost level."""
        self.options = options or Options(DEFAULT)
        self.oracles = oracles or Chain()
        strategy(self.options.strategy)
        self._steps: list[Step] = []
        self._asked_of: list[tuple[Subject, int]] = []
        """For every step the subject whose nodes it names, and the offset of its node numbers in that subject."""
        self._undone: list[list[Step]] = []
        self._insides: Insides = {}
        self._transformed: TransformedSubjects = {}
        self._levels = Levels(subject, self.options, self._insides, self._transformed)
        for step in steps:
            check(self._levels, step)
            self._take(step)
        if not self.answers:
            self._consult_comparers()
            self._consult_witnesses()
        self._outcome = self._advance()

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps so far, from any source; enough to rebuild the session."""
        return tuple(self._steps)

    @property
    def outcome(self) -> Outcome:
        """The next question, or the end of the search."""
        return self._outcome

    @property
    def subject(self) -> Subject:
        """The subject of the outcome: the run, or the inside of a buggy node of it."""
        return self._levels.innermost.subject

    @property
    def state(self) -> State:
        """The state of the innermost level; read-only."""
        return self._levels.innermost

    @property
    def levels(self) -> Levels:
        """The states of all levels; read-only."""
        return self._levels

    @property
    def contradictions(self) -> list[Contradiction]:
        """Contradictions between the answers, on all open levels."""
        return [contradiction for state in self._levels.open() for contradiction in state.contradictions]

    @property
    def answers(self) -> list[tuple[Answer, Subject]]:
        """All answers in order, each with the subject whose node it names."""
        pairs = zip(self._steps, self._asked_of, strict=True)
        return [
            (evolve(step, node=step.node - offset) if offset else step, subject)
            for step, (subject, offset) in pairs
            if isinstance(step, Answer)
        ]

    @property
    def transformations(self) -> tuple[str, ...]:
        """The transformations that are in effect, in the order they were applied."""
        loops = (LOOP_EXPANSION,) if self.state.asks_loops else ()
        return loops if self._levels.view is None else (*loops, *self._levels.view.subject.names)

    def node_to_show(self, node: int) -> int:
        """The node of `subject` to show for a question: the node itself, or the first node of a range."""
        view = self._levels.view
        position = None if view is None or not self._levels.is_made(node) else view.subject.position(node)
        return node if view is None or position is None else view.subject.nodes(position)[0]

    def parts(self, node: int) -> tuple[int, ...]:
        """The nodes of `subject` that a node stands for: itself, or all nodes of a range."""
        return self._levels.parts(node) or (node,)

    def names(self, ids: Sequence[object]) -> Sequence[object]:
        """The names of all nodes, given those of the subject's nodes; a range is named `FIRST-LAST`."""
        view = self._levels.view
        if view is None:
            return ids
        ranges = (view.subject.parts(position) for position in range(len(view.subject.tree)))
        return [*ids, *(f"{ids[parts[0]]}-{ids[parts[-1]]}" if parts else "" for parts in ranges)]

    def say(self, step: Step) -> Outcome:
        """Take a step and return the new outcome; an invalid step raises an error and changes nothing."""
        check(self._levels, step)
        if isinstance(step, Reject) and not (
            isinstance(self._outcome, Found) and self._outcome.verdict.node == step.node
        ):
            raise BadAnswerError(f"node {step.node} is not the verdict, so it cannot be rejected")
        self._take(step)
        if isinstance(step, Answer) and step.is_of_behaviour and not self._levels.is_made(step.node):
            for same in revised_answers(self.state, step):
                self._take(same)
        self._undone.clear()
        if isinstance(step, AddRule):
            self._apply_rule(step)
        self._outcome = self._advance()
        return self._outcome

    def answer(self, judgement: Judgement) -> Outcome:
        """Answer the current question."""
        if not isinstance(self._outcome, Ask):
            raise BadAnswerError("there is no question to answer")
        return self.say(Answer(self._outcome.question.node, judgement))

    @property
    def can_undo(self) -> bool:
        """Whether there is a step of a person to undo."""
        return any(map(_by_person, self._steps))

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone after the last new one."""
        return bool(self._undone)

    def undo(self) -> Outcome:
        """Undo the last step of a person, and all steps of oracles after it."""
        last = next((i for i in reversed(range(len(self._steps))) if _by_person(self._steps[i])), None)
        if last is None:
            raise BadAnswerError("there is nothing to undo")
        self._undone.append(self._steps[last:])
        self._rebuild(self._steps[:last])
        return self._outcome

    def redo(self) -> Outcome:
        """Repeat the steps that were undone last."""
        if not self._undone:
            raise BadAnswerError("there is nothing to redo")
        self._rebuild([*self._steps, *self._undone.pop()])
        return self._outcome

    def why(self) -> Reason:
        """Why the current question is asked, and how many candidates each answer would leave."""
        if not isinstance(self._outcome, Ask):
            raise BadAnswerError("there is no question to explain")
        node, view = self._outcome.question.node, self._levels.view
        position = None if view is None else view.subject.position(node)
        space = self.state.space if view is None or position is None else view.state.space
        weights = weigh(space)
        inside = weights.of(node if position is None else position)
        known = 0 if space.top is None else 1
        candidates = weights.total + known
        return Reason(
            because=self._because(node),
            candidates=candidates,
            yes_leaves=candidates - inside,
            no_leaves=inside,
            questions_left=ceil(log2(max(candidates, 2))),
        )

    def question(self, node: int) -> Question:
        """The question about a node of the subject."""
        view, reopened = self._levels.view, self.state.reopened.get(node)
        position = None if view is None or not self._levels.is_made(node) else view.subject.position(node)
        if view is not None and position is not None:
            return Question(view.subject.facts(node), view.subject.behaviour(position), zoomed=self._levels.path)
        return Question(
            self.subject.tree.facts(node),
            self.subject.behaviour(node),
            default=None if reopened is None else reopened.judgement.value,
            zoomed=self._levels.path,
        )

    # Internals

    def _because(self, node: int) -> str:
        """The reason for asking about a node."""
        if node in self.state.reopened:
            return "the rejected verdict rests on it"
        if node == self.state.space.maker_of_marked():
            marked, trace = self.state.space.traces[-1]
            answer = self.state.answers.get(marked)
            by_person = answer is not None and answer.source.is_person
            return f"{'what you marked was' if by_person else 'what failed was'} {trace.explanation}"
        return because(self.state.strategy)

    def _take(self, step: Step) -> None:
        """Append a step and apply it."""
        self._steps.append(step)
        view = self._levels.view
        is_made = view is not None and isinstance(step, Answer) and self._levels.is_made(step.node)
        self._asked_of.append((view.subject, len(self.subject.tree)) if view and is_made else (self.subject, 0))
        self._levels.apply(step)

    def _rebuild(self, steps: list[Step]) -> None:
        """Replay a list of steps without consulting oracles."""
        self._steps, self._asked_of = [], []
        self._levels = Levels(self.run, self.options, self._insides, self._transformed)
        for step in steps:
            self._take(step)
        self._outcome = self._advance(consult=False)

    def _advance(self, *, consult: bool = True) -> Outcome:
        """Run Algorithm 1's loop until a person has to answer or the search ends."""
        while True:
            space = self.state.space
            if self.options.stop_at_rule and len(rules_left(space)) == 1:
                return Found(only_rule(self.subject, space))
            node = self._next()
            if node is None and self._levels.view is not None:
                self._take(Transform(ORIGINAL, _EXHAUSTED))
                continue
            if node is None:
                end = self._levels.end()
                if isinstance(end, DeadEnd) and consult and self._oracles_gave_up():
                    self._take(AskSkipped(Source("session", "no oracle knows")))
                    continue
                if isinstance(end, DeadEnd):
                    return DeadEnd(shortened(self.subject, self.state, end.verdict))
                if end.verdict.node is None:
                    return end
                excluded = self.state.is_excluded(end.verdict.node)
                if not excluded and self._levels.can_zoom(end.verdict.node):
                    self._take(Zoom(end.verdict.node))
                elif consult and (right := self._acquittal(end.verdict)) is not None:
                    self._take(right)
                else:
                    return contradiction(self.subject, self.state, end.verdict) if excluded else end
                continue
            if (follows := inferred_answer(self._levels, node)) is not None:
                self._take(follows)
                continue
            question = self.question(node)
            is_asked = consult and node not in self.state.revoked and not self._levels.is_made(node)
            consultation = self._consult(question) if is_asked else Consultation()
            if consultation.answer is None or (
                consultation.answer.judgement is Judgement.UNKNOWN and self._asks_skipped()
            ):
                return Ask(evolve(question, default=question.default or consultation.suggestion))
            self._take(consultation.answer)

    def _acquittal(self, verdict: Verdict) -> Answer | None:
        """A "yes" by an oracle for the whole run, if it was only assumed to be wrong and everything in it is right.

        None if anything was answered "no" or "inadmissible", which proves that something is wrong.
        """
        options, levels = self.options, self._levels.open()
        if not options.root_is_wrong or options.root_failed or verdict.node != 0 or any(self._levels.path):
            return None
        if any(0 in level.space.judged or 0 in level.revoked for level in levels):
            return None
        if any(answer.judgement in _BLAMES for level in levels for answer in level.answers.values()):
            return None
        question = Question(self.run.tree.facts(0), self.run.behaviour(0))
        answer = self._consult(question).answer
        return answer if answer is not None and answer.judgement is Judgement.YES else None

    def _consult_comparers(self) -> None:
        """Confine the search to the code that oracles leave; see `Comparer`."""
        for oracle in self.oracles.oracles:
            if isinstance(oracle, Comparer) and oracle.confined is not None:
                self._take(oracle.confined)
                self._consult_about(oracle.first)

    def _consult_witnesses(self) -> None:
        """Take the answers that oracles can give before the first question; see `Witness`."""
        for oracle in self.oracles.oracles:
            self._consult_about(oracle.nodes if isinstance(oracle, Witness) else ())

    def _consult_about(self, nodes: Iterable[int]) -> None:
        """Take the oracles' answers about those of the nodes that can be asked about."""
        for node in nodes:
            answer = self._consult(self.question(node)).answer if self.state.space.is_askable(node) else None
            if answer is not None:
                self._take(answer)

    def _oracles_gave_up(self) -> bool:
        """Whether an oracle answered "don't know", and the person was not asked instead yet."""
        return not self._asks_skipped() and any(
            isinstance(step, Answer)
            and step.judgement is Judgement.UNKNOWN
            and not (step.source.is_person or step.source.is_inferred)
            for step in self.state.standing
        )

    def _asks_skipped(self) -> bool:
        return any(isinstance(step, AskSkipped) for step in self.state.standing)

    def _next(self) -> int | None:
        """The node to ask about next: a reopened one, the maker of a marked value, or the choice of the strategy."""
        space = self.state.space
        for node in self.state.reopened:
            if space.is_askable(node):
                return node
        if not space.any_askable():
            return None
        chooser, view = strategy(self.state.strategy), self._levels.view
        if view is not None:
            return view.choose(self.state, chooser)
        maker = space.maker_of_marked()
        return chooser.choose(space) if maker is None else maker

    def _consult(self, question: Question) -> Consultation:
        """Ask the oracles, including stored answers and rules, about a question."""
        rules = [RuleOracle(self.state.rules, self.subject.holds)] if self._under_rules(question.facts.kind) else []
        identity, routine = question.behaviour.identity, question.facts.site.routine
        # The store also has the answers of this session, but a question that looks the same may be about other values.
        is_own = any(level.is_identical(identity, routine) for level in self._levels.all())
        others = [oracle for oracle in self.oracles.oracles if not (is_own and isinstance(oracle, StoredAnswers))]
        return evolve(self.oracles, oracles=[*rules, *others]).consult(question)

    def _under_rules(self, kind: NodeKind) -> bool:
        """Whether rules apply to a kind of node: they are about calls, not about the code inside."""
        return not self._levels.path or kind in ROUTINE_KINDS

    def _apply_rule(self, rule: AddRule) -> None:
        """Judge the open nodes of the routine by its new rule: first the right ones, then the smallest wrong one."""
        pending = [self.question(node) for node in self._pending(rule.routine)]
        pending = [question for question in pending if self._under_rules(question.facts.kind)]
        answers = [answer for question in pending if (answer := self._consult(question).answer)]
        size = self.subject.tree.size
        for answer in sorted(answers, key=lambda a: (a.judgement is Judgement.NO, int(size[a.node]), a.node)):
            if answer.node not in self.state.space.judged:
                self._take(answer)

    def _pending(self, routine: str) -> list[int]:
        """The askable nodes of a routine."""
        space = self.state.space
        of_routine = np.array([site.routine == routine for site in space.tree.sites])
        masks = ((s, space.askable(s, e) & of_routine[space.tree.site[s:e]]) for s, e in space.blocks())
        return [start + int(offset) for start, mask in masks for offset in np.flatnonzero(mask)]


_EXHAUSTED = Source("session", "the transformed tree has nothing left to ask")
_BLAMES = (Judgement.NO, Judgement.INADMISSIBLE)


def _by_person(step: Step) -> bool:
    source = getattr(step, "source", None)
    return source is None or source.is_person
