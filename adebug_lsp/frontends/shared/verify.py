"""Verifies a fix: repeats the run of the last session after an edit, and checks its answers against the new run.

Behaviours judged right should recur, those judged wrong should not, and expected values should be there now. Behaviours
are compared by identity; only the same call with another result is found by the values that it shows.
"""

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from time import monotonic

from attrs import evolve, frozen

from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.open_session import open_recording, replayed_session
from adebug_lsp.frontends.shared.recordings import Note, Recordings
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Ended, Entry, Opened, Output, Progress
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadInputError, NothingToVerifyError
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject
from adebug_lsp.store.store import Store
from adebug_lsp.tree.columns import ExecutionTree

LEAST_SECONDS = 60.0
MOST_TIMES = 10
"""Time limit of a new run: this many times the recorded one, and at least `LEAST_SECONDS`."""
_POLL = 0.05
"""Seconds between two checks whether a run should end."""


class State(Enum):
    """Whether an intended result holds in the new run."""

    HOLDS = "holds"
    BROKEN = "broken"
    GONE = "gone"
    """The call is no longer made."""


@frozen
class Intended:
    """The behaviour of a call that an answer asks for."""

    routine: str
    behaviour: Behaviour
    judgement: Judgement
    expected: str | None

    def same_call(self, other: Behaviour) -> bool:
        """Whether another behaviour started from the same shown values."""
        return _inputs(self.behaviour) == _inputs(other)

    def holds(self, other: Behaviour) -> bool:
        """Whether the same call now behaves as intended."""
        same = other.identity == self.behaviour.identity
        if self.judgement is Judgement.YES:
            return same
        if self.expected is None:
            return not same
        return other.result is not None and _tight(other.result.text) == _tight(self.expected)


@frozen
class Result:
    """An intended result, and the behaviour in the new run."""

    intended: Intended
    state: State
    now: str = ""


@frozen
class Verified:
    """All intended results, checked against a new run."""

    results: list[Result]
    entry: Entry
    ended: Ended

    @property
    def holds(self) -> bool:
        """Whether all intended results hold."""
        return not self.entry.failed and all(result.state is not State.BROKEN for result in self.results)


def verify(
    workspace: Path,
    progress: Progress,
    problem: Callable[[str], None],
    recording: Path | None = None,
    *,
    output: Output | None = None,
    stop: threading.Event | None = None,
) -> Verified:
    """Repeat the run of a session, by default the last one of the workspace, and compare.

    Raises `BadInputError` when `stop` is set, or the new run takes far longer than the recorded one. When all
    intended results hold, verdicts on changed files are dismissed, because their code is gone.
    """
    stop = stop or threading.Event()
    recording, note = _recording_to_verify(Recordings(workspace), recording)
    language = registry.language(note.language)
    if not Path(note.folder).is_dir():
        raise BadInputError(f"{note.folder}, where the last session was started, no longer exists")
    with chdir(note.folder), tempfile.TemporaryDirectory() as folder:
        session = _session(recording, note, workspace, progress, problem)
        again = Path(folder, recording.name)
        _go_on(stop)
        with _limited(note.seconds, stop) as ending:
            ended = language.record(evolve(note.request(workspace), output=output, stop=ending), again, progress)
        _go_on(stop)
        after = language.open(again, progress)
        entry = _entry(after, note)
        subject = after.subject(entry)
        verified = Verified(list(replay(_intended(session), subject, stop)), entry, ended)
    if verified.holds:
        _dismiss_verdicts(workspace, note, session.run.sources(), subject.sources())
    return verified


@contextmanager
def _limited(seconds: float | None, stop: threading.Event) -> Iterator[threading.Event]:
    """An event that ends a run: set with `stop`, or when the run has taken far longer than the recorded one.

    Raises `BadInputError` in the second case, so that a fix that loops forever does not block.
    """
    ending, over = threading.Event(), threading.Event()
    most = None if seconds is None else max(LEAST_SECONDS, MOST_TIMES * seconds)
    end = None if most is None else monotonic() + most

    def watch() -> None:
        while not over.wait(_POLL):
            if stop.is_set() or (end is not None and monotonic() > end):
                ending.set()
                return

    watching = threading.Thread(target=watch, name="adebug verify limit", daemon=True)
    watching.start()
    try:
        yield ending
    except BadInputError:  # a program that is killed may leave no recording
        if not ending.is_set():
            raise
    finally:
        over.set()
        watching.join()
    if ending.is_set() and not stop.is_set():
        raise BadInputError(
            f"the new run was stopped after {most:.0f} s, so nothing was compared; the recorded run took "
            f"{seconds:.1f} s. Does the program loop, or wait for something?"
        )


def _go_on(stop: threading.Event) -> None:
    if stop.is_set():
        raise BadInputError("the new run was stopped, so nothing was compared")


