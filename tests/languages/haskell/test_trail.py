"""Luo and Chitil's definitions and theorems on runs of the engine, and what they leave open."""

import gc
import re
from collections.abc import Iterator

from hypothesis import example, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.haskell.engine.units import SITE_BITS
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.session.simulation import play
from adebug_lsp.session.state import Options
from tests.languages.haskell.recorded import Recorded, record

EXAMPLE_4 = """
g (Just x) = h x
h x y = both y x
both True x = x
both False _ = False
same x = x
inverse False = True
inverse True = False
main = print (g (Just True) (same (inverse False)))
"""


def test_example_4_has_the_equations_of_the_paper() -> None:
    recorded = record(EXAMPLE_4)
    equations = set(recorded.equations())
    assert "h True True = True" in equations
    assert "g (Just True) = h True" in equations, "a partial application is a value"
    assert "same True = True" in equations
    assert "inverse False = True" in equations
    tree = recorded.subject.tree
    texts = recorded.equations()
    assert [texts[child] for child in tree.children(0)].count("inverse False = True") == 1, "shared, and asked once"
    (both,) = [node for node, text in enumerate(texts) if text == "both True True = True"]
    assert texts[tree.parent[both]] == "h True True = True"


def test_what_was_never_needed_is_an_underscore() -> None:
    text = "first n xs = take n (step xs)\nstep (x : xs) = x + 1 : step xs\nmain = print (first 2 [1 ..])\n"
    equations = record(text).equations()
    assert "first 2 (1:2:_) = [2, 3]" in equations
    assert "step (1:2:_) = 2:3:_" in equations


def test_the_engine_evaluates_no_more_than_the_program_needs() -> None:
    text = "boom :: Int -> Int\nboom n = boom (n + 1)\npair x = (x, boom 0)\nmain = print (fst (pair 1))\n"
    assert record(text).equations() == ["main = ()", "pair 1 = (1, _)"]


def test_functions_are_what_they_were_applied_to() -> None:
    text = "twice f x = f (f x)\nmain = print (twice (\\y -> y * y) 3)\n"
    equations = record(text).equations()
    assert "twice {9 -> 81, 3 -> 9} 3 = 81" in equations or "twice {3 -> 9, 9 -> 81} 3 = 81" in equations


def test_a_local_function_shows_the_variables_it_closes_over() -> None:
    text = (
        "scale k xs = go xs\n  where go [] = []\n        go (y : ys) = k * y : go ys\nmain = print (scale 2 [1, 2])\n"
    )
    equations = record(text).equations()
    assert "go [1, 2] = [2, 4], where k = 2" in equations


def test_constants_are_nodes_of_their_own() -> None:
    text = "limit :: Int\nlimit = 3 * 4\nbelow x = x < limit\nmain = print (filter below [10, 20])\n"
    assert "limit = 12" in record(text).equations()


def test_dictionaries_are_hidden() -> None:
    text = "same :: Eq a => a -> a -> Bool\nsame x y = x == y\nmain = print (same 'a' 'b')\n"
    assert "same 'a' 'b' = False" in record(text).equations()


def test_failures_are_values_of_the_tree() -> None:
    recorded = record('f 0 = error "zero"\nf n = n\ng n = f (n - 1)\nmain = print (g 1)\n')
    assert (recorded.outcome.how, recorded.outcome.message) == ("raised", "zero")
    assert recorded.equations()[1:] == ["g 1 failed: zero", "f 0 failed: zero"]
    unmatched = record("f (Just x) = x\nmain = print (f (Nothing :: Maybe Int))\n")
    assert unmatched.equations()[1:] == ["f Nothing failed: no equation or alternative matches"]


def test_a_black_hole_is_found() -> None:
    recorded = record("main = let x = x + 1 :: Int in print x\n")
    assert (recorded.outcome.how, recorded.outcome.message) == ("raised", "<<loop>>")


def test_a_run_that_is_stopped_can_be_asked_about() -> None:
    recorded = record("spin :: Int -> Int\nspin n = spin (n + 1)\nmain = print (spin 0)\n", most=1000)
    assert recorded.outcome.how == "interrupted"
    assert recorded.subject.behaviour(1).text == "spin 0 did not end"


def test_a_run_is_stopped_whatever_the_garbage_collector_calls() -> None:
    """An exception from outside could land in a callback of the collector, which swallows it, and the run went on."""

    def callback(_phase: str, _info: dict[str, int]) -> None:
        sum(range(2000))

    gc.callbacks.append(callback)
    try:
        recorded = record("spin :: Int -> Int\nspin n = spin (n + 1)\nmain = print (spin 0)\n", most=1000)
    finally:
        gc.callbacks.remove(callback)
    assert recorded.outcome.how == "interrupted"


def test_a_run_that_writes_without_reducing_is_stopped() -> None:
    recorded = record("main = let xs = 'a' : xs in putStr xs\n", stop=lambda: "stopped")
    assert (recorded.outcome.how, recorded.outcome.message) == ("interrupted", "stopped")


def test_deep_evaluations_need_no_deep_stack_of_ours() -> None:
    recorded = record(
        "total :: [Int] -> Int\ntotal [] = 0\ntotal (x : xs) = x + total xs\nmain = print (total [1 .. 100000])\n"
    )
    assert recorded.output == "5000050000\n"
    assert len(recorded.subject.tree) == 100002
    assert recorded.subject.behaviour(100001).text == "total [] = 0"


