"""Plays a strategy on a tree whose wrong nodes are known: for teaching, research and benchmarks."""

from collections.abc import Callable
from time import perf_counter

from attrs import frozen

from adebug_lsp.model.answers import Answer
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.session.subject import Subject

Truth = Callable[[int], Answer]
"""An oracle that knows: the answer on any node."""


@frozen
class Play:
    """How one strategy fared on one tree."""

    strategy: str
    questions: tuple[int, ...]
    """The nodes asked about, in order."""
    buggy: int | None
    """The node that the verdict names; None when nothing was wrong."""
    text_read: int
    """The characters in all questions together."""
    seconds: float
    """Time spent choosing."""


def play(subject: Subject, truth: Truth, options: Options) -> Play:
    """Let a strategy ask until it has a verdict."""
    begin = perf_counter()
    session = Session(subject, options)
    asked: list[int] = []
    while isinstance(session.outcome, Ask):
        node = session.outcome.question.node
        asked.append(node)
        session.say(truth(node))
    seconds = perf_counter() - begin
    text_read = sum(int(subject.tree.cost[node]) for node in asked)
    return Play(options.strategy, tuple(asked), session.outcome.verdict.node, text_read, seconds)
