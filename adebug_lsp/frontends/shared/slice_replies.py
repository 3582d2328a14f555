"""Answers to `depends` and `affects`: the code of a slice for a person, and for programs and editors."""

from collections.abc import Callable, Iterator
from typing import Any

from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.answers import Mark
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.slicing.slicer import Slice

MOST_LINES = 40
"""Lines of source that are shown."""

TakeSlice = Callable[[int, Mark, bool], Slice | None]
"""Takes the slice of a part of a node: backward, or forward if the last argument is true; None if there is none."""


def slice_lines(title: str, taken: Slice, sources: Sources) -> list[str]:
    """The source lines of a slice, by file."""
    lines = [
        f"  {path}:{number + 1}: {sources.lines(path)[number].strip()}"
        for path, numbers in sorted(taken.lines().items())
        for number in sorted(numbers)
        if number < len(sources.lines(path))
    ]
    more = [f"  ... and {len(lines) - MOST_LINES} more lines"] if len(lines) > MOST_LINES else []
    long = "" if taken.followed is None else f"; after {taken.followed} dependences, all that had run is counted"
    return [f"{title}: {len(lines)} line{'' if len(lines) == 1 else 's'}{long}", *lines[:MOST_LINES], *more]


def slice_facts(taken: Slice, sources: Sources) -> dict[str, Any]:
    """The slice for a program: its lines, its steps in order, and for a forward slice the first later step."""
    steps = [
        {"place": dict(sources.lsp_place(step.place)), "certainty": step.certainty.name.lower()} for step in taken.steps
    ]
    later = (number for number, step in enumerate(taken.steps) if taken.after is not None and step.moment > taken.after)
    return {
        "files": [{"path": path, "lines": sorted(lines)} for path, lines in sorted(taken.lines().items())],
        "outside": [dict(sources.lsp_place(place)) for place in outside(taken, sources)],
        "steps": steps,
        "next": next(later, None),
        "followed": taken.followed,
    }


def outside(taken: Slice, sources: Sources) -> Iterator[Location]:
    """The code outside a slice in its files, as ranges of lines, which editors fade."""
    around = taken.lines_around()
    for path, inside in sorted(taken.lines().items()):
        shown = inside | around.get(path, set())
        lines, begin = sources.lines(path), None
        for number in range(len(lines) + 1):
            is_out = number < len(lines) and number not in shown
            if is_out and begin is None and lines[number].strip():
                begin = number
            if not is_out and begin is not None:
                last = max(n for n in range(begin, number) if lines[n].strip())
                yield Location(path, Range(Position(begin, 0), Position(last, len(lines[last]))))
                begin = None
