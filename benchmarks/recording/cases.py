"""The programs of the suite and their sizes.

`size` takes 0.3 to 1 second bare on a current machine, `larger` is about twice that work, `quick` a tenth, and `tiny`
about a millisecond: for tools that are thousands of times slower than the program.
"""

from pathlib import Path

from attrs import frozen

PROGRAMS = Path(__file__).parent / "programs"


@frozen
class Case:
    """One program and its sizes."""

    name: str
    size: int
    larger: int
    quick: int
    tiny: int


CASES = (
    Case("fib", size=32, larger=33, quick=27, tiny=16),
    Case("quicksort", size=200_000, larger=400_000, quick=20_000, tiny=700),
    Case("json_parser", size=10_000, larger=20_000, quick=1_000, tiny=25),
    Case("queens", size=10, larger=11, quick=8, tiny=5),
    Case("constraints", size=1_000, larger=2_000, quick=100, tiny=1),
    Case("simulation", size=70_000, larger=140_000, quick=7_000, tiny=120),
    Case("raytrace", size=150, larger=212, quick=45, tiny=7),
    Case("words", size=3_000, larger=6_000, quick=300, tiny=6),
    Case("matrix", size=150, larger=189, quick=70, tiny=17),
    Case("graph", size=250, larger=354, quick=80, tiny=20),
    Case("pipeline", size=400_000, larger=800_000, quick=40_000, tiny=900),
    Case("nbody", size=75_000, larger=150_000, quick=7_500, tiny=130),
)
