"""A session on a terminal: one screen for each question, one key for each answer.

`question` and `verdict` return lines, so that they can be tested without a terminal; `hold` is the loop around them.
"""

from adebug_lsp.frontends.cli.modes.terminal import DOWN, END, ENTER, ESCAPE, UP, Terminal
from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.cli.render.mark_picker import rows, window
from adebug_lsp.frontends.cli.render.question_rows import bindings_in_short, outcome_rows, question_rows
from adebug_lsp.frontends.cli.render.source_excerpt import Excerpt
from adebug_lsp.frontends.cli.render.style import Style, rows_of, style_of
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.json_protocol import callable_name
from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget
from adebug_lsp.frontends.shared.positions import Sources, covering, shown
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError, UnknownNameError
from adebug_lsp.model.folding import fold
from adebug_lsp.model.presentation import present
from adebug_lsp.model.source import Location, Range
from adebug_lsp.model.verdicts import Verdict, VerdictKind
from adebug_lsp.search.strategies import names
from adebug_lsp.session.numbered import is_numbered, items
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.session import Session

QUESTION_KEYS = (
    wording.key_line((*wording.ANSWER_KEYS, *wording.PROMPT_KEYS)),
    wording.key_line(wording.OTHER_KEYS),
)
_WORDS = {key.key: key.word for key in (*wording.ANSWER_KEYS, *wording.OTHER_KEYS)} | {"h": "help", END: "quit"}
_AT_VERDICT = {"n": "reject", "x": "reject", "y": "quit", ENTER: "quit"}
_AT_DEAD_END = {"s": "skipped", "n": "skipped", ENTER: "quit"}


LEAST = 3
"""Minimum number of lines of code, on the smallest screen."""


def hold(open_session: OpenSession[SessionTarget]) -> int:
    """Ask until the user accepts the verdict or stops; returns the exit code."""
    terminal = Terminal()
    screen = _Screen(open_session, terminal, style_of())
    with terminal.taken():
        while screen.step():
            pass
    return 0 if open_session.has_verdict else 1


