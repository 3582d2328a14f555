"""User-visible text: questions, answers, verdicts and notes, worded once for all front ends.

Functions return plain text without layout; front ends decide where and how to show it. Texts of behaviours
come from the languages, those of errors from where they are raised.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

from adebug_lsp.frontends.shared.json_protocol import callable_name
from adebug_lsp.frontends.shared.positions import shown
from adebug_lsp.languages.language import Ended, Entry
from adebug_lsp.model.answers import Answer, Judgement, Transform, Zoom
from adebug_lsp.model.behaviour import Question, Reason
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.plural import counted
from adebug_lsp.model.presentation import Presentation, Row, Section
from adebug_lsp.model.verdicts import Candidate, Verdict, VerdictKind
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject

# Errors


def error(problem: AdebugError) -> str:
    """The message of an error with its slug, which has a section in `docs/messages.md`."""
    return f"{problem} [{problem.slug}]"


# Answers


@frozen
class AnswerKey:
    """A key of the terminal, its answer, and its label. A key without an answer opens a prompt."""

    key: str
    word: str
    label: str


ANSWER_KEYS = (
    AnswerKey("y", "yes", "yes"),
    AnswerKey("n", "no", "no"),
    AnswerKey("d", "unknown", "don't know"),
    AnswerKey("i", "inadmissible", "bad input"),
    AnswerKey("t", "trust", "trust"),
)
"""The answers that need nothing but a key, a button or a code lens."""
PROMPT_KEYS = (AnswerKey("m", "", "mark a part"), AnswerKey("e", "", "expected value"))
OTHER_KEYS = (
    AnswerKey("u", "undo", "undo"),
    AnswerKey("r", "redo", "redo"),
    AnswerKey("w", "why", "why"),
    AnswerKey("z", "zoom", "finer"),
    AnswerKey("s", "", "strategy"),
    AnswerKey(":", "", "other words"),
    AnswerKey("?", "help", "help"),
    AnswerKey("q", "quit", "quit"),
)
BAD_INPUT = "bad input: it should never have been called like this"
_LABELS = {key.word: key.label for key in ANSWER_KEYS}


def label(judgement: Judgement | str) -> str:
    """The label of a judgement, or of the word that stands for it in protocols."""
    word = judgement.value if isinstance(judgement, Judgement) else judgement
    return _LABELS.get(word, word)


def key_line(keys: Sequence[AnswerKey]) -> str:
    """Keys with their labels."""
    return "   ".join(f"{key.key} {key.label}" for key in keys)


def answered(answer: Answer, subject: Subject) -> str:
    """One of the answers that a verdict is based on."""
    by = "" if answer.source.is_person else f", by {answer.source.oracle}"
    return f"{subject.behaviour(answer.node).text} (answered {label(answer.judgement)}{by})"


def answered_by_oracles(session: Session) -> Iterator[tuple[Answer, Subject, str]]:
    """Answers by oracles since the user's last one, each with its text."""
    count = 0
    for step in reversed(session.steps):
        if isinstance(step, Answer) and not step.source.is_person:
            count += 1
        elif not isinstance(step, Zoom | Transform) or step.source.is_person:
            break
    for answer, subject in session.answers[len(session.answers) - count :]:
        source, text = answer.source, subject.behaviour(answer.node).text
        yield answer, subject, f"{text}: {label(answer.judgement)}, by {source.oracle} ({source.reason})"


def answer_count(session: Session) -> str:
    """Number of answers, for a narrow line: `10 answers, 1 by oracles`."""
    sources = [answer.source for answer, _subject in session.answers]
    by_oracles = sum(not (source.is_person or source.is_inferred) for source in sources)
    by_person = counted(sum(source.is_person for source in sources), "answer")
    return f"{by_person}, {by_oracles} by oracles" if by_oracles else by_person


def given_by(session: Session) -> str:
    """Number of answers by source: `10 answers from you, 1 from the assertion`."""
    counts = Counter(answer.source.oracle for answer, _subject in session.answers if not answer.source.is_inferred)
    person = counts.pop("person", 0)
    return ", ".join([f"{counted(person, 'answer')} from you", *(f"{n} from {oracle}" for oracle, n in counts.items())])