def replay(intended: Iterable[Intended], subject: Subject, stop: threading.Event) -> Iterator[Result]:
    """Find every judged call in a new run; raises `BadInputError` when `stop` is set."""
    by_routine: dict[str, list[Behaviour]] = {}
    for wanted in intended:
        _go_on(stop)
        if wanted.routine not in by_routine:
            by_routine[wanted.routine] = [subject.behaviour(node) for node in _nodes(subject.tree, wanted.routine)]
        calls = [behaviour for behaviour in by_routine[wanted.routine] if wanted.same_call(behaviour)]
        failing = next((behaviour for behaviour in calls if not wanted.holds(behaviour)), None)
        if not calls:
            yield Result(wanted, State.GONE)
        elif failing is None:
            yield Result(wanted, State.HOLDS, calls[0].text)
        else:
            yield Result(wanted, State.BROKEN, failing.text)


def report(verified: Verified) -> list[str]:
    """The result as lines of text."""
    results, entry = verified.results, verified.entry
    made = [result for result in results if result.state is not State.GONE]
    holding = [result for result in made if result.state is State.HOLDS]
    lines = [f"{len(holding)} of {len(made)} intended results now hold"]
    for result in results:
        meant = result.intended
        if result.state is State.BROKEN:
            should = f"; expected {meant.expected}" if meant.expected else ""
            lines.append(
                f"  not yet: {result.now}{should} (answered {wording.label(meant.judgement)}: {meant.behaviour.text})"
            )
        elif result.state is State.GONE:
            lines.append(f"  no longer executed: {meant.behaviour.text}")
    if entry.name:
        lines.append(f"{entry.name} {'still fails: ' + entry.message if entry.failed else 'passes now'}")
    elif verified.ended.message:
        lines.append(verified.ended.message)
    return lines


@contextmanager
def chdir(folder: str) -> Iterator[None]:
    """Change the working directory for a while."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


def _recording_to_verify(recordings: Recordings, wanted: Path | None) -> tuple[Path, Note]:
    """The wanted recording, or the newest one that a session asked about, with its note."""
    for recording in recordings.newest_first() if wanted is None else [wanted]:
        note = recordings.note(recording)
        if note is not None and note.subject:
            return recording, note
    raise NothingToVerifyError(
        "there is no session to verify in this workspace; start one with adebug run or adebug test"
    )


def _session(
    recording: Path, note: Note, workspace: Path, progress: Progress, problem: Callable[[str], None]
) -> Session:
    """The last session about a recording, as it ended."""
    with Store.open(workspace) as store:
        for text in store.problems:
            problem(text)
        saved = store.sessions.of_subject(note.subject)
    if not saved:
        raise NothingToVerifyError("the last session of this workspace was not stored, so there is nothing to verify")
    target = open_recording(recording, registry.language(note.language), progress, note.entry, identity=note.subject)
    return replayed_session(target, saved[0].steps)


def _dismiss_verdicts(workspace: Path, note: Note, before: dict[str, str], after: dict[str, str]) -> None:
    """Dismiss verdicts of this run, of earlier runs of the same program, and of other front ends on the same code."""
    changed = {path for path in before if before[path] != after.get(path)}
    recordings = Recordings(workspace)
    notes = [kept for recording in recordings.newest_first() if (kept := recordings.note(recording))]
    subjects = {kept.subject for kept in notes if _same(kept, note)}
    with Store.open(workspace) as store:
        sessions = {session.id for subject in subjects for session in store.sessions.of_subject(subject)}
        verdicts = [v for v in store.verdicts.all() if v.location is not None and v.location.path in changed]
        settled = {v.location for v in verdicts if v.session in sessions}
        for verdict in verdicts:
            if verdict.location in settled:
                store.verdicts.dismiss(verdict.id)


def _same(note: Note, other: Note) -> bool:
    """Whether two runs are of the same test, however it was run, or of the same program."""
    if note.entry and other.entry:
        return (note.language, note.entry) == (other.language, other.entry)
    return evolve(note, subject="", seconds=None) == evolve(other, subject="", seconds=None)


def _intended(session: Session) -> list[Intended]:
    """Intended results by the answers about calls; an edit invalidates answers about the code inside a call."""
    outermost = session.levels.open()[0]
    judged = [answer for answer in outermost.answers.values() if answer.judgement in (Judgement.YES, Judgement.NO)]
    return [wanted for answer in judged if (wanted := _meant(session.run, answer)).behaviour.identity]


def _meant(subject: Subject, answer: Answer) -> Intended:
    routine = subject.tree.site_of(answer.node).routine
    return Intended(routine, subject.behaviour(answer.node), answer.judgement, answer.expected)


def _entry(opened: Opened, note: Note) -> Entry:
    entries = list(opened.entries)
    entry = next((entry for entry in entries if entry.name == note.entry), None)
    if entry is None:
        raise BadInputError(f"the new run has no {note.entry!r}: was it renamed?")
    return entry


def _nodes(tree: ExecutionTree, routine: str) -> list[int]:
    """Nodes of a routine, one per known behaviour."""
    sites = {index for index, site in enumerate(tree.sites) if site.routine == routine}
    seen: set[int] = set()
    nodes = []
    for node in range(len(tree)):
        behaviour = int(tree.behaviour[node])
        if int(tree.site[node]) in sites and (behaviour == 0 or behaviour not in seen):
            seen.add(behaviour)
            nodes.append(node)
    return nodes


def _inputs(behaviour: Behaviour) -> list[tuple[str, str]]:
    return [(binding.name, binding.value.text) for binding in behaviour.before.bindings]


def _tight(text: str) -> str:
    return "".join(text.split())
