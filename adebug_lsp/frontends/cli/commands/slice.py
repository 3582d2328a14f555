"""`adebug slice`: the code that a value of a run depends on, or that depends on it, or between two values."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve

from adebug_lsp.frontends.cli.chosen_recording import chosen_recording
from adebug_lsp.frontends.cli.commands import call_slice
from adebug_lsp.frontends.cli.render.escape import escape, print_lines
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.cli.render.slice_view import SliceView
from adebug_lsp.frontends.cli.render.style import Style, style_of
from adebug_lsp.frontends.shared.executable_slice import Files, executable_slice, write
from adebug_lsp.frontends.shared.open_session import RecordedTarget
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.frontends.shared.recordings import read_note
from adebug_lsp.languages.language import RecordedSubject
from adebug_lsp.model.errors import BadInputError, MissingFileError, NoSuchValueError
from adebug_lsp.model.kinds import ROUTINE_KINDS
from adebug_lsp.model.text import whole_lines
from adebug_lsp.session.addresses import find_named
from adebug_lsp.slicing.call_slicer import CallSlicer
from adebug_lsp.slicing.slicer import Criterion, Slice, Slicer


def run(options: Namespace) -> int:
    """Take the slice, and show or write it."""
    recording = chosen_recording(options)
    target, language = recording.target, recording.language
    slicer: Slicer | CallSlicer | None = target.opened.slicer(target.subject)
    if isinstance(slicer, CallSlicer):
        return call_slice.run(options, target, slicer)
    if slicer is None:
        raise BadInputError(f"{recording.path}: no slices for {language.name}: {language.descriptor.gaps['slices']}")
    criterion = _criterion(options, target.subject, slicer, options.nth)
    if options.executable is not None:
        return _write_program(options, target, slicer, criterion)
    slice_, title = _taken(options, slicer, criterion)
    view = SliceView(slice_, Sources(target.subject.sources()))
    if options.json:
        print(json.dumps(_as_json(slice_, title, view.sources), ensure_ascii=False), flush=True)
    elif (file := options.html or options.latex) is not None:
        _write(file, view.document(title) if options.latex else view.page(title))
        print_lines(f"{file}: {title}")
    else:
        style = style_of(os.environ) if sys.stdout.isatty() else Style(colour=False)
        shown = view.steps(style) if options.steps else view.source(style)
        print("\n".join([f"{escape(title)}: {_size(slice_)}", "", *shown]), flush=True)
    return 0


# Executable slices


def _write_program(options: Namespace, target: RecordedTarget, slicer: Slicer, criterion: Criterion) -> int:
    """Write the smallest program that computes the value, as a file, or as a folder if it has several."""
    out, note = Path(options.executable), read_note(target.recording)
    if note is None:
        raise BadInputError(f"{target.recording}: how it was run is not known; record it with `adebug run`")
    if out.exists():
        raise BadInputError(f"{out} already exists; not overwritten")

    def find_again(again: Slicer, subject: RecordedSubject, files: Files) -> Iterator[Criterion]:
        for nth in [None] if options.nth is None else range(options.nth, 0, -1):
            with suppress(NoSuchValueError):
                if criterion.at is None:
                    yield _criterion(options, subject, again, nth)
                else:
                    path, line = criterion.at.path, criterion.at.range.start.line
                    variable = _split(options.at, options.variable)[2]
                    yield again.variable(path, files[path].lines.index(line), variable, nth)

    with progress_for(None) as progress:
        run = (target.language, note, Path(options.workspace))
        made = executable_slice(slicer, criterion, find_again, run, progress)
    try:
        if len(made.files) == 1:
            out.write_text(made.files[made.program].text, encoding="utf-8")
        else:
            write(out, made.files)
    except OSError as error:
        raise MissingFileError(f"{out}: cannot be written: {error.strerror}") from error
    lines = sum(len(file.lines) for file in made.files.values())
    sources = target.subject.sources()
    whole = sum(len(whole_lines(sources[path])) for path in made.files)
    started = "" if len(made.files) == 1 else f", starts with {made.program}"
    print_lines(f"{out}: {lines} of {whole} lines{started}; it was run, with the same {made.criterion.text}")
    return 0


# Slices


def _taken(options: Namespace, slicer: Slicer, criterion: Criterion) -> tuple[Slice, str]:
    """The slice that the options ask for, with its title."""
    if options.chop is not None:
        source = _at(slicer, options.chop, None, None)
        return slicer.chop(source, criterion), f"how {source.text} affects {criterion.text}"
    if options.dice is not None:
        right = _at(slicer, options.dice, None, None)
        difference = slicer.backward(criterion).without(slicer.backward(right))
        return difference, f"what {criterion.text} depends on and {right.text} does not"
    if options.forward:
        return slicer.forward(criterion), f"what depends on {criterion.text}"
    return slicer.backward(criterion), f"what {criterion.text} depends on"


def _size(slice_: Slice) -> str:
    lines = sum(map(len, slice_.lines().values()))
    text = f"{lines} line{'s' * (lines != 1)}, {len(slice_.steps)} step{'s' * (len(slice_.steps) != 1)}"
    if slice_.followed is not None:
        text += f"; too long: {slice_.followed} dependences were followed, then all that had run is counted"
    return text


# Criteria


def _criterion(options: Namespace, subject: RecordedSubject, slicer: Slicer, nth: int | None) -> Criterion:
    """The criterion that the options name."""
    if options.at is not None:
        return _at(slicer, options.at, options.variable, nth)
    tree = subject.tree
    sites = [number for number, site in enumerate(tree.sites) if _is_called(site.routine, options.of)]
    routines = np.isin(tree.site, sites) & np.isin(tree.kind, list(ROUTINE_KINDS))
    nodes: list[int] = np.flatnonzero(routines).tolist()
    if not nodes:
        raise NoSuchValueError(f"no call of {options.of} is recorded")
    if nth is not None and not 1 <= nth <= len(nodes):
        raise NoSuchValueError(f"{options.of} was called {len(nodes)} times, so there is no time {nth}")
    node = nodes[-1 if nth is None else nth - 1]
    address = options.part or "result"
    named = find_named(subject.behaviour(node), address, subject.parts)
    if named is None:
        raise NoSuchValueError(f"{subject.behaviour(node).text}: there is no {address}")
    return evolve(slicer.part(node, named.mark), text=f"{address} of {subject.behaviour(node).text}")


def _is_called(name: str, wanted: str) -> bool:
    return name == wanted or name.endswith(f".{wanted}")


def _at(slicer: Slicer, text: str, variable: str | None, nth: int | None) -> Criterion:
    """The criterion `FILE:LINE`, perhaps followed by `:VARIABLE`."""
    file, line, variable = _split(text, variable)
    return slicer.variable(file, line - 1, variable, nth)


def _split(text: str, variable: str | None) -> tuple[str, int, str | None]:
    file, _, line = text.rpartition(":")
    if file and not line.isdigit() and variable is None:
        variable = line
        file, _, line = file.rpartition(":")
    if not file or not line.isdigit() or int(line) < 1:
        raise BadInputError(f"{text!r} is not FILE:LINE, such as pay.py:12")
    return file, int(line), variable


# Output


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise MissingFileError(f"{file}: cannot be written: {error.strerror}") from error


def _as_json(slice_: Slice, title: str, sources: Sources) -> dict[str, Any]:
    """The slice as JSON; lines count from 0, as in all of adebug's JSON."""
    steps = [
        {**sources.lsp_place(step.place), "moment": step.moment, "certainty": step.certainty.name.lower()}
        for step in slice_.steps
    ]
    lines = {path: sorted(numbers) for path, numbers in sorted(slice_.lines().items())}
    return {"type": "slice", "title": title, "lines": lines, "steps": steps, "followed": slice_.followed}
