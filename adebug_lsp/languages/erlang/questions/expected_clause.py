"""Dependences inside a call, for a clause that should have been taken or a variable that is wrong.

If a clause before the taken one was expected, that clause failed to match; if one after it was expected, the taken
clause matched wrongly.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.slicing.dependence_contract import Trace

if TYPE_CHECKING:
    from adebug_lsp.languages.erlang.questions.inner import InnerSubject


def clause_name(number: int) -> str:
    """The name of a clause in a question; handlers of `catch` have negative numbers."""
    return f"handler {-number}" if number < 0 else f"clause {number}"


@frozen
class InnerDependences:
    """Dependences over the parts that one activation executed."""

    inner: "InnerSubject"

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        name = str(mark.path[0]) if mark.path else ""
        origin = self._clause(node, name) if mark.of is MarkOf.RESULT else self._bound(node, name)
        return None if origin is None else Trace(origin, frozenset({origin}))

    def _clause(self, node: int, name: str) -> int | None:
        """The node of the clause to blame, if another was expected."""
        if not name.startswith(("clause ", "handler ")):
            return None
        below = np.flatnonzero(self.inner.tree.parent == node).tolist()
        parts = [(child, part) for child in below if (part := self.inner.part(child)) is not None]
        named = [child for child, part in parts if clause_name(part.clause) == name]
        return named[0] if named else parts[-1][0] if parts and name else None

    def _bound(self, node: int, name: str) -> int | None:
        """The last node that bound a variable before this one."""
        event = part.event if (part := self.inner.part(node)) is not None else -1
        binding = [
            candidate
            for candidate in range(1, len(self.inner.tree))
            if (other := self.inner.part(candidate)) is not None and other.event < event and name in other.bound
        ]
        return binding[-1] if binding else None
