"""A session's question or verdict as immutable data: made on the worker, read by every feature."""

from attrs import frozen

from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.json_protocol import question_line, verdict_line
from adebug_lsp.frontends.shared.open_session import OpenSession, RecordedTarget
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.language import Language, RecordedSubject, TraceValue
from adebug_lsp.model.answers import Answer
from adebug_lsp.model.folding import fold
from adebug_lsp.model.presentation import Presentation, present
from adebug_lsp.model.source import Location
from adebug_lsp.session.outcome import Ask, DeadEnd
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject

MOST_ANSWERS = 20
"""Maximum number of answers to show; only the end of a longer chain is shown."""


@frozen
class ChainAnswer:
    """One of the answers that a verdict is based on."""

    text: str
    place: Location | None


@frozen
class View:
    """A question or a verdict, with everything that features show about it."""

    number: int
    """Changes with every step, so that an answer to an older question is detected."""
    language: Language
    session: str
    """The id of the session in the store."""
    line: dict[str, object]
    """The question or verdict, as in the JSON protocol."""
    presentation: Presentation | None
    """None if there is no question."""
    place: Location | None
    """The code in question, or the buggy code."""
    projection: tuple[Location, ...]
    unexecuted: tuple[Location, ...]
    """Code to fade: code that did not run or, while a slice is shown, code outside of it."""
    shows_slice: bool
    trace_values: tuple[TraceValue, ...]
    chain: tuple[ChainAnswer, ...]
    sources: Sources
    can_undo: bool
    dead_end: bool
    followed: bool = False
    """Whether another front end holds the session and asks the question."""

    @property
    def asks(self) -> bool:
        """Whether there is a question."""
        return self.line["type"] == "question"

    @property
    def names_bug(self) -> bool:
        """Whether there is a verdict that can be rejected."""
        return not self.asks and bool(self.line["callable"])

    @property
    def text(self) -> str:
        """The question or the verdict on one line."""
        if self.presentation is not None:
            return wording.short_question(self.presentation.asked, self.presentation.prompt)
        name = f" in {self.line['callable']}" if self.line["callable"] else ""
        return f"{wording.bug_title(str(self.line['kind']))}{name}: {self.line['explanation']}"

    def in_short(self, most: int) -> str:
        """The question or the verdict in about `most` characters, with what is judged whole."""
        if self.presentation is None:
            return fold(self.text, most)
        prompt = self.presentation.prompt
        return wording.short_question(fold(self.presentation.asked, most - len(prompt) - 2), prompt)

    @property
    def message(self) -> str:
        """The question with its values, one to a line; or the verdict."""
        return "\n".join([self.text, *([] if self.presentation is None else wording.question_rows(self.presentation))])


def view_of(open_session: OpenSession[RecordedTarget], number: int) -> View:
    """The current view of a session."""
    session, keeper = open_session.session, open_session.keeper
    outcome = session.outcome
    sources = Sources(session.subject.sources())
    node = session.node_to_show(outcome.question.node) if isinstance(outcome, Ask) else outcome.verdict.node
    subject = _searched(open_session)
    place: Location | None
    presentation = None
    faded = open_session.faded
    if faded is None:
        faded = () if node is None else subject.unexecuted(node)
    if isinstance(outcome, Ask):
        presentation = present(outcome.question.behaviour, outcome.question.facts.kind)
        line = question_line(number, outcome.question, session, sources)
        place, projection = outcome.question.facts.site.location, outcome.question.behaviour.projection
    else:
        line = verdict_line(outcome.verdict, session, sources)
        place, projection = next(iter(outcome.verdict.code), None), ()
    return View(
        number=number,
        language=open_session.target.language,
        session="" if keeper is None else keeper.saved.id,
        line=line,
        presentation=presentation,
        place=place,
        projection=projection,
        unexecuted=faded,
        shows_slice=open_session.faded is not None,
        trace_values=() if node is None else tuple(subject.trace_values(node)),
        chain=chain(session),
        sources=sources,
        can_undo=session.can_undo,
        dead_end=isinstance(outcome, DeadEnd),
    )


def chain(session: Session) -> tuple[ChainAnswer, ...]:
    """The last answers of a session, oldest first."""
    return tuple(_chain_answer(answer, subject) for answer, subject in session.answers[-MOST_ANSWERS:])


def _chain_answer(answer: Answer, subject: Subject) -> ChainAnswer:
    return ChainAnswer(wording.answered(answer, subject), subject.tree.site_of(answer.node).location)


def _searched(open_session: OpenSession[RecordedTarget]) -> RecordedSubject:
    """The subject of the level being searched."""
    subject = open_session.target.subject
    for node in open_session.session.levels.path:
        subject = subject.inside(node) or subject
    return subject
