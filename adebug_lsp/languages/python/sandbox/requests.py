"""Builds the requests that a sandbox process serves: the first one, which names the modules, and one for a fragment."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.spans import RAISED
from adebug_lsp.languages.python.sandbox.fragment import Fragment, ValueAt
from adebug_lsp.languages.python.sandbox.guest.protocol import NamedIndex, Request
from adebug_lsp.languages.python.sandbox.streams import Streams
from adebug_lsp.languages.python.sandbox.value_descriptions import Origins, Table


def open_request(run: Run, workspace: Path) -> Request:
    """The first request to a process: the modules as recorded."""
    modules = [(module.path, module.name, module.source) for module in run.program.modules]
    loaded = [span for span in map(run.spans.__getitem__, _raised_spans(run)) if span.routine.kind == "module"]
    command = run.recording.meta.get("command") or [""]
    first = str(command[0]).replace("\\", "/")
    main = next((name for path, name, _ in modules if first == name or f"/{first}".endswith(f"/{path}")), "")
    return {
        "workspace": str(workspace),
        "modules": [module for module in modules if not module[0].startswith("<")],
        "main": main,
        "reference": None,
        "texts": {},
        "failed": sorted({name for span in loaded if (name := span.routine.module.name)}),
    }


def _raised_spans(run: Run) -> list[int]:
    """Numbers of the spans that an exception left."""
    flags = np.frombuffer(run.spans.flags, np.int8)
    raised: list[int] = np.flatnonzero(flags & RAISED).tolist()
    return raised


def fragment_request(
    fragment: Fragment, run: Run, streams: Streams | None = None, origins: Origins | None = None
) -> Request:
    """The request for a fragment, with its values described."""
    origins = origins or Origins.of(run)
    table = Table(run.recording.values, run.heap, origins.closures, origins.generators, streams)

    def named(pairs: Sequence[tuple[str, ValueAt]]) -> list[NamedIndex]:
        return [(name, table.add(moment)) for name, moment in pairs]

    do = "part" if fragment.what != "routine" else "routine" if fragment.routine else "module"
    request: Request = {
        "do": "step" if do == "routine" and fragment.node_kind == "FunctionDef" and fragment.generator else do,
        "module": fragment.module,
        "routine": fragment.routine,
        "what": fragment.what,
        "place": fragment.place and list(fragment.place),
        "kind": fragment.node_kind,
        "tested": fragment.tested,
        "yielded": fragment.yielded,
        "iterations": fragment.iterations,
        "trailing_test": fragment.trailing_test,
        "arguments": named(fragment.arguments),
        "before": named(fragment.before),
        "after": named(fragment.after),
        "items": [table.add(moment) for moment in fragment.items],
        "earlier": [[generator.routine, named(generator.variables)] for generator in fragment.earlier],
        "later": [[generator.routine, named(generator.variables)] for generator in fragment.later],
        "globals": [
            [
                variable.module,
                variable.name,
                variable.before and table.add(variable.before),
                variable.after and table.add(variable.after),
            ]
            for variable in fragment.global_variables
        ],
        "result": fragment.result and table.add(fragment.result),
        "raised": fragment.raised and table.add(fragment.raised),
    }
    return {**request, "rows": table.rows}
