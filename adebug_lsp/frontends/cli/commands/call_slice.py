"""`adebug slice` for languages whose criterion is a call with a pattern on its result."""

import json
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from adebug_lsp.frontends.cli.render.escape import escape, print_lines
from adebug_lsp.frontends.cli.render.exact_slice_view import ExactSliceView
from adebug_lsp.frontends.cli.render.style import Style, style_of
from adebug_lsp.frontends.shared.open_session import RecordedTarget
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.model.errors import BadInputError, MissingFileError, NoSuchValueError
from adebug_lsp.session.addresses import find_named
from adebug_lsp.slicing.call_slicer import CallCriterion, CallSlicer, routine_named
from adebug_lsp.slicing.slicer import Slice

_NOT_HERE = {
    "forward": "what depends on a value",
    "chop": "a chop",
    "dice": "a dice",
}


def run(options: Namespace, target: RecordedTarget, slicer: CallSlicer) -> int:
    """Take the slice, and show or write it."""
    for name, text in _NOT_HERE.items():
        if getattr(options, name):
            raise BadInputError(f"--{name}: {text} is not computed for {target.language.name}; its slices are backward")
    criteria = [_first(options, target, slicer), *(slicer.call(text, None) for text in options.also)]
    title = f"what {' and '.join(criterion.text for criterion in criteria)} needs"
    if options.executable is not None:
        return _write_program(Path(options.executable), target, slicer, criteria)
    result = slicer.backward(criteria)
    view = ExactSliceView(result, Sources(target.subject.sources()))
    if options.json:
        print(json.dumps(_as_json(result, title, view.sources), ensure_ascii=False), flush=True)
    elif options.html is not None or options.latex is not None:
        file = options.html if options.html is not None else options.latex
        _write(Path(file), view.page(title) if options.html is not None else view.latex(title))
        print_lines(f"{file}: {title}")
    else:
        style = style_of(os.environ) if sys.stdout.isatty() else Style(colour=False)
        shown = view.steps(style) if options.steps else view.source(style)
        print("\n".join([f"{escape(title)}: {_size(view)}", "", *shown]), flush=True)
    return 0


def _first(options: Namespace, target: RecordedTarget, slicer: CallSlicer) -> CallCriterion:
    """The criterion that the options name."""
    if options.at is not None:
        file, line, variable = _place(options.at, options.variable)
        return slicer.line(file, line - 1, variable, options.nth)
    if options.part is None:
        return slicer.call(options.of, options.nth)
    tree, name = target.subject.tree, routine_named(options.of)
    sites = [n for n, site in enumerate(tree.sites) if name in (site.routine, site.routine.rpartition(".")[2])]
    nodes: list[int] = np.flatnonzero(np.isin(tree.site, sites)).tolist()
    number = options.nth or 1
    if not 1 <= number <= len(nodes):
        raise NoSuchValueError(f"{options.of} was called {len(nodes)} times, so there is no time {number}")
    behaviour = target.subject.behaviour(nodes[number - 1])
    named = find_named(behaviour, options.part, target.subject.parts)
    if named is None:
        raise NoSuchValueError(f"{behaviour.text}: there is no {options.part}")
    criterion = slicer.part(nodes[number - 1], named.mark)
    return CallCriterion(f"{options.part} of {behaviour.text}", criterion.value)


def _place(text: str, variable: str | None) -> tuple[str, int, str | None]:
    file, _, line = text.rpartition(":")
    if file and not line.isdigit() and variable is None:
        variable = line
        file, _, line = file.rpartition(":")
    if not file or not line.isdigit() or int(line) < 1:
        raise BadInputError(f"{text!r} is not FILE:LINE, such as pay.hs:12")
    return file, int(line), variable


def _write_program(out: Path, target: RecordedTarget, slicer: CallSlicer, criteria: list[CallCriterion]) -> int:
    """Write the program as a file, or as a folder if it has several modules."""
    if out.exists():
        raise BadInputError(f"{out} already exists; not overwritten")
    texts = slicer.programs(criteria)
    for path, text in texts.items():
        _write(out if len(texts) == 1 else out / path, text)
    sources = target.subject.sources()
    kept, whole = (sum(len(text.encode()) for text in group.values()) for group in (texts, sources))
    print_lines(f"{out}: {kept} bytes of {whole}; it was run, and gives the same")
    return 0


def _size(view: ExactSliceView) -> str:
    kept, whole = view.size()
    return f"{kept} of {whole} bytes ({kept / max(whole, 1):.0%})"


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise MissingFileError(f"{file}: cannot be written: {error.strerror}") from error


def _as_json(result: Slice, title: str, sources: Sources) -> dict[str, Any]:
    """The slice as JSON, as for other slices; the places of its steps are exact."""
    steps = [{**sources.lsp_place(step.place), "moment": step.moment, "certainty": "exact"} for step in result.steps]
    lines = {path: sorted(numbers) for path, numbers in sorted(result.lines().items())}
    return {"type": "slice", "title": title, "lines": lines, "steps": steps, "followed": None}
