"""One way to open a session, for every front end: `open_recording` or `open_handmade`, then `begin_session`.

A session begun in one front end can be resumed in another: its subject has the same identity everywhere.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import Event
from typing import Generic, TypeVar

from attrs import Factory, define, evolve, field, frozen

from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.inquiries import Inquirer, Reply
from adebug_lsp.frontends.shared.json_protocol import callable_name
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.frontends.shared.recordings import Recordings, read_note
from adebug_lsp.languages.elapsed_progress import ticking
from adebug_lsp.languages.language import Entry, Language, NothingToAskError, Opened, Progress, RecordedSubject
from adebug_lsp.model.answers import (
    SETTINGS,
    AddRule,
    Answer,
    Confine,
    Judgement,
    Mark,
    Scope,
    Source,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
)
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError, BadInputError, StoreError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Part
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.external_command import CommandOracle
from adebug_lsp.oracles.oracle import ORACLE_SECONDS, Executing, Oracle
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.search.strategies import DEFAULT
from adebug_lsp.session import transformation
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.phrases import HELP, Asked, Command, Inquiry, open_question, parse
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.session.subject import Subject
from adebug_lsp.slicing.call_slicer import CallSlicer
from adebug_lsp.slicing.slicer import Slice
from adebug_lsp.store.digest import digest
from adebug_lsp.store.saved_sessions import SavedSession, SessionState
from adebug_lsp.store.store import Store
from adebug_lsp.tree.handmade import HandmadeTree


@frozen
class SessionOptions:
    """The user's choices for a session; None means the default, or in a resumed session the previous choice."""

    strategy: str | None = None
    granularity: str | None = None
    transform: tuple[str, ...] = ()
    """Transformations of the tree, in their order."""
    ask_root: bool = False
    """Ask about the whole run too, instead of assuming that it is wrong."""
    fresh: bool = False
    """Start over instead of resuming the saved session."""
    reference: str | None = None
    """A version known to be right: a path or `git:REV`."""
    oracle_seconds: float | None = None
    """Time that oracles may spend on executing code; None: the default."""

    def of_new_session(self, failed: bool) -> Options:
        """Options for a session without saved steps; `failed` means that the run is known to be wrong."""
        granularity = Granularity(self.granularity or Granularity.EXPRESSION)
        return evolve(self.of_saved_session(failed), granularity=granularity)

    def of_saved_session(self, failed: bool) -> Options:
        """Options for replaying saved steps, which include every change of granularity."""
        return Options(self.strategy or DEFAULT, root_is_wrong=not self.ask_root, root_failed=failed)


@frozen
class SessionTarget:
    """The tree that a session asks about, and the identity under which the session is stored."""

    subject: Subject
    identity: str
    """A hash of the recording or tree."""
    title: str
    trusted: tuple[str, ...] = ()
    """Packages, modules and routines that the workspace's settings trust."""
    failed: bool = False
    """Whether it is known to be wrong because a test failed or an exception was not caught."""
    node_names: Sequence[object] | None = None
    """Names of the run's nodes; None: people refer to them by number."""
    notes: tuple[str, ...] = ()
    """Remarks on how it was recorded."""


@frozen
class RecordedTarget(SessionTarget):
    """One entry of a recording: a test, or the whole run."""

    subject: RecordedSubject = field(kw_only=True)
    recording: Path = field(kw_only=True)
    language: Language = field(kw_only=True)
    opened: Opened = field(kw_only=True)
    entry: Entry = field(kw_only=True)
    not_recorded: tuple[str, ...] = field(default=(), kw_only=True)
    """Names of tests that failed in the same suite and are not in the recording."""

    @property
    def other_failures(self) -> list[str]:
        """Names of the other tests that failed."""
        recorded = [entry.name for entry in self.opened.entries if entry.failed and entry.name != self.entry.name]
        return list(dict.fromkeys([*recorded, *self.not_recorded]))


Target = TypeVar("Target", bound=SessionTarget)
Target_co = TypeVar("Target_co", bound=SessionTarget, covariant=True)


