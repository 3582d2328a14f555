"""The transformations of the execution tree by name. `session.transformation` applies them."""

from collections.abc import Mapping

LOOP_EXPANSION = "loop-expansion"
COMPRESSION = "compression"
BALANCING = "balancing"
SIMPLIFICATION = "simplification"
HALVING = "halving"
ORIGINAL = "original"

TRANSFORMATIONS: Mapping[str, str] = {
    LOOP_EXPANSION: "ask about loops and iterations too, where the granularity is routine",
    COMPRESSION: "put recursive calls off: ask about the outermost one and what the recursion called",
    BALANCING: "ask about several calls in a row at once, grouped by weight",
    SIMPLIFICATION: "ask about a lazy program as if it were eager",
    HALVING: "ask about several calls or iterations in a row at once, grouped in halves",
    ORIGINAL: "go back to the tree of the run",
}
"""Every transformation with its description, as help and documentation list them."""
