"""Answers inquiries about a value, which do not judge it: `track`, `history`, `show`, `depends`, `affects`."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from adebug_lsp.frontends.shared.positions import Sources, shown
from adebug_lsp.frontends.shared.slice_replies import TakeSlice, outside, slice_facts, slice_lines
from adebug_lsp.model.answers import Mark
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.presentation import part_address
from adebug_lsp.model.source import Location
from adebug_lsp.model.values import Part as ValuePart
from adebug_lsp.model.values import Role, Value
from adebug_lsp.session.addresses import MoreParts, find_named
from adebug_lsp.session.marks import check_mark
from adebug_lsp.session.phrases import Inquiry, Topic, mark_at
from adebug_lsp.slicing.dependence_contract import Dependences, History, Trace, Tracing
from adebug_lsp.slicing.provenance import Certainty

_DEPTH, _MOST_LINES, _PAGE = 2, 60, 500
_DEEPEST, _MOST_IN_FILE = 50, 1_000_000
_CUT = "..."
_RANGE = re.compile(r"(?:output|printed)\s*\[\s*(\d+)\s*:\s*(\d+)\s*\]")
_QUOTED = re.compile(r"(?:output|printed)\s+(['\"])(.+)\1", re.DOTALL)
_WANTED = re.compile(r"\s+(?:depth\s+(?P<depth>\d{1,3})|find\s+(?P<find>.+)|>\s*(?P<file>.+))$|\s*>\s*(?P<to>.+)$")
_NOT_KNOWN = "where values come from is not known here"
_HOW_SURE = {
    Certainty.EXACT: "the recording shows every step",
    Certainty.DERIVED: "one step follows from a model of a library function, or from an equal value",
    Certainty.UNKNOWN: "the way ends at something that is not recorded",
}


@frozen
class Reply:
    """The answer to an inquiry: lines for people, and facts for programs."""

    lines: list[str]
    facts: dict[str, Any]
    outside: tuple[Location, ...] | None = None
    """For a slice: the code that is not in it."""


@frozen
class Inquirer:
    """Answers inquiries from a run and its open question."""

    dependences: Dependences | None
    tracing: Tracing | None
    more: MoreParts
    sources: Sources
    take_slice: TakeSlice
    whole_run: tuple[Tracing, Question] | None = None
    """The whole run, whose output contains everything that was printed."""

    def reply(self, inquiry: Inquiry) -> Reply:
        """Answer an inquiry; raises `BadAnswerError` if there is no such part, or nothing is known about it."""
        match inquiry.topic:
            case Topic.TRACK:
                return self._track(inquiry)
            case Topic.HISTORY:
                return self._history(inquiry)
            case Topic.SHOW:
                return self._show(inquiry)
            case Topic.DEPENDS | Topic.AFFECTS:
                return self._slice(inquiry)

    def _track(self, inquiry: Inquiry) -> Reply:
        """Reply to `track`."""
        behaviour, address = inquiry.question.behaviour, inquiry.rest.strip()
        if _RANGE.fullmatch(address) or _QUOTED.fullmatch(address):
            trace = self._printed(inquiry.question, address)
        else:
            mark, known = self._mark(behaviour, address), self.tracing or self.dependences
            trace = None if known is None else known.trace(inquiry.question.node, mark)
        if trace is None or not trace.explanation:
            raise BadAnswerError(f"{address}: {_NOT_KNOWN}")
        return Reply(_track_lines(address, trace), self._facts("track", address) | self._way(trace))

    def _printed(self, question: Question, address: str) -> Trace | None:
        """The origin of printed text: of the question's output or, if it is not in it, of the whole run's."""
        if self.tracing is None:
            return None
        output = printed(question.behaviour)
        if self.whole_run is not None and range_in(output or "", address) is None:
            tracing, run = self.whole_run
            everything = range_in(printed(run.behaviour) or "", address) if _QUOTED.fullmatch(address) else None
            if everything is not None:
                return tracing.printed(run.node, *everything)
        if output is None:
            raise BadAnswerError("this code printed nothing")
        characters = range_in(output, address)
        if characters is None:
            raise BadAnswerError(f"there is no {address}; the output that is shown has {len(output)} characters")
        return self.tracing.printed(question.node, *characters)

    def _history(self, inquiry: Inquiry) -> Reply:
        """Reply to `history`."""
        address = inquiry.rest.strip()
        mark = self._mark(inquiry.question.behaviour, address)
        history = None if self.tracing is None else self.tracing.history(inquiry.question.node, mark)
        if history is None:
            raise BadAnswerError(f"{address} is no variable, attribute or element whose writes are recorded")
        writes = [
            {"text": write.text, "routine": write.routine, "value": write.value, "place": self._place(write.location)}
            for write in history.writes
        ]
        facts = self._facts("history", address) | {"writes": writes, "before": history.before}
        return Reply(_history_lines(address, history), facts)

    def _slice(self, inquiry: Inquiry) -> Reply:
        """Reply to `depends` and `affects`."""
        address, forward = inquiry.rest.strip(), inquiry.topic is Topic.AFFECTS
        mark = self._mark(inquiry.question.behaviour, address)
        taken = self.take_slice(inquiry.question.node, mark, forward)
        if taken is None:
            raise BadAnswerError(f"{address}: {_NOT_KNOWN}")
        title = f"what depends on {address}" if forward else f"what {address} depends on"
        facts = self._facts(inquiry.topic.value, address) | slice_facts(taken, self.sources)
        return Reply(slice_lines(title, taken, self.sources), facts, tuple(outside(taken, self.sources)))

    def _show(self, inquiry: Inquiry) -> Reply:
        """Reply to `show`."""
        wanted = _WANTED.search(inquiry.rest)
        address = inquiry.rest[: wanted.start()].strip() if wanted else inquiry.rest.strip()
        part = find_named(inquiry.question.behaviour, address, self.more)
        if part is None or part.value is None:
            self._mark(inquiry.question.behaviour, address)  # says what there is
            raise BadAnswerError(f"{address} cannot be shown")
        whole = _Whole(part.value, part.moment, self.more)
        file = (wanted["file"] or wanted["to"]) if wanted else None
        if file:
            lines = [save(whole, address, Path(file.strip()))]
        elif wanted and wanted["find"]:
            lines = whole.matching(address, wanted["find"].strip())
        else:
            lines = whole.lines(address, int(wanted["depth"]) if wanted and wanted["depth"] else _DEPTH, _MOST_LINES)
        return Reply(lines, self._facts("show", address) | {"lines": lines})

    def _mark(self, behaviour: Behaviour, address: str) -> Mark:
        part = find_named(behaviour, address, self.more) if re.match(r"\w", address) else None
        mark = mark_at(address, behaviour) if part is None else part.mark
        check_mark(behaviour, mark)
        return mark

    def _facts(self, kind: str, address: str) -> dict[str, Any]:
        return {"type": kind, "address": address}

    def _way(self, trace: Trace) -> dict[str, Any]:
        stages = [{"text": stage.text, "place": self._place(stage.location)} for stage in trace.stages]
        certainty = None if trace.certainty is None else trace.certainty.name.lower()
        return {"text": trace.explanation, "certainty": certainty, "stages": stages}

    def _place(self, location: Location | None) -> dict[str, Any] | None:
        return None if location is None else dict(self.sources.lsp_place(location))


def printed(behaviour: Behaviour) -> str | None:
    """The output shown with a question."""
    bindings = behaviour.after.bindings
    return next((b.value.text for b in bindings if b.role == Role.OUTPUT and b.name.startswith("printed")), None)


def range_in(output: str, address: str) -> tuple[int, int] | None:
    """The range of an output that an address names; of several equal texts, the last."""
    numbers, quoted = _RANGE.fullmatch(address), _QUOTED.fullmatch(address)
    if numbers is not None:
        start, stop = int(numbers[1]), int(numbers[2])
        return (start, stop) if start < stop <= len(output) else None
    start = output.rfind(quoted[2]) if quoted is not None else -1
    return (start, start + len(quoted[2])) if quoted is not None and start >= 0 else None


def _track_lines(address: str, trace: Trace) -> list[str]:
    if not trace.stages or trace.certainty is None:
        return [f"{address}: {trace.explanation}"]
    stages = [f"  {stage.text}{_at(stage.location)}" for stage in trace.stages]
    return [f"{address}, from where it was made on ({_HOW_SURE[trace.certainty]}):", *stages]


def _history_lines(address: str, history: History) -> list[str]:
    lines = [f"  {write.value}   {write.text}{_at(write.location)}" for write in history.writes]
    head = f"{address}: {len(lines)} write{'' if len(lines) == 1 else 's'}, the newest last"
    return [head, *([f"  ({history.before})"] if history.before else []), *lines]


def _at(location: Location | None) -> str:
    return "" if location is None else f"   {shown(location)}"


@frozen
class _Whole:
    """A value with all its recorded parts."""

    value: Value
    moment: int | None
    more: MoreParts

    def lines(self, address: str, depth: int, most: int) -> list[str]:
        """The value to a depth, one part per line; parts left out are mentioned with the command that shows them."""
        lines: list[str] = []
        for text in self._walk(address, self.value, depth):
            if len(lines) == most:
                return [*lines, f"{_CUT} more; show a part of it, or write it to a file: show {address} > FILE"]
            lines.append(text)
        return lines

    def matching(self, address: str, wanted: str) -> list[str]:
        """The innermost parts whose address or text contains a text."""
        lines = [text for text in self._walk(address, self.value, _DEEPEST) if wanted in text]
        cut = [f"{_CUT} and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
        return [*lines[:_MOST_LINES], *cut] or [f"no part of {address} contains {wanted!r}"]

    def _walk(self, address: str, value: Value, depth: int, around: tuple[int, ...] = ()) -> Iterator[str]:
        """A line for each part that is not opened: those at the depth limit, and those without parts."""
        is_around = value.identity is not None and value.identity in around
        if depth == 0 or is_around or not (value.parts or value.elided):
            yield f"{address} = {value.text}"
            return
        inside = around if value.identity is None else (*around, value.identity)
        for part in self._parts(value):
            yield from self._walk(part_address(address, part.key), part.value, depth - 1, inside)

    def _parts(self, value: Value) -> Iterator[ValuePart]:
        if not value.elided or value.identity is None or self.moment is None:
            yield from value.parts
            return
        start = 0
        while page := self._page(value.identity, self.moment, start):
            yield from page
            start += len(page)

    def _page(self, identity: int, moment: int, start: int) -> Sequence[ValuePart]:
        return self.more(identity, moment, start, _PAGE)


def save(whole: _Whole, address: str, file: Path) -> str:
    """Write a value to a new file, one part per line; returns a message."""
    count = 0
    try:
        with file.open("x", encoding="utf-8") as out:
            for line in whole._walk(address, whole.value, _DEEPEST):
                out.write(f"{line}\n")
                count += 1
                if count == _MOST_IN_FILE:
                    out.write(f"{_CUT}\n")
                    break
    except FileExistsError:
        raise BadAnswerError(f"{file} already exists; not overwritten") from None
    except OSError as error:
        raise BadAnswerError(f"{file}: cannot be written: {error.strerror}") from error
    return f"{count} lines written to {file}"
