"""Values as variables of a debug session: handed out part by part, and only when the client asks for them."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from adebug_lsp.model.values import Environment, Key, Value

Body = dict[str, Any]

_READ_ONLY = {"attributes": ["readOnly"]}


@frozen
class Named:
    """A value with its name, and the expression that leads to it."""

    name: str
    value: Value
    expression: str = ""
    indexed: bool = False


def of_environment(environment: Environment) -> list[Named]:
    """The bindings of an environment."""
    return [Named(binding.name, binding.value, binding.name) for binding in environment.bindings]


def of_parts(value: Value, expression: str) -> list[Named]:
    """The parts of a value, and a last one that says how many are not shown."""
    found = [
        Named(_name(part.key), part.value, expression and expression + step(part.key), isinstance(part.key, int))
        for part in value.parts
    ]
    return [*found, Named("...", Value(f"{value.elided} more"))] if value.elided else found


def step(key: Key) -> str:
    """How an expression goes on to a part."""
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.isidentifier() else f"[{key}]"


def _name(key: Key) -> str:
    return f"[{key}]" if isinstance(key, int) else key


class Variables:
    """The variables that a client knows of; all are forgotten when the replay moves on."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Value, str] | list[Named]] = {}
        self._last = 0

    def forget(self) -> None:
        """References given out so far lead nowhere any more."""
        self._known.clear()

    def group(self, values: list[Named]) -> int:
        """A reference to some values; 0 where there are none."""
        return self._refer(values) if values else 0

    def shown(self, named: Named) -> Body:
        """A value as a `Variable`."""
        body: Body = {"name": named.name, "value": named.value.text, "presentationHint": _READ_ONLY}
        if named.value.type:
            body["type"] = named.value.type
        if named.expression:
            body["evaluateName"] = named.expression
        return body | self.reference(named.value, named.expression)

    def reference(self, value: Value, expression: str = "") -> Body:
        """What leads to the parts of a value, and how many of them there are."""
        if not value.parts:
            return {"variablesReference": 0}
        indexed = sum(isinstance(part.key, int) for part in value.parts)
        named = len(value.parts) - indexed + bool(value.elided)
        counts = {"indexedVariables": indexed, "namedVariables": named} if indexed else {"namedVariables": named}
        return {"variablesReference": self._refer((value, expression)), **counts}

    def page(self, reference: int, wanted: str | None, start: int, count: int) -> list[Body] | None:
        """The variables behind a reference: indexed or named ones only, or both; a count of 0 means all."""
        known = self._known.get(reference)
        if known is None:
            return None
        found: Sequence[Named] = known if isinstance(known, list) else of_parts(*known)
        if wanted is not None:
            found = [one for one in found if one.indexed == (wanted == "indexed")]
        return [self.shown(one) for one in found[start : start + count if count else None]]

    def _refer(self, what: tuple[Value, str] | list[Named]) -> int:
        self._last += 1
        self._known[self._last] = what
        return self._last
