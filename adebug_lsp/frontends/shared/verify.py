"""Verifying: after an edit, runs again what the last session was about, and replays what was answered there.

What was judged right should still happen, what was judged wrong should not, and where a value was expected it should be
there now. Behaviours are compared by their identity; only to find the same call with another result, by what they show.
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
"""A new run may take this many times as long as the recorded one, and at least so many seconds."""
_TURN = 0.05
"""Seconds between two looks at whether a run should end."""


class State(Enum):
    """What has become of an intended result."""

    HOLDS = "holds"
    BROKEN = "broken"
    GONE = "gone"
    """The call is not made any more."""


@frozen
class Intended:
    """What one answer said that a call should do."""

    routine: str
    behaviour: Behaviour
    judgement: Judgement
    expected: str | None

    def same_call(self, other: Behaviour) -> bool:
        """Whether another behaviour started from what this one started from, as far as questions show it."""
        return _inputs(self.behaviour) == _inputs(other)

    def holds(self, other: Behaviour) -> bool:
        """Whether the same call now does what was meant."""
        same = other.identity == self.behaviour.identity
        if self.judgement is Judgement.YES:
            return same
        if self.expected is None:
            return not same
        return other.result is not None and _tight(other.result.text) == _tight(self.expected)


@frozen
class Result:
    """An intended result and what the new run made of it."""

    intended: Intended
    state: State
    now: str = ""


@frozen
class Verified:
    """What a new run made of all that was answered."""

    results: list[Result]
    entry: Entry
    ended: Ended

    @property
    def holds(self) -> bool:
        """Whether everything that was meant holds now."""
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
    """Run again what a session was about, the last one of a workspace or that of a recording, and compare.

    Raises `BadInputError` where `stop` is set meanwhile, or the new run takes far longer than the recorded one.
    When all that was meant holds, verdicts on changed files speak of code that is no more: they are dismissed.
    """
    stop = stop or threading.Event()
    recording, note = _asked(Recordings(workspace), recording)
    language = registry.language(note.language)
    if not Path(note.folder).is_dir():
        raise BadInputError(f"{note.folder}, where the last session was started, is not there any more")
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

    Raises `BadInputError` in the second case. A fix that loops for ever would be waited for otherwise.
    """
    ending, over = threading.Event(), threading.Event()
    most = None if seconds is None else max(LEAST_SECONDS, MOST_TIMES * seconds)
    end = None if most is None else monotonic() + most

    def watch() -> None:
        while not over.wait(_TURN):
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
            f"the new run was ended after {most:.0f} s, so there is nothing to compare; the recorded run took "
            f"{seconds:.1f} s. Does the program loop, or wait for something?"
        )


def _go_on(stop: threading.Event) -> None:
    if stop.is_set():
        raise BadInputError("the new run was ended, so there is nothing to compare")


def replay(intended: Iterable[Intended], subject: Subject, stop: threading.Event) -> Iterator[Result]:
    """Look in a new run for every call that was judged; raises `BadInputError` when it is to be stopped."""
    by_routine: dict[str, list[Behaviour]] = {}
    for one in intended:
        _go_on(stop)
        if one.routine not in by_routine:
            by_routine[one.routine] = [subject.behaviour(node) for node in _nodes(subject.tree, one.routine)]
        calls = [behaviour for behaviour in by_routine[one.routine] if one.same_call(behaviour)]
        failing = next((behaviour for behaviour in calls if not one.holds(behaviour)), None)
        if not calls:
            yield Result(one, State.GONE)
        elif failing is None:
            yield Result(one, State.HOLDS, calls[0].text)
        else:
            yield Result(one, State.BROKEN, failing.text)


def report(verified: Verified) -> list[str]:
    """What a person wants to know."""
    results, entry = verified.results, verified.entry
    made = [result for result in results if result.state is not State.GONE]
    holding = [result for result in made if result.state is State.HOLDS]
    lines = [f"{len(holding)} of {len(made)} intended results now hold"]
    for result in results:
        meant = result.intended
        if result.state is State.BROKEN:
            should = f"; {meant.expected} was meant" if meant.expected else ""
            lines.append(
                f"  not yet: {result.now}{should} (answered {wording.label(meant.judgement)}: {meant.behaviour.text})"
            )
        elif result.state is State.GONE:
            lines.append(f"  not run any more: {meant.behaviour.text}")
    if entry.name:
        lines.append(f"{entry.name} {'still fails: ' + entry.message if entry.failed else 'passes now'}")
    elif verified.ended.message:
        lines.append(verified.ended.message)
    return lines


@contextmanager
def chdir(folder: str) -> Iterator[None]:
    """Work in a folder for a while."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


def _asked(recordings: Recordings, wanted: Path | None) -> tuple[Path, Note]:
    for recording in recordings.newest_first() if wanted is None else [wanted]:
        note = recordings.note(recording)
        if note is not None and note.subject:
            return recording, note
    raise NothingToVerifyError("there is no session to verify in this workspace; begin with adebug run or adebug test")


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
    """Of this run, of earlier ones of the same, and those that other front ends came to on the same code."""
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


def _same(one: Note, other: Note) -> bool:
    """Whether two runs were asked about the same: a test, however it was run, or the same program."""
    if one.entry and other.entry:
        return (one.language, one.entry) == (other.language, other.entry)
    return evolve(one, subject="", seconds=None) == evolve(other, subject="", seconds=None)


def _intended(session: Session) -> list[Intended]:
    """What the answers about calls said; those about the code inside a call do not outlive an edit of it."""
    outermost = session.levels.open()[0]
    judged = [answer for answer in outermost.answers.values() if answer.judgement in (Judgement.YES, Judgement.NO)]
    return [one for answer in judged if (one := _meant(session.run, answer)).behaviour.identity]


def _meant(subject: Subject, answer: Answer) -> Intended:
    routine = subject.tree.site_of(answer.node).routine
    return Intended(routine, subject.behaviour(answer.node), answer.judgement, answer.expected)


def _entry(opened: Opened, note: Note) -> Entry:
    entries = list(opened.entries)
    found = next((entry for entry in entries if entry.name == note.entry), None)
    if found is None:
        raise BadInputError(f"the new run has no {note.entry!r}: was it renamed?")
    return found


def _nodes(tree: ExecutionTree, routine: str) -> list[int]:
    """The nodes of a routine, one for each of its known behaviours."""
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
