"""Values as variables of a debug session, sent part by part when the client requests them."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from adebug_lsp.model.presentation import address, part_address
from adebug_lsp.model.values import Environment, Key, Part, Value
from adebug_lsp.session.addresses import MoreParts

Body = dict[str, Any]

MOST = 1000
"""Page size for clients that send no `count`; the last variable leads to the rest."""
_READ_ONLY = {"attributes": ["readOnly"]}


@frozen
class Named:
    """A value with its name, and the address that leads to it."""

    name: str
    value: Value
    address: str = ""
    moment: int | None = None
    """The event at which the value had this state, if more parts can be looked up."""


@frozen
class Opened:
    """The parts of a value, from an index on."""

    whole: Named
    start: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all parts are available."""
        value = self.whole.value
        return not value.elided or (value.identity is not None and self.whole.moment is not None)

    @property
    def total(self) -> int:
        """Number of available parts."""
        value = self.whole.value
        return len(value.parts) + (value.elided if self.is_complete else 0)

    @property
    def indexed(self) -> int:
        """Number of parts with an index as their name; these come first."""
        named = sum(isinstance(part.key, str) for part in self.whole.value.parts)
        return self.total - named if named < len(self.whole.value.parts) else 0


def of_environment(scope: str, environment: Environment) -> list[Named]:
    """The bindings of an environment, with addresses in its scope."""
    return [Named(b.name, b.value, address(scope, b.name), b.value.moment) for b in environment.bindings]


class Variables:
    """The variable references of a client, which become stale when the replay moves on."""

    def __init__(self, more: MoreParts) -> None:
        self._more = more
        self._known: dict[int, Opened | list[Named]] = {}
        self._last = 0

    def forget(self) -> None:
        """Invalidate all references."""
        self._known.clear()

    def group(self, values: list[Named]) -> int:
        """Allocate the `variablesReference` of a scope with these values; 0 if there are none."""
        return self._refer(values) if values else 0

    def shown(self, named: Named) -> Body:
        """A value as a `Variable`."""
        body: Body = {"name": named.name, "value": named.value.text, "presentationHint": _READ_ONLY}
        if named.value.type:
            body["type"] = named.value.type
        if named.address:
            body["evaluateName"] = named.address
        return body | self.reference(named)

    def reference(self, named: Named) -> Body:
        """The reference to the parts of a value, and their number."""
        opened = Opened(named)
        if not opened.total:
            return {"variablesReference": 0}
        others = opened.total - opened.indexed
        counts = {"namedVariables": others} | ({"indexedVariables": opened.indexed} if opened.indexed else {})
        return {"variablesReference": self._refer(opened), **counts}

    def page(self, reference: int, wanted: str | None, start: int, count: int) -> list[Body] | None:
        """The variables behind a reference: indexed or named ones only, or both; a count of 0 means all."""
        known = self._known.get(reference)
        if isinstance(known, Opened):
            return self._page(known, wanted, start, count)
        if known is None or wanted == "indexed":
            return None if known is None else []
        return [self.shown(item) for item in known[start : start + count if count else None]]

    def _page(self, opened: Opened, wanted: str | None, start: int, count: int) -> list[Body]:
        """One page of the parts of a value, with an item for the rest."""
        low = opened.indexed if wanted == "named" else opened.start
        high = opened.indexed if wanted == "indexed" else opened.total
        first = low + start
        last = min(high, first + (count or MOST))
        page = [self.shown(item) for item in self._parts(opened.whole, first, last - first)]
        if count == 0 and last < high:
            page.append(self._rest(f"{high - last} more", evolve(opened, start=last)))
        elif last == opened.total and not opened.is_complete and wanted != "indexed":
            page.append(self._rest(f"{opened.whole.value.elided} more, which are not shown"))
        return page

    def _rest(self, text: str, opened: Opened | None = None) -> Body:
        reference = 0 if opened is None else self._refer(opened)
        return {"name": "...", "value": text, "variablesReference": reference, "presentationHint": _READ_ONLY}

    def _parts(self, whole: Named, start: int, count: int) -> list[Named]:
        """The parts of a value from `start` on, looked up in the recording if the value does not list them."""
        value, moment = whole.value, whole.moment
        if count <= 0:
            return []
        if start + count <= len(value.parts) or value.identity is None or moment is None:
            parts: Sequence[Part] = value.parts[start : start + count]
        else:
            parts = self._more(value.identity, moment, start, count)
        way = whole.address
        return [Named(_name(part.key), part.value, way and part_address(way, part.key), moment) for part in parts]

    def _refer(self, content: Opened | list[Named]) -> int:
        """Allocate a `variablesReference` for the content."""
        self._last += 1
        self._known[self._last] = content
        return self._last


def _name(key: Key) -> str:
    return f"[{key}]" if isinstance(key, int) else key