def open_recording(
    recording: Path,
    language: Language,
    progress: Progress,
    entry: str | None = None,
    *,
    identity: str | None = None,
) -> RecordedTarget:
    """Open a recording at the named entry, or at the first test that failed, or at the whole run.

    `identity` is for callers that know it: computing it reads the whole file.
    """
    opened = language.open(recording, progress)
    note = read_note(recording)
    noted = [] if note is None else [test.name for test in opened.entries if test.failed and test.name == note.entry]
    chosen = _chosen(opened.entries, next(iter(noted), None) if entry is None else entry)
    try:
        subject = opened.subject(chosen)
    except BadInputError as error:
        raise BadInputError(f"{opened.problem}; {error}" if opened.problem else str(error)) from error
    return RecordedTarget(
        subject=subject,
        identity=f"{digest(recording)} {chosen.name}".strip() if identity is None else identity,
        title=chosen.name or recording.name,
        trusted=opened.trusted,
        failed=chosen.failed,
        notes=opened.notes if note is None else (*opened.notes, *note.remarks),
        not_recorded=() if note is None else note.other_failures,
        recording=recording,
        language=language,
        opened=opened,
        entry=chosen,
    )


def open_handmade(tree: HandmadeTree, file: Path, title: str) -> SessionTarget:
    """The target for a hand-made tree that was read from a file."""
    return SessionTarget(HandmadeSubject(tree), digest(file), title, node_names=tree.ids)


def _chosen(entries: Sequence[Entry], name: str | None) -> Entry:
    """The entry to ask about: the named one, or else the first failed test, or else the whole run."""
    if name is not None:
        named = next((entry for entry in entries if entry.name == name), None)
        if named is None:
            raise BadInputError(f"the recording has no test {name!r}")
        return named
    failed = [entry for entry in entries if entry.failed]
    whole = [entry for entry in entries if not entry.name]
    chosen = next(iter([*failed, *whole]), None)
    if not entries:
        raise NothingToAskError(wording.NO_TESTS_RAN)
    if chosen is None:
        raise NothingToAskError(wording.no_test_failed(len(entries)))
    return chosen


