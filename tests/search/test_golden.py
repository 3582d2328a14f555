"""The thesis's question sequences (T1), and its Examples 2, 18-20, 22 and 23, through the library and the command."""

import json

import pytest

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.session.handmade_subject import HandmadeSubject, truth
from adebug_lsp.session.simulation import play
from adebug_lsp.session.state import Options
from adebug_lsp.tree.transform.compression import compress
from tests.support import EXAMPLES, example

HEAVIEST = [1, 2, 4, 7, 16, 20, 21, 23, 24]
TOP_DOWN = [1, 2, 3, 4, 5, 7, 16, 17, 20, 21, 23, 24]

SEQUENCES = [
    ("sqrtest", "single-stepping", [3, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 7, 19, 18, 17, 22, 21, 24, 23], 23),
    ("sqrtest", "top-down", TOP_DOWN, 23),
    ("sqrtest", "top-down-zooming", TOP_DOWN, 23),
    ("sqrtest", "heaviest-first", HEAVIEST, 23),
    ("sqrtest", "less-yes-first", HEAVIEST, 23),
    ("sqrtest-marked", "top-down", [1, 2, 3, 4, 16, 17, 20, 23, 24], 23),
    ("sqrtest-marked", "subterm-tracking", [1, 2, 3, 17, 16, 20, 23, 24], 23),
    ("sqrtest", "divide-and-query-shapiro", [7, 16, 17, 21, 24, 23], 23),
    ("sqrtest", "divide-and-query-hirunkitti", [7, 16, 17, 21, 24, 23], 23),
    ("sqrtest", "divide-by-yes", [7, 16, 21, 23, 24], 23),
    # Example 18: four nodes beat three, or three rules beat two.
    ("rules", "heaviest-first", ["a", "h", "b", "c", "d"], "d"),
    ("rules", "distinct-rules", ["a", "b", "c", "d"], "d"),
    # Example 20: the top-most 8 first; then 2 and not 5, because 7 has run right.
    ("rules", "divide-by-yes", ["h", "b", "c", "d"], "d"),
    # Example 2: once a sort has run right, the rule that never ran is asked about.
    ("sort", "hat-delta", [1, 2, 11, 12], 11),
    ("sort", "hat-delta-share", [1, 2, 11, 12], 11),
    # Example 22: all but the first branch is asked bottom up.
    ("hat-delta", "hat-delta", [1, 2, 10, 9, 8], 1),
    # Example 23: a mark on every answer can lead through the whole tree.
    ("increments", "subterm-tracking", [1, 3, 4, 5, 2, 6, 8, 9, 10, 7], 7),
]


@pytest.mark.parametrize(("name", "strategy", "expected", "buggy"), SEQUENCES)
def test_sequence_through_the_library(name: str, strategy: str, expected: list[object], buggy: object) -> None:
    handmade = example(name)
    played = play(HandmadeSubject(handmade), lambda n: truth(handmade, n), Options(strategy, root_is_wrong=False))
    assert [handmade.ids[node] for node in played.questions] == expected
    assert played.buggy is not None
    assert handmade.ids[played.buggy] == buggy


@pytest.mark.parametrize(("name", "strategy", "expected", "buggy"), SEQUENCES)
def test_sequence_through_the_command(
    name: str, strategy: str, expected: list[object], buggy: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", str(EXAMPLES / f"{name}.json"), "--strategy", strategy, "--ask-root", "--json"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in printed] == [{"strategy": strategy, "questions": expected, "buggy": buggy}]


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("divide-and-query-shapiro", [7, 20, 21, 24, 23]),
        ("divide-and-query-hirunkitti", [7, 16, 17, 21, 24, 23]),
        ("top-down", TOP_DOWN[1:]),
    ],
)
def test_without_the_root(strategy: str, expected: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    """Leaving the root out from the start shortens Shapiro's session by one and leaves Hirunkitti's alone."""
    assert main(["simulate", str(EXAMPLES / "sqrtest.json"), "--strategy", strategy, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == expected


def test_example_19_one_question_settles_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the answer on the only node of rule 1, a single rule is left."""
    arguments = ["simulate", str(EXAMPLES / "append.json"), "--strategy", "combined", "--ask-root", "--stop-at-rule"]
    assert main([*arguments, "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    assert played["questions"] == [5]
    assert example("append").tree.site_of(played["buggy"] - 1).rule == "append (x:xs)"


def test_example_19_by_tree_compression() -> None:
    """Compression leaves the node of rule 1 under a single node of rule 2: one question."""
    handmade = example("append")
    compressed = compress(handmade.tree)
    assert len(compressed.tree) == 2
    assert [compressed.tree.site_of(node).rule for node in (0, 1)] == ["append (x:xs)", "append []"]


def test_example_21_sets_of_dynamic_weighting() -> None:
    """After marking 8 in node 3: node 17 is asked next, and nodes 5 to 15 are out."""
    handmade = example("sqrtest-marked")
    played = play(
        HandmadeSubject(handmade),
        lambda n: truth(handmade, n),
        Options("dynamic-weighting", root_is_wrong=False),
    )
    asked = [handmade.ids[node] for node in played.questions]
    assert asked[:4] == [1, 2, 3, 17]
    assert not set(asked) & set(range(5, 16))