def mark_not_traced(judgement: Judgement) -> str:
    """The reply to a mark on a value whose origin the recording does not have."""
    return f'adebug: Couldn\'t trace that value; recorded as a plain "{label(judgement)}".'


# Questions

ASK_NUMBER = "Which is the first that is wrong? Type its number; 0: none."
INTRODUCTION = "adebug asks: is this what the code should have done? Answer here with yes or no; ? lists all answers."
"""Help for debug consoles, some of which have their own `help`."""
STILL_LOOKING = "adebug: no condition has been true so far; continue to look further"
CANCELLED = "adebug: cancelled; you are asked instead of the oracles that were still running"
SESSION_KEPT = "The session is saved. End the debug session, or keep answering."
NOT_RUN = "did not run in the call that is asked about"
OUTSIDE_SLICE = "not in the slice that is shown"


def introduction(session: Session) -> str:
    """The line before the first question."""
    known = "The run went wrong" if session.options.root_is_wrong else "The run may have gone wrong"
    steps = counted(len(session.run.tree), "step")
    return f"{known}; {steps} to search. Did each do what it should have? Answer y or n."


def short_question(asked: str, prompt: str) -> str:
    """A question on one line: the code that ran, and what to judge."""
    judged = prompt.rpartition(": ")[2]
    return f"{asked}: {judged[0].lower()}{judged[1:]}"


def headline(presentation: Presentation, question: Question) -> str:
    """The first line of a question; a question itself, unless the rows show the outcome."""
    return f"{presentation.asked}{'?' if presentation.asked == question.behaviour.text else ':'}"


def labelled(presentation: Presentation) -> Iterator[tuple[str, Row]]:
    """The rows that the headline does not show, with the label of a section at its first row."""
    before = None
    for row in presentation.below:
        yield "" if row.section is before else row.section.value, row
        before = row.section


def row_lines(label: str, row: Row) -> list[str]:
    """A row as lines; an effect is described by its name, and output of several lines is a block."""
    head = f"  {row.on_one_line}" if row.section is Section.EFFECT else f"  {label:9} {row.on_one_line}"
    return [head, *(f"    | {line}" for line in row.lines)]


def called_by(presentation: Presentation) -> list[str]:
    """A line with the place of the call in question."""
    site = presentation.call_site
    return [] if site is None else [f"  {'called by':9} {site.routine}: {site.text}    at {shown(site.location)}"]


def question_rows(presentation: Presentation) -> list[str]:
    """The rows below the headline as lines of text, and where the call was made."""
    lines = [line for label, row in labelled(presentation) for line in row_lines(label, row)]
    return [*lines, *called_by(presentation)]


def questions_left(session: Session) -> str:
    """The estimate of the questions to come."""
    return f"about {session.why().questions_left} left"


def question_notes(question: Question) -> list[str]:
    """Notes on a question: the earlier answer, and why the values are not exact."""
    notes = [f"answered before: {label(question.default)}"] if question.default else []
    return notes + ([f"less exact than usual: {question.behaviour.coarse}"] if question.behaviour.coarse else [])


def reason(why: Reason) -> str:
    """The reply to "why"."""
    return (
        f"Asked because {why.because}. {counted(why.candidates, 'candidate')} left: "
        f"yes leaves {why.yes_leaves}, no leaves {why.no_leaves}."
    )


# Verdicts

NO_BUG = "No bug found"
DEAD_END = "Dead end: one of these is the bug"


def verdict_title(verdict: Verdict, session: Session, *, counts: bool = True) -> str:
    """The outcome of a search in one line; `counts` adds the number of answers by the user."""
    if verdict.kind is VerdictKind.NONE:
        return NO_BUG
    if verdict.kind is VerdictKind.CANDIDATES:
        return DEAD_END
    after = ""
    if counts:
        after = f" after {counted(sum(answer.source.is_person for answer, _subject in session.answers), 'answer')},"
    where = "" if verdict.node is None else f" in {found_in(verdict, session)}"
    return f"{bug_title(verdict.kind.value)}{after}{where}" if where else bug_title(verdict.kind.value)


