"""The interface of a strategy (Def. 4.17): a pure function from a search space to the next node to ask about.

A strategy is called only when something can be asked. It is stateless and looks up earlier answers in the space, so
that undo, redo and replay need nothing from it.
"""

from typing import Protocol

from adebug_lsp.search.space import Space


class Strategy(Protocol):
    """Chooses questions."""

    def choose(self, space: Space) -> int:
        """The next node to ask about; always an askable one."""