class _Screen:
    """The screen of one session."""

    def __init__(self, open_session: OpenSession[SessionTarget], terminal: Terminal, style: Style) -> None:
        self._open_session, self._terminal, self._style = open_session, terminal, style
        self._note: list[str] = []
        if not open_session.resumed:
            self._note = [escape(wording.introduction(open_session.session))]

    def step(self) -> bool:
        """Draw the question or the verdict, and handle one key; returns False at the end of the session."""
        self._note += [f"adebug: {escape(problem)}" for problem in self._open_session.new_problems()]
        width, height = self._terminal.size()
        if len(self._note) > height // 2:
            self._page(self._note, height - 2)
            self._note = []
        session = self._open_session.session
        lines = self._lines(session, width, height - len(self._note) - 2)
        self._terminal.show([*lines, "", *self._note])
        self._note = []
        answer = self._answer_of(self._terminal.key())
        if not answer:
            return True
        try:
            messages = self._open_session.answer(answer) if isinstance(answer, str) else self._open_session.take(answer)
        except (BadAnswerError, UnknownNameError) as error:
            self._note = [f"adebug: {escape(str(error))}"]
            return True
        self._note = [escape(text) for text in messages or ()]
        return messages is not None

    def _page(self, lines: list[str], height: int) -> None:
        """Show lines that would leave no room for the question, screen by screen."""
        for start in range(0, len(lines), height):
            self._terminal.show([*lines[start : start + height], self._style.faint("any key: go on   Esc, q: back")])
            if self._terminal.key() in (ESCAPE, END, "q"):
                return

    def _lines(self, session: Session, width: int, height: int) -> list[str]:
        """The question or the verdict, with as much code and as many values as fit."""
        outcome = session.outcome
        most = max(height - 22, LEAST)
        for room in (most, most * 2 // 3, most // 3, LEAST):
            if isinstance(outcome, Ask):
                lines = question(outcome.question, session, self._style, width, room)
            else:
                lines = verdict(outcome, session, self._style, width, room)
            if sum(rows_of(line, width) for line in lines) <= height:
                break
        return lines

    def _answer_of(self, key: str) -> str | Answer | None:
        """The answer for a key; empty if the key has no meaning."""
        outcome = self._open_session.session.outcome
        if isinstance(outcome, Found) and key in _AT_VERDICT:
            return _AT_VERDICT[key]
        if isinstance(outcome, DeadEnd) and key in _AT_DEAD_END:
            return _AT_DEAD_END[key]
        if key == ":":
            return self._terminal.line("> ")
        if isinstance(outcome, Ask):
            if key == ENTER:
                return outcome.question.default
            if key.isdecimal() and is_numbered(outcome.question):
                return key if len(items(outcome.question.behaviour)) < 10 else key + self._terminal.line(f"Item {key}")
            if key == "m":
                return self._pick(outcome.question)
            if key == "e":
                value = self._terminal.line("It should have returned: ")
                return value and f"expected {value}"
            if key == "s":
                name = self._terminal.line(f"Strategy ({', '.join(names())}): ")
                return name and f"strategy {name}"
        return _WORDS.get(key, "")

    def _pick(self, asked: Question) -> Answer | None:
        """Let the user choose the wrong part of a shown value."""
        choices = rows(asked.behaviour)
        chosen = 0
        while True:
            width, height = self._terminal.size()
            lines = [self._style.strong("Which part is wrong?"), ""]
            for number in window(len(choices), chosen, height - 6):
                text = choices[number].text[: width - 3]
                lines.append(f"> {self._style.changed(text)}" if number == chosen else f"  {text}")
            self._terminal.show([*lines, "", self._style.faint("up, down: choose   Enter: this one   Esc: none")])
            key = self._terminal.key()
            if key in (UP, "k"):
                chosen = max(chosen - 1, 0)
            elif key in (DOWN, "j"):
                chosen = min(chosen + 1, len(choices) - 1)
            elif key == ENTER:
                mark = choices[chosen].mark
                return Answer(asked.node, Judgement.NO if mark.in_outcome else Judgement.INADMISSIBLE, mark)
            elif key in (ESCAPE, END, "q"):
                return None


def question(
    asked: Question, session: Session, style: Style, width: int, room: int, *, with_keys: bool = True
) -> list[str]:
    """Render a question: its location, the code, the values, and the possible answers."""
    behaviour, facts = asked.behaviour, asked.facts
    lines = [*_head(session, wording.questions_left(session), style, width)]
    title = " ".join(filter(None, (facts.kind.label, escape(callable_name(facts.site)))))
    place = facts.site.location
    lines.append(style.strong(title) + ("" if place is None else style.faint(f"   {escape(shown(place))}")))
    if place is not None:
        ran = covering(behaviour.projection, place.path) or [place.range]
        lines += Excerpt(Sources(session.subject.sources()), place, ran, style).lines(room, width - 12)
    presentation = present(behaviour, facts.kind, width, room + 6)
    rows_below = _numbered(asked, width, room + 6) if is_numbered(asked) else question_rows(presentation, style)
    notes = [style.faint(f"  {escape(note)}") for note in wording.question_notes(asked)]
    headline = style.strong(fold(escape(wording.headline(presentation, asked)), 2 * width))
    ask = wording.ASK_NUMBER if is_numbered(asked) else presentation.prompt
    lines += ["", headline, *rows_below, *notes, "", ask]
    if not with_keys:
        return lines
    if asked.default:
        lines[-1] += "   Enter repeats that answer."
    return [*lines, "", *(style.faint(line) for line in QUESTION_KEYS)]


def _numbered(asked: Question, width: int, most: int) -> list[str]:
    """The numbered items, as many as fit."""
    listed = [
        f"{number:4} {fold(escape(item.text), 2 * width)}" for number, item in enumerate(items(asked.behaviour), 1)
    ]
    cut = [f"     ... {len(listed) - most} more"] if len(listed) > most else []
    return [*listed[:most], *cut]


def verdict(
    end: Found | DeadEnd, session: Session, style: Style, width: int, room: int, *, with_keys: bool = True
) -> list[str]:
    """Render a verdict: the code underlined, inputs and result, and the answers that led to it."""
    verdict = end.verdict
    if isinstance(end, DeadEnd):
        groups = [f"  {group}{escape(wording.candidate_text(c))}" for c, group in wording.candidates(verdict)]
        groups += [f"  {line}" for line in wording.left_out(verdict)]
        lines = [style.strong(f"{wording.DEAD_END}."), *groups]
        keys = "s ask skipped questions   u undo   q done"
    elif verdict.kind is VerdictKind.NONE or verdict.node is None:
        lines = [style.strong(wording.NO_BUG), f"  {escape(verdict.explanation)}."]
        keys = "u undo   q done"
    else:
        lines = _buggy(verdict, session, style, width, room)
        keys = f"n not the bug   {'z finer   ' if verdict.can_zoom else ''}u undo   q done"
    answers = [f"  {fold(escape(text), 2 * width)}" for text in _trail(session)]
    given_by = style.strong(f"{wording.given_by(session)}:")
    page = [*_head(session, "the end", style, width), *lines, "", given_by, *answers[-room:]]
    return [*page, "", style.faint(keys)] if with_keys else page


def _head(session: Session, title: str, style: Style, width: int) -> list[str]:
    inside = f"   inside {session.subject.behaviour(0).text}" if session.levels.path else ""
    text = escape(f"adebug   {wording.answer_count(session)}   {title}{inside}")[:width]
    lines = [style.strong(text), style.faint("-" * width)]
    return lines + [f"adebug: {escape(contradiction.text)}" for contradiction in session.contradictions]


def _buggy(verdict: Verdict, session: Session, style: Style, width: int, room: int) -> list[str]:
    """Render the verdict on a piece of code."""
    lines = [style.strong(escape(wording.verdict_title(verdict, session, counts=False)))]
    sources = Sources(session.subject.sources())
    for path in dict.fromkeys(place.path for place in verdict.code):
        wrong = covering(verdict.code, path)
        whole = Location(path, Range(wrong[0].start, max(part.end for part in wrong)))
        lines.append(style.faint(f"  {escape(shown(whole))}"))
        lines += Excerpt(sources, whole, wrong, style).lines(room, width - 12, style.wrong)
    lines += ["", f"  {escape(verdict.explanation)}."]
    behaviour = session.subject.behaviour(verdict.node or 0)
    if behaviour.before.bindings:
        lines.append(f"  {'with':9} {fold(bindings_in_short(behaviour.before.bindings), 2 * width)}")
    return lines + outcome_rows(present(behaviour, width=width).rows, style)


def _trail(session: Session) -> list[str]:
    """The answers in effect, from the outside inwards."""
    standing = ((level.subject, answer) for level in session.levels.open() for answer in level.answers.values())
    return [f"{wording.label(a.judgement):12} {subject.behaviour(a.node).text}{_by(a)}" for subject, a in standing]


def _by(answer: Answer) -> str:
    expected = f"   should be {answer.expected}" if answer.expected else ""
    mark = f"   marked {answer.mark}" if answer.mark and answer.judgement is not Judgement.UNKNOWN else ""
    return f"{expected}{mark}{'' if answer.source.is_person else f'   by {answer.source.oracle}'}"