def bug_title(kind: str) -> str:
    """The title of a verdict, by its kind in the JSON protocol."""
    titles = {"none": NO_BUG, "candidates": DEAD_END, "inadmissible": "Bug found: a call with bad input"}
    return titles.get(kind, "Bug found")


def found_in(verdict: Verdict, session: Session) -> str:
    """The routine of a verdict, or in a tree without source its rule."""
    site = None if verdict.node is None else session.subject.tree.site_of(verdict.node)
    if site is not None and site.location is not None:
        return callable_name(site)
    return str(verdict.rule) if session.subject.sources() else f"the rule {verdict.rule}"


def candidates(verdict: Verdict) -> list[tuple[Candidate, str]]:
    """The nodes of a dead end, each with the group that it is in."""
    wrong = [(candidate, "wrong, if what follows is right:  ") for candidate in verdict.known_wrong]
    return wrong + [(candidate, "answered with don't know:         ") for candidate in verdict.unknown]


def candidate_text(candidate: Candidate) -> str:
    """A candidate, with the reason why it is one if there is more to say than that nobody judged it."""
    return f"{candidate.text} ({candidate.why})" if candidate.why else candidate.text


def left_out(verdict: Verdict) -> list[str]:
    """The number of candidates that are not listed, if there are any."""
    return [f"and {counted(verdict.left_out, 'candidate')} more"] if verdict.left_out else []


def next_steps(verdict: Verdict) -> str:
    """The commands to type after a verdict."""
    if verdict.kind is VerdictKind.CANDIDATES:
        return '"skipped" asks those with "don\'t know" again.'
    if verdict.node is None:
        return '"undo" undoes the last answer.'
    finer = '"zoom" asks about its parts. ' if verdict.can_zoom else ""
    return f'{finer}Not the bug? "reject" reopens the answers, "undo" undoes the last one.'


# Beginning and end

MOST_NAMED = 5
"""Tests that failed too are named up to this number."""
NO_TESTS_RAN = "no tests ran; see the output of the test runner above"
NOTHING_TO_FIND = "no test failed, so there is nothing to find"
NOTHING_TO_EXPORT = "no answer states what a call with plain values should return, so there is no test to write"


def no_test_failed(recorded: int) -> str:
    """Why there is nothing to ask about a run of tests."""
    return f"{NOTHING_TO_FIND} ({recorded} recorded)"


def run_ended(ended: Ended) -> str:
    """How a run ended."""
    return ended.message or f"the run {ended.how}, exit code {ended.exit_code}"


def asking_about(entry: Entry, other_failures: Sequence[str]) -> list[str]:
    """Which test is asked about, and which others failed."""
    about = [f"asking about {entry.name}: {entry.message}"] if entry.name else []
    more = f" and {len(other_failures) - MOST_NAMED} more" if len(other_failures) > MOST_NAMED else ""
    return about + ([f"failed too: {', '.join(other_failures[:MOST_NAMED])}{more}"] if other_failures else [])


def confined(routines: Sequence[str]) -> str:
    """Which of the executed routines differ in the reference."""
    if not routines:
        return "the reference has the same code for everything that ran"
    more = f" and {len(routines) - MOST_NAMED} more" if len(routines) > MOST_NAMED else ""
    return f"of what ran, the reference has other code for {', '.join(routines[:MOST_NAMED])}{more}"


def resumed(answers: int) -> str:
    """The note of a resumed session."""
    return f"resuming with {counted(answers, 'answer')} from before"


def cannot_resume(error: Exception) -> str:
    """The note of a session that starts over because the saved one does not fit."""
    return f"cannot resume the saved session, so this one starts over: {error}"


def exported(file: object, tests: int, left_out: int) -> str:
    """The number of tests written, and of answers left out."""
    rest = f"; {counted(left_out, 'answer')} cannot be written as a test" if left_out else ""
    return f"{file}: {counted(tests, 'test')}{rest}"


def progress(doing: str, done: int, total: int | None) -> str:
    """Progress of long work; see `languages.language.Progress`."""
    if total:
        return f"{doing}: {done} of {total}"
    return f"{doing}: {done} s" if done else f"{doing} ..."
