"""Trails of a recorded Haskell run: rows `value = call` (Section 5.2 of Silva's thesis).

A trail follows the successors of a call: the call that its body ends in, the one that the body of that ends in, and so
on until the value. `case`, `let` and variables have no rows, nor have calls inside the library. An action is followed
by the actions that it executed, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.units import SITE_BITS, World
from adebug_lsp.languages.haskell.reading.graph import Bottom, Data, Dictionary, Function, Ref, Unevaluated, deep
from adebug_lsp.languages.haskell.reading.run import HaskellRun
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.languages.haskell.slices.constructions import Constructions, Source
from adebug_lsp.languages.haskell.slices.haskell_slicer import HaskellSlicer
from adebug_lsp.languages.redex_trail import Trail, TrailArgument, TrailRow
from adebug_lsp.model.errors import NoSuchValueError
from adebug_lsp.model.source import Location

_ADDRESS = re.compile(r"(?:(?P<call>\d+)|(?P<reduction>\d+):(?P<site>\d+))\.(?P<position>\d+)")
MOST_ROWS = 1000


@define(eq=False)
class HaskellTracer:
    """See `Tracer`."""

    slicer: HaskellSlicer
    constructions: Constructions = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.constructions = self.slicer.constructions

    @property
    def run(self) -> HaskellRun:
        """The traced run."""
        return self.slicer.run

    def start(self) -> Trail:
        """See `Tracer`."""
        return self._of_call(0)

    def call(self, text: str, nth: int | None) -> Trail:
        """See `Tracer`."""
        return self._of_call(self.slicer.find(text, nth))

    def argument(self, address: str) -> Trail:
        """See `Tracer`."""
        return deep(lambda: self._argument(address))

    def _of_call(self, q: int) -> Trail:
        def trail() -> Trail:
            body = self.constructions.body(q)
            inside = self._rows(Source(body, q), self.run.unit(q).is_io) if body is not None else ()
            return _trail(self.run.call_text(q), chain([self._row(q)], inside))

        return deep(trail)

    def _argument(self, address: str) -> Trail:
        """The trail of an argument, given its address."""
        match = _ADDRESS.fullmatch(address)
        redexes = self.run.recording.trail.redexes
        if match is None or int(match["call"] or match["reduction"]) >= len(redexes):
            raise NoSuchValueError(f"no argument has the address {address}")
        position = int(match["position"]) - 1
        if match["call"]:
            q = int(match["call"])
            row, sources = self._row(q), self._sources(q)
        else:
            r, site = int(match["reduction"]), int(match["site"])
            sites = self.run.unit(r).sites
            e = sites[site] if site < len(sites) else None
            if not isinstance(e, c.App):
                raise NoSuchValueError(f"no argument has the address {address}")
            row, sources = self._built(e, r), list(self.constructions.fields(Source(e, r)))
        if not 0 <= position < len(row.arguments) or not row.arguments[position].address:
            raise NoSuchValueError(f"{row.call}: nothing is recorded of how argument {position + 1} was made")
        source = sources[position]
        assert source is not None
        return _trail(f"{row.arguments[position].name} of {row.call}", self._rows(source))

    # Rows

    def _rows(self, source: Source | None, runs: bool = False) -> Iterator[TrailRow]:
        """The rows from some code to its value."""
        seen: set[tuple[int, int]] = set()
        while source is not None:
            e, r = source.code, source.reduction
            if isinstance(e, World) or (id(e), r) in seen:
                return
            if not isinstance(e, str):
                seen.add((id(e), r))
            if runs:
                yield from self._actions(e, r)
                return
            q = self._reduction(e, r)
            if q is not None:
                if self._is_shown(q, r):
                    yield self._row(q)
                body = self.constructions.body(q)
                source, runs = (Source(body, q) if body is not None else None), self.run.unit(q).is_io
                if runs and self.run.unit(q).trusted:
                    return
                continue
            following = self.constructions.following(source)
            if following is None:
                row = self._end(e, r)
                if row is not None:
                    yield row
            source = following

    def _reduction(self, e: object, r: int) -> int | None:
        """The reduction of an expression that is a call."""
        if not isinstance(e, c.App | c.Global | c.Lit):
            return None
        ref = self.run.graph.resolve(e, r)
        node = r << SITE_BITS | e.site if isinstance(e, c.App) else ref
        return self.run.graph.reduction_at(node) if isinstance(node, int) and (node > 0 or not r) else None

    def _is_shown(self, q: int, r: int) -> bool:
        """Whether a call has a row: it is of a user's function, or was written by the user."""
        unit = self.run.unit(q)
        return not unit.generated and (not unit.trusted or not self.run.unit(r).trusted)

    def _actions(self, e: object, r: int) -> Iterator[TrailRow]:
        """The rows of the actions that a body executed, in order."""
        match e:
            case c.Match():
                branch = self.constructions.chosen(e, r)
                if isinstance(branch, c.Branch):
                    yield from self._actions(branch.body, r)
            case c.Let(body=body):
                yield from self._actions(body, r)
            case c.App(function=c.Global(name="Prelude.>>" | "Prelude.*>"), arguments=[first, second]) if e.run is None:
                yield from self._actions(first, r)
                yield from self._actions(second, r)
            case c.App(function=c.Global(name="Prelude.>>="), arguments=[first, c.Lam()]) if e.run is None:
                yield from self._actions(first, r)
                branch = self.constructions.bound(e, r)
                if isinstance(branch, c.Branch):
                    yield from self._actions(branch.body, r)
            case c.App() | c.Global() | c.Var():
                ran = e.run if e.run is not None else e
                q = self.run.graph.reduction_at(r << SITE_BITS | ran.site)
                if q is not None and not self.run.unit(q).generated:
                    yield self._row(q)

    def _row(self, q: int) -> TrailRow:
        """The row of a call."""
        run = self.run
        value, sources = run.graph.value(run.result(q)), self._sources(q)
        names = run.parameter_names(q)
        arguments = [
            TrailArgument(names[i], run.values.text(ref), self._address(str(q), position, source, ref))
            for position, ((i, ref), source) in enumerate(zip(shown_arguments(run.graph, q), sources, strict=True))
        ]
        shown = f"failed: {value.message}" if isinstance(value, Bottom) else run.values.text(run.result(q))
        return TrailRow(str(q), shown, run.call_text(q), self._place(q), tuple(arguments))

    def _address(self, row: str, position: int, source: Source | None, ref: Ref) -> str:
        is_known = source is not None and not isinstance(self.run.graph.value(ref), Unevaluated | Dictionary)
        return f"{row}.{position + 1}" if is_known else ""

    def _sources(self, q: int) -> list[Source | None]:
        unit = self.run.unit(q)
        first = len(unit.captured) + len(unit.dicts)
        own = self.constructions.parameters(q)[first : first + unit.arity]
        return [own[position] for position, _ in shown_arguments(self.run.graph, q)]

    def _place(self, q: int) -> Location | None:
        """The place of a call; that of its function if the call is in the library."""
        trail = self.run.recording.trail
        r, site = trail.redexes[q] >> SITE_BITS, trail.redexes[q] & ((1 << SITE_BITS) - 1)
        unit = self.run.unit(q)
        if trail.redexes[q] >= 0 and not self.run.unit(r).trusted and site < len(self.run.unit(r).sites):
            e = self.run.unit(r).sites[site]
            if e is not None:
                return self.run.location(self.run.unit(r), e.span)
        return None if unit.trusted else self.run.location(unit, unit.span)

    def _end(self, e: object, r: int) -> TrailRow | None:
        """The row of a value that no call computed: a construction, a literal, a primitive's result."""
        if isinstance(e, str) or not isinstance(e, c.Expr):
            return None
        if isinstance(e, c.App) and isinstance(self.run.graph.value(r << SITE_BITS | e.site), Data):
            return self._built(e, r)
        unit = self.run.unit(r)
        if unit.trusted:
            return None
        text = self.run.values.text(self.run.graph.follow(e, r))
        shown = "..." if isinstance(self.run.graph.value(self.run.graph.resolve(e, r)), Function) else text
        return TrailRow("", shown, self.run.source(unit, e.span), self.run.location(unit, e.span), ())

    def _built(self, e: c.App, r: int) -> TrailRow:
        """The row of a construction."""
        run, unit, node = self.run, self.run.unit(r), r << SITE_BITS | e.site
        value = run.graph.value(node)
        refs = value.fields if isinstance(value, Data) else ()
        labels = value.info.labels if isinstance(value, Data) else ()
        sources = self.constructions.fields(Source(e, r))
        row = f"{r}:{e.site}"
        arguments = [
            TrailArgument(
                labels[i] if labels else str(i + 1),
                run.values.text(ref),
                self._address(row, i, sources[i] if i < len(sources) else None, ref),
            )
            for i, ref in enumerate(refs)
        ]
        text = run.values.text(node)
        place = None if unit.trusted else run.location(unit, e.span)
        return TrailRow(row, text, text, place, tuple(arguments))


def _trail(title: str, rows: Iterable[TrailRow]) -> Trail:
    listed = tuple(islice(rows, MOST_ROWS + 1))
    return Trail(title, listed[:MOST_ROWS], has_more=len(listed) > MOST_ROWS)
