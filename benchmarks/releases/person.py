"""A person who knows the newer release: answers yes, no or don't know from what a question shows.

The same test is recorded with the newer release. A question is looked up there by its code, or the code in its place,
and the inputs that it shows; what it shows as outcome is compared, and what is not shown is not seen. A call that did
not happen there is right if it executed only code that the newer release has, too. Everything else is not known.
"""

import os
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from attrs import field, frozen

from adebug_lsp.frontends.shared.json_protocol import callable_name
from adebug_lsp.languages.language import Request, silent
from adebug_lsp.languages.python.language import Python
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location
from adebug_lsp.model.text import lines_of
from adebug_lsp.session.subject import Subject
from benchmarks.releases.changes import Changes

OUTER = {"routine", "loop", "range", "iteration"}
MOST_CALLS = 60
"""Calls of the newer run whose insides are searched for a statement or an expression."""
MOST_SECONDS = 20
RECORDING_LIMIT = 120

_OTHERS = {"loop", "range", "iteration", "block", "statement", "expression"}
_ROUTINES = {kind: "routine" for kind in NodeKind if kind.label not in _OTHERS}
"""In JSON, a question about any other kind of node is about a routine."""

Shown = tuple[tuple[tuple[str, str], ...], str, str]
"""An outcome: what changed, the result, the exception."""


class Person:
    """Answers questions about the failing test from the newer release."""

    def __init__(self, newer: "RecordedTest", older: "RecordedTest", changes: Changes) -> None:
        self._newer, self._older = newer, older
        self._changes = changes

    def answer(self, question: Mapping[str, Any]) -> str:
        """`yes`, `no` or `unknown`."""
        asked, outcome = self._asked(question), _outcome(question["after"], question["result"], question["raised"])
        there = {self._newer.outcome(place) for place in self._newer.places(asked)}
        if there and outcome not in there:
            return "no"
        if len(there) == 1 or self._is_unchanged(asked, outcome):
            return "yes"
        return "unknown"

    def _asked(self, question: Mapping[str, Any]) -> "Asked":
        path, code, replaced = question["path"], "", None
        if path is not None:
            ends = (question["range"]["start"], question["range"]["end"])
            (start, column), stop = ((end["line"], end["character"]) for end in ends)
            text, newer = self._older.subject.sources()[path], self._newer.subject.sources().get(path, "")
            code = _cut(text, (start, column), stop, question["kind"])
            replaced = (path, replaced_lines(text, newer).get(start, -1), column)
        return Asked(question["kind"], question["callable"], code, replaced, _texts(question["before"]))

    def _is_unchanged(self, asked: "Asked", outcome: Shown) -> bool:
        """Whether it executed only code that the newer release has, too, and so would do the same there."""
        if asked.kind not in OUTER:
            return False
        places = [place for place in self._older.places(asked) if self._older.outcome(place) == outcome]
        return bool(places) and not any(self._has_changed(location) for p in places for location in _executed(*p))

    def _has_changed(self, location: Location) -> bool:
        first, last = location.range.start.line, location.range.end.line
        if self._changes.scope_at(location.path, first + 1) in self._changes.scopes:
            return True
        text = lines_of(self._older.subject.sources()[location.path])[first : last + 1]
        return not self._changes.names.isdisjoint(re.findall(r"\w+", "\n".join(text)))


@frozen
class Asked:
    """Code and inputs of a question."""

    kind: str
    routine: str
    code: str
    replaced: tuple[str, int, int] | None
    """Path, line and column of the code that the newer release has in its place."""

    before: tuple[tuple[str, str], ...]


Place = tuple[Subject, int]
"""A node, with the subject that it belongs to."""


