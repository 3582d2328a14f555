"""The contract of a strategy (Def. 4.17): a pure function from a search space to the next node to ask about.

A strategy is called only when something can be asked. It keeps no state: what it wants to remember is in the
space's answers, so that undo, redo and replay need nothing from it.
"""

from typing import Protocol

from adebug_lsp.search.space import Space


class Strategy(Protocol):
    """Chooses questions."""

    def choose(self, space: Space) -> int:
        """The next node to ask about; always an askable one."""