@define
class OpenSession(Generic[Target_co]):
    """A session with its target and its place in the store. Front ends render it, and pass answers to it."""

    target: Target_co
    session: Session
    keeper: SessionWriter | None
    """Writes it to the store; None: nothing is stored."""
    resumed: bool = False
    notes: list[str] = Factory(list)
    """Remarks on how it was recorded and resumed."""
    faded: tuple[Location, ...] | None = None
    """The code outside the slice that was shown last, until the session goes on; None if no slice is shown."""

    @property
    def has_verdict(self) -> bool:
        """Whether no question is left."""
        return not isinstance(self.session.outcome, Ask)

    def node_names(self) -> Sequence[object] | None:
        """Names of the nodes of the tree being searched; None: they have none."""
        names = self.target.node_names
        return None if self.session.levels.path or names is None else self.session.names(names)

    def node_named(self, name: str) -> int:
        """The node with this name, or with this number if nodes have no names; raises `BadAnswerError`."""
        for node, known in enumerate(self.node_names() or range(len(self.session.subject.tree))):
            if str(known) == name:
                return node
        raise BadAnswerError(f"there is no node {name!r}")

    # Answers

    def answer(self, line: str, asked: Asked | None = None) -> list[str] | None:
        """Handle a typed answer; returns messages for the user, or None for "quit".

        It answers the open question, unless `asked` returns another one.
        """
        step = parse(line, self.session, self.node_named, asked)
        if isinstance(step, Inquiry):
            return self.inquire(step).lines
        return self.execute(step) if isinstance(step, Command) else self.take(step)

    def inquire(self, inquiry: Inquiry) -> Reply:
        """Answer an inquiry about a value; the session does not change."""
        subject, sources = self.session.subject, Sources(self.session.subject.sources())
        if not isinstance(self.target, RecordedTarget):
            return Inquirer(subject.dependences, None, _no_parts, sources, _no_slice).reply(inquiry)
        nodes = self.session.parts(inquiry.question.node)
        if len(nodes) > 1:
            raise BadAnswerError(
                "this question is about several nodes of the run; `transform original` asks about each"
            )
        facts = evolve(inquiry.question.facts, node=nodes[0])
        inquiry = evolve(inquiry, question=evolve(inquiry.question, facts=facts))
        run = recorded = self.target.subject
        for node in self.session.levels.path:
            recorded = recorded.inside(node) or recorded
        root = None if run.tracing is None else (run.tracing, Question(run.tree.facts(0), run.behaviour(0)))
        take_slice = partial(self._slice, recorded, self.target)
        known = subject.dependences, recorded.tracing, recorded.parts, sources, take_slice, root
        reply = Inquirer(*known).reply(inquiry)
        self.faded = reply.outside
        return reply

    def _slice(
        self, asked: RecordedSubject, target: RecordedTarget, node: int, mark: Mark, forward: bool
    ) -> Slice | None:
        """The slice of a part of a node."""
        if asked.tracing is not None:
            return asked.tracing.slice(node, mark, forward=forward)
        slicer = target.opened.slicer(target.subject)
        if not isinstance(slicer, CallSlicer) or forward or asked is not target.subject:
            return None
        return slicer.backward([slicer.part(node, mark)])

    def answer_with(
        self,
        line: str,
        asked: Asked | None = None,
        *,
        rule: str | None = None,
        mark: Callable[[Question], Mark] | None = None,
        expected: str | None = None,
    ) -> list[str] | Command | Inquiry:
        """Handle an answer with separate rule, mark and expected value, as protocols send it.

        A rule is added first; if it decides the question, the rest is dropped. Commands and inquiries are returned, not
        executed.
        """
        messages: list[str] = []
        if rule is not None:
            question = open_question(self.session) if asked is None else asked()
            messages += self.take(AddRule(question.facts.site.routine, rule))
            if line == "rule" or question.node in self.session.state.space.judged:
                return messages
        step = parse(line, self.session, self.node_named, asked)
        if isinstance(step, Command | Inquiry):
            return step
        if mark is not None or expected is not None:
            if not isinstance(step, Answer):
                raise BadAnswerError("a mark or an expected value needs the answer yes, no or inadmissible")
            question = open_question(self.session) if asked is None else asked()
            step = Answer(step.node, step.judgement, step.mark if mark is None else mark(question), expected)
        return messages + self.take(step)

    def execute(self, command: Command) -> list[str] | None:
        """Execute a command that is not a step; returns messages for the user, or None for "quit"."""
        match command:
            case Command.QUIT:
                return None
            case Command.HELP:
                return HELP.splitlines()
            case Command.TRANSFORMATIONS:
                return transformation.listed()
            case Command.WHY:
                return [wording.reason(self.session.why())]
            case Command.UNDO:
                self.session.undo()
            case Command.REDO:
                self.session.redo()
        self.save()
        return []

    def take(self, step: Step) -> list[str]:
        """Apply a step; returns messages for the user."""
        self.faded = None
        state = self.session.state
        traced = len(state.space.traces)
        self.session.say(step)
        self.save()
        if isinstance(step, Answer) and step.mark and len(state.space.traces) == traced:
            return [wording.mark_not_traced(step.judgement)]
        return []

    def give_up(self) -> None:
        """Answer all remaining questions with "don't know", so that at least candidates are reported."""
        while isinstance(self.session.outcome, Ask):
            node = self.session.outcome.question.node
            self.session.say(Answer(node, Judgement.UNKNOWN, source=Source("nobody", "there was no answer")))

    # The store

    def save(self) -> None:
        """Write the session to the store; a failure is added to `new_problems`."""
        if self.keeper is None:
            return
        try:
            self.keeper.save(self.session)
        except StoreError as error:
            self.keeper.store.database.report(str(error))

    def new_problems(self) -> list[str]:
        """Problems of oracles and of the store since the last call."""
        chain = self.session.oracles
        sources = [chain.problems, *(oracle.problems for oracle in chain.oracles if isinstance(oracle, CommandOracle))]
        if self.keeper is not None:
            sources.append(self.keeper.store.problems)
        problems = [problem for source in sources for problem in source]
        for source in sources:
            source.clear()
        return problems


def _no_slice(_node: int, _mark: Mark, _forward: bool) -> None:
    """None, because hand-made trees have no code."""


def _no_parts(_identity: int, _moment: int, _start: int, _count: int) -> Sequence[Part]:
    """No parts, because hand-made trees list all parts of their values."""
    return ()


@contextmanager
def begin_session(
    target: Target,
    options: SessionOptions,
    *,
    workspace: Path | None,
    progress: Progress,
    problem: Callable[[str], None],
    oracles: Sequence[Oracle] = (),
    stop: Event | None = None,
) -> Iterator[OpenSession[Target]]:
    """Start or resume a session, and search for its first question; `stop` ends the waiting for oracles.

    Without a workspace nothing is stored, and nothing stored is used. The oracles of the target's language are asked
    before those that are passed in.
    """
    with ExitStack() as closing:
        store = None
        if workspace is not None:
            store = closing.enter_context(Store.open(workspace))
        own: Sequence[Oracle] = ()
        searching: AbstractContextManager[object] = nullcontext()
        if isinstance(target, RecordedTarget):
            if workspace is not None:
                Recordings(workspace).asked_about(target.recording, target.entry.name, target.identity)
            own = closing.enter_context(target.opened.oracles(target.subject, options.reference, problem))
            for oracle in own:
                if isinstance(oracle, Executing):
                    oracle.seconds_left = options.oracle_seconds or ORACLE_SECONDS
            searching = ticking(progress, "looking for the first question")
            store = None if store is None else store.for_language(target.language.name)
        with searching:
            open_session = session_about(target, options, store, [*own, *oracles], stop)
        open_session.save()
        yield open_session


