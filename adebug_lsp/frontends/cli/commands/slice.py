"""`adebug slice`: what a value of a recorded run depends on, what depends on it, and how two values are connected."""

import json
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from adebug_lsp.frontends.cli.commands import call_slice
from adebug_lsp.frontends.cli.render.escape import escape, print_error, print_lines
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.cli.render.slice_view import SliceView
from adebug_lsp.frontends.cli.render.style import Style, style_of
from adebug_lsp.frontends.shared.open_session import RecordedTarget, open_recording
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.languages import registry
from adebug_lsp.model.errors import BadInputError, MissingFileError, NoSuchValueError
from adebug_lsp.model.kinds import ROUTINE_KINDS
from adebug_lsp.session.addresses import find_named
from adebug_lsp.slicing.call_slicer import CallSlicer
from adebug_lsp.slicing.slicer import Criterion, Slice, Slicer


def run(options: Namespace) -> int:
    """Take the slice, and show or write it."""
    path = Path(options.file) if options.file else _newest(Path(options.workspace))
    language = registry.language_of_recording(path) if path.is_file() else None
    if language is None:
        raise BadInputError(f"{path}: {'not a recording' if path.is_file() else 'does not exist'}")
    with progress_for(None) as progress:
        target = open_recording(path, language, progress)
    if target.opened.problem:
        print_error(target.opened.problem)
    slicer: Slicer | CallSlicer | None = target.opened.slicer(target.subject)
    if isinstance(slicer, CallSlicer):
        return call_slice.run(options, target, slicer)
    if slicer is None:
        raise BadInputError(f"{path}: no slices for {language.name}: {language.descriptor.gaps['slices']}")
    criterion = _criterion(options, target, slicer)
    found, title = _taken(options, slicer, criterion)
    view = SliceView(found, Sources(target.subject.sources()))
    if options.json:
        print(json.dumps(_as_json(found, title, view.sources), ensure_ascii=False), flush=True)
    elif options.html is not None:
        _write(options.html, view.page(title))
        print_lines(f"{options.html}: {title}")
    else:
        style = style_of(os.environ) if sys.stdout.isatty() else Style(colour=False)
        shown = view.steps(style) if options.steps else view.source(style)
        print("\n".join([f"{escape(title)}: {_size(found)}", "", *shown]), flush=True)
    return 0


def _taken(options: Namespace, slicer: Slicer, criterion: Criterion) -> tuple[Slice, str]:
    if options.chop is not None:
        source = _at(slicer, options.chop, None, None)
        return slicer.chop(source, criterion), f"how {source.text} affects {criterion.text}"
    if options.dice is not None:
        right = _at(slicer, options.dice, None, None)
        found = slicer.backward(criterion).without(slicer.backward(right))
        return found, f"what {criterion.text} depends on and {right.text} does not"
    if options.forward:
        return slicer.forward(criterion), f"what depends on {criterion.text}"
    return slicer.backward(criterion), f"what {criterion.text} depends on"


def _size(found: Slice) -> str:
    lines = sum(map(len, found.lines().values()))
    text = f"{lines} line{'s' * (lines != 1)}, {len(found.steps)} step{'s' * (len(found.steps) != 1)}"
    if found.followed is not None:
        text += f"; too long: {found.followed} dependences were followed, then all that had run is counted"
    return text


# Criteria


def _criterion(options: Namespace, target: RecordedTarget, slicer: Slicer) -> Criterion:
    if options.at is not None:
        return _at(slicer, options.at, options.variable, options.nth)
    tree = target.subject.tree
    sites = [number for number, site in enumerate(tree.sites) if _is_called(site.routine, options.of)]
    routines = np.isin(tree.site, sites) & np.isin(tree.kind, list(ROUTINE_KINDS))
    nodes: list[int] = np.flatnonzero(routines).tolist()
    if not nodes:
        raise NoSuchValueError(f"no call of {options.of} is recorded")
    if options.nth is not None and not 1 <= options.nth <= len(nodes):
        raise NoSuchValueError(f"{options.of} was called {len(nodes)} times, so there is no time {options.nth}")
    node = nodes[-1 if options.nth is None else options.nth - 1]
    address = options.part or "result"
    named = find_named(target.subject.behaviour(node), address, target.subject.parts)
    if named is None:
        raise NoSuchValueError(f"{target.subject.behaviour(node).text}: there is no {address}")
    part = slicer.part(node, named.mark)
    return Criterion(f"{address} of {target.subject.behaviour(node).text}", part.nodes, part.moment)


def _is_called(name: str, wanted: str) -> bool:
    return name == wanted or name.endswith(f".{wanted}")


def _at(slicer: Slicer, text: str, variable: str | None, nth: int | None) -> Criterion:
    """The criterion `FILE:LINE`, perhaps followed by `:VARIABLE`."""
    file, _, line = text.rpartition(":")
    if file and not line.isdigit() and variable is None:
        variable = line
        file, _, line = file.rpartition(":")
    if not file or not line.isdigit() or int(line) < 1:
        raise BadInputError(f"{text!r} is not FILE:LINE, such as pay.py:12")
    return slicer.variable(file, int(line) - 1, variable, nth)


def _newest(workspace: Path) -> Path:
    recordings = Recordings(workspace).newest_first()
    if not recordings:
        raise BadInputError("no recordings in this workspace; record one with `adebug run`")
    return recordings[0]


# Output


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise MissingFileError(f"{file}: cannot be written: {error.strerror}") from error


def _as_json(found: Slice, title: str, sources: Sources) -> dict[str, Any]:
    """Lines count from 0, as in all JSON of adebug."""
    steps = [
        {**sources.lsp_place(step.place), "moment": step.moment, "certainty": step.certainty.name.lower()}
        for step in found.steps
    ]
    lines = {path: sorted(numbers) for path, numbers in sorted(found.lines().items())}
    return {"type": "slice", "title": title, "lines": lines, "steps": steps, "followed": found.followed}
