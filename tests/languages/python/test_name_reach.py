"""Which names a changed statement of a module can reach."""

import pytest

from adebug_lsp.languages.python.oracles.name_reach import NameReach
from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.model.source import Location, Position, Range

A = """import os
LIMIT = 3
LIMITS = [LIMIT, 4]

class Base:
    most = LIMIT

class Other:
    pass

def used():
    return Other()
"""
B = """from a import LIMITS, Other
TABLE = {"x": LIMITS}
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (1, {"LIMIT", "LIMITS", "Base", "TABLE"}),
        (2, {"LIMITS", "TABLE"}),
        (5, {"Base"}),
        (7, {"Other"}),
        (0, {"os"}),
    ],
)
def test_a_change_reaches_names_through_statements_and_not_through_function_bodies(
    line: int, expected: set[str]
) -> None:
    modules = [Module("a.py", "a", A, 100), Module("b.py", "b", B, 200)]
    routine = Routine("<module>", "", -1, "module", (), False, modules[0], 0)
    place = Location("a.py", Range(Position(line, 0), Position(line, 1)))
    assert NameReach(modules).reached(routine, [place]) == expected