def session_about(
    target: Target,
    options: SessionOptions,
    store: Store | None = None,
    oracles: Sequence[Oracle] = (),
    stop: Event | None = None,
) -> OpenSession[Target]:
    """A session at its first question, or where it was left; `begin_session` provides the store and the oracles."""
    notes = [*target.notes]
    if store is None:
        chain = Chain(oracles, stop=stop)
        new_options = options.of_new_session(target.failed)
        session = Session(target.subject, new_options, oracles=chain, steps=_trust_in(target, ()))
        notes += [*_confined(session), *_transform(session, options)]
        return OpenSession(target, session, None, notes=notes)
    chain = Chain([StoredAnswers(store.answers), *oracles], stop=stop)
    saved = [session for session in store.sessions.of_subject(target.identity) if session.state is SessionState.OPEN]
    if saved and not options.fresh:
        try:
            session = _resumed(target, saved[0], options, chain)
        except BadAnswerError as error:
            notes.append(wording.cannot_resume(error))
        else:
            notes.append(wording.resumed(sum(isinstance(step, Answer) for step in saved[0].steps)))
            notes += _transform(session, options)
            return OpenSession(target, session, SessionWriter(store, saved[0]), resumed=True, notes=notes)
    trust = _trust_in(target, store.trust.of_language())
    session = Session(target.subject, options.of_new_session(target.failed), oracles=chain, steps=trust)
    notes += [*_confined(session), *_transform(session, options)]
    return OpenSession(target, session, SessionWriter(store, SavedSession(target.identity, target.title)), notes=notes)


def _confined(session: Session) -> list[str]:
    """A note on the code that an oracle left as candidates, if it compared code."""
    steps = [step for step in session.steps if isinstance(step, Confine)]
    return [wording.confined([*step.routines, *(code.routine for code in step.elsewhere)]) for step in steps]


def _transform(session: Session, options: SessionOptions) -> list[str]:
    """Apply the chosen transformations that are not applied yet; returns messages about those that cannot be."""
    problems = []
    for name in options.transform:
        if name not in session.transformations:
            try:
                session.say(Transform(name))
            except BadAnswerError as error:
                problems.append(f"transform {name}: {error}")
    return problems


def replayed_session(target: SessionTarget, steps: Sequence[Step], options: Options | None = None) -> Session:
    """A read-only copy of a saved session: no oracle is asked and nothing is stored."""
    options = Options(DEFAULT) if options is None else options
    try:
        return Session(target.subject, options, steps=steps)
    except BadAnswerError:  # it started with a question about the root
        return Session(target.subject, evolve(options, root_is_wrong=False), steps=steps)


def _resumed(target: SessionTarget, saved: SavedSession, options: SessionOptions, oracles: Chain) -> Session:
    """The session as it was left, with the newly chosen strategy and granularity, if any."""
    session = Session(target.subject, options.of_saved_session(target.failed), oracles=oracles, steps=saved.steps)
    if options.strategy is not None and options.strategy != session.state.strategy:
        session.say(SwitchStrategy(options.strategy))
    if options.granularity is not None and options.granularity != session.state.granularity.value:
        session.say(SwitchGranularity(options.granularity))
    return session


def _trust_in(target: SessionTarget, stored: Sequence[Trust]) -> list[Trust]:
    """Trust from the workspace's settings and from earlier sessions in routines and modules that this run executed."""
    sites = target.subject.tree.sites
    executed = {(Scope.ROUTINE, site.routine) for site in sites} | {(Scope.MODULE, site.module) for site in sites}
    by_settings = [_trust_by_settings(site, name) for site in sites for name in target.trusted]
    earlier = [Trust(t.scope, t.name, Source("stored trust")) for t in stored if (t.scope, t.name) in executed]
    return list(dict.fromkeys([*filter(None, by_settings), *earlier]))


def _trust_by_settings(site: Site, name: str) -> Trust | None:
    """The trust in a site by the name of a package, a module or a routine."""
    if f"{site.module}.".startswith(f"{name}."):
        return Trust(Scope.MODULE, site.module, SETTINGS)
    if name in (site.routine, callable_name(site)):
        return Trust(Scope.ROUTINE, site.routine, SETTINGS)
    return None