@frozen
class RecordedTest:
    """One run of the test."""

    subject: Subject
    insides: dict[int, Subject | None] = field(factory=dict)

    def places(self, asked: Asked) -> Iterator[Place]:
        """The nodes that executed the same code from inputs that look the same."""
        begun = time.monotonic()
        for subject in self._subjects(asked):
            for node in _nodes(subject, asked.kind, asked.routine):
                if time.monotonic() - begun > MOST_SECONDS:
                    return
                if asked.kind == "routine" or _is_code(subject, node, asked):
                    before = subject.behaviour(node).before.bindings
                    if _texts({binding.name: binding.value.text for binding in before}) == asked.before:
                        yield subject, node

    def outcome(self, place: Place) -> Shown:
        """What a question about a node shows as its outcome."""
        subject, node = place
        behaviour = subject.behaviour(node)
        after = {binding.name: binding.value.text for binding in behaviour.after.bindings}
        result, raised = (None if value is None else value.text for value in (behaviour.result, behaviour.raised))
        return _outcome(after, result, raised)

    def _subjects(self, asked: Asked) -> Iterator[Subject]:
        if asked.kind in OUTER:
            yield self.subject
            return
        nodes = [node for kind in OUTER for node in _nodes(self.subject, kind, asked.routine)]
        for node in nodes[:MOST_CALLS]:
            if node not in self.insides:
                self.insides[node] = self.subject.inside(node)
            inside = self.insides[node]
            if inside is not None:
                yield inside


@contextmanager
def recorded_test(
    tree: Path, python: Path, tests: Sequence[str], variables: Mapping[str, str]
) -> Iterator[RecordedTest]:
    """Records a test in its tree."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        out = Path(temporary) / "run.adebug"
        request = Request(
            workspace=tree,
            tests=tuple(tests),
            interpreter=python,
            folder=tree,
            environment={**os.environ, **variables},
            timeout=RECORDING_LIMIT,
            output=lambda _stream, _text: None,
        )
        Python().record(request, out, silent)
        run = Python().open(out, silent)
        yield RecordedTest(run.subject(run.entries[0]))


def _executed(subject: Subject, node: int) -> Iterator[Location]:
    """The fragments that a node and all below it executed."""
    tree = subject.tree
    for site in {int(site) for site in tree.site[node : node + int(tree.size[node])]}:
        location = tree.sites[site].location
        if location is not None:
            yield location


def _nodes(subject: Subject, kind: str, name: str) -> list[int]:
    """The nodes of this kind in this routine."""
    tree = subject.tree
    sites = {number for number, site in enumerate(tree.sites) if callable_name(site) == name}
    wanted = {k for k in NodeKind if kind in (k.label, _ROUTINES.get(k))}
    return [n for n, site in enumerate(tree.site.tolist()) if site in sites and tree.facts(n).kind in wanted]


def replaced_lines(older: str, newer: str) -> dict[int, int]:
    """Changed lines of the older text, with the lines that the newer has in their places, counted from 0."""
    matcher = SequenceMatcher(None, lines_of(older), lines_of(newer), autojunk=False)
    blocks = [
        block for block in matcher.get_opcodes() if block[0] == "replace" and block[2] - block[1] == block[4] - block[3]
    ]
    return {line: line - i1 + j1 for _what, i1, i2, j1, _j2 in blocks for line in range(i1, i2)}


def _is_code(subject: Subject, node: int, asked: Asked) -> bool:
    place: Location | None = subject.tree.site_of(node).location
    if place is None:
        return False
    start, end = place.range.start, place.range.end
    if (place.path, start.line, start.column) == asked.replaced:
        return True
    text = subject.sources()[place.path]
    return _cut(text, (start.line, start.column), (end.line, end.column), asked.kind) == asked.code


def _cut(text: str, start: tuple[int, int], stop: tuple[int, int], kind: str) -> str:
    """The text of an expression or a simple statement; the first line of a compound one: the rest can differ."""
    lines = lines_of(text)
    if start[0] == stop[0]:
        return lines[start[0]][start[1] : stop[1]].strip()
    first = lines[start[0]][start[1] :].strip()
    if kind in OUTER or first.endswith(":"):
        return first
    return " ".join(
        [first, *(line.strip() for line in lines[start[0] + 1 : stop[0]]), lines[stop[0]][: stop[1]].strip()]
    )


def _outcome(after: Mapping[str, str], result: str | None, raised: str | None) -> Shown:
    return _texts(after), _plain(result), _plain(raised)


def _texts(values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, _plain(text)) for name, text in values.items()))


def _plain(text: str | None) -> str:
    """A text without addresses, which differ from run to run."""
    return "" if text is None else re.sub(r"0x[0-9a-f]{6,}", "0x", text)
