"""What a search does with a mark whose value was followed to the node that made it."""

from typing import Any

from attrs import frozen

from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.search.space import Space
from adebug_lsp.slicing.dependence_contract import Trace
from adebug_lsp.tree.handmade import read_handmade
from tests.support import tree_of


@frozen
class OneTrace:
    """Every mark leads to one node, which only the earlier ones can have influenced."""

    origin: int
    explanation: str

    def trace(self, node: int, mark: Mark) -> Trace:
        del node, mark
        return Trace(self.origin, frozenset(range(self.origin + 1)), self.explanation)


def after_a_right_origin(explanation: str) -> Space:
    """A root with two children: its result is marked, the mark leads to the first, and that is right."""
    space = Space(tree_of([None, 0, 0]), dependences=OneTrace(1, explanation))
    space.judge(0, Judgement.NO, Mark(MarkOf.RESULT))
    space.judge(1, Judgement.YES)
    assert not space.any_askable()
    return space


def test_a_value_that_is_right_where_it_was_made_proves_nothing() -> None:
    space = after_a_right_origin("made there")
    assert space.refocus()
    assert space.frontier() == [2]


def test_a_mark_that_kept_all_influences_proves_the_bug() -> None:
    assert not after_a_right_origin("").refocus()


def followed(*kinds: str) -> int | None:
    """The node that is asked about first if a failure was followed to the last one of a chain."""
    nodes: list[dict[str, Any]] = [{"id": 0, "parent": None, "rule": "test", "kind": "routine"}]
    nodes += [{"id": n, "parent": n - 1, "rule": kind, "kind": kind} for n, kind in enumerate(kinds, 1)]
    space = Space(read_handmade({"nodes": nodes}).tree, dependences=OneTrace(len(kinds), "made there"))
    space.follow_failure()
    return space.maker_of_marked()


def test_a_failure_is_followed_to_a_call_and_into_it() -> None:
    assert followed("routine") == 1
    assert followed("routine", "loop") == 2
    assert followed("lambda") == 1


def test_the_failed_assertion_itself_is_not_asked_about_first() -> None:
    assert followed("statement") is None
    assert followed("loop", "iteration") is None