# Random programs: functions over natural numbers and lists of them, each calling earlier ones, so all end

_NAMES = ["f0", "f1", "f2", "f3"]


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Bodies of functions of a number and a list, and the same with one body changed."""

    def number(depth: int, known: list[str]) -> str:
        options = ["n", "1", "2", "head (xs ++ [n])", "length xs"]
        if depth:
            options += [f"({number(depth - 1, known)} + {number(depth - 1, known)})"]
            options += [f"(if {number(0, [])} < {number(0, [])} then {number(depth - 1, known)} else n)"]
            options += [f"{name} {number(0, [])} {items(depth - 1, known)}" for name in known]
        return f"({draw(st.sampled_from(options))})"

    def items(depth: int, known: list[str]) -> str:
        options = ["xs", "[]", "[n]", "(n : xs)"]
        if depth:
            options += [f"(map (\\y -> y + n) {items(depth - 1, known)})", f"({number(depth - 1, known)} : xs)"]
        return draw(st.sampled_from(options))

    right = [number(2, _NAMES[:i]) for i in range(len(_NAMES))]
    wrong = list(right)
    changed = draw(st.integers(0, len(_NAMES) - 1))
    wrong[changed] = f"({right[changed]} + 1)"
    return right, wrong


def source(bodies: list[str], calls: list[str]) -> str:
    lines = [f"{name} :: Int -> [Int] -> Int\n{name} n xs = {body}" for name, body in zip(_NAMES, bodies, strict=True)]
    return "\n".join([*lines, f"main = print [{', '.join(calls)}]"]) + "\n"


CALLS = [f"{name} {n} [{n}, 5]" for name in reversed(_NAMES) for n in (0, 3)]


@settings(max_examples=6, deadline=None)
@given(programs())
def test_every_reduction_is_in_the_tree_under_one_parent(bodies: tuple[list[str], list[str]]) -> None:
    """Theorems 18 and 20: the tree has each reduction once, below the reduction that created its redex."""
    recorded = record(source(bodies[1], CALLS))
    run = recorded.run
    redexes = run.recording.trail.redexes
    assert len(set(redexes)) == len(redexes), "a node is reduced once"
    assert all(0 <= node >> SITE_BITS < q for q, node in enumerate(redexes) if q)
    asked = [q for q in range(len(redexes)) if q == 0 or not (run.unit(q).trusted or run.unit(q).generated)]
    assert sorted(recorded.subject.nodes) == asked


@example(
    (["(1)", "(n)", "(f0 (head (xs ++ [n])) xs)", "(n)"], ["((1) + 1)", "(n)", "(f0 (head (xs ++ [n])) xs)", "(n)"])
)
@settings(max_examples=6, deadline=None)
@given(programs())
def test_a_faulty_node_is_of_the_changed_function(bodies: tuple[list[str], list[str]]) -> None:
    """Theorem 30: a wrong node whose children are right belongs to the function that is wrong."""
    right, wrong = bodies
    changed = next(i for i in range(len(_NAMES)) if right[i] != wrong[i])
    recorded = record(source(wrong, CALLS))
    if recorded.outcome.how != "finished":
        return
    subject = recorded.subject
    intended = _intended(right, subject)
    faulty = [
        node
        for node in intended
        if not intended[node] and all(intended.get(child, True) for child in subject.tree.children(node))
    ]
    assert {subject.run.unit(subject.reduction(node)).name for node in faulty} <= {f"Main.{_NAMES[changed]}"}
    if faulty:
        options = Options("divide-and-query-optimal", Granularity.ROUTINE)
        played = play(subject, lambda node: _answer(node, intended), options)
        assert played.buggy in (*faulty, 0)


def _answer(node: int, intended: dict[int, bool]) -> Answer:
    return Answer(node, Judgement.YES if intended.get(node, node != 0) else Judgement.NO)


def _intended(right: list[str], subject: HaskellSubject) -> dict[int, bool]:
    """Whether each call gives what the right program gives: the intended meaning. Lambdas are right by construction.

    An equation with `_` is right if it holds whatever stands there; some values are tried.
    """
    tried: list[tuple[int, str, str]] = []
    for node in range(1, len(subject.tree)):
        call, _, result = subject.behaviour(node).text.partition(" = ")
        if call.startswith("f"):
            tried += [(node, completed, result) for completed in dict.fromkeys(_completed(call))]
    if not tried:
        return {}
    reference = record(source(right, [call for _, call, _ in tried]))
    values = reference.output.strip().strip("[]").split(",")
    intended: dict[int, bool] = {}
    for (node, _, result), value in zip(tried, values, strict=True):
        intended[node] = intended.get(node, True) and value == result
    return intended


def _completed(call: str) -> Iterator[str]:
    """A call `f NUMBER LIST` with values for what was not needed."""
    for number, items in ((0, "[]"), (1, "[0]"), (2, "[2, 1]"), (3, "[9, 9, 9]"), (5, "[]"), (9, "[1]")):
        as_list = re.sub(r"(?<=:)_|(?<= )_$", items, call)
        yield re.sub(r"\b_\b", str(number), as_list)


def test_a_reopened_recording_has_the_same_equations() -> None:
    first, second = record(EXAMPLE_4), record(EXAMPLE_4)
    assert first.equations() == second.equations()
    assert isinstance(first, Recorded)
