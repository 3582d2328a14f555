"""Plays a strategy on a tree whose wrong nodes are known: for teaching, research and benchmarks."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from attrs import frozen

from adebug_lsp.model.answers import Answer, Judgement, Transform
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
    ranges: Mapping[int, tuple[int, ...]]
    """The nodes of the tree in each range that a transformation made and that was asked about."""
    buggy: int | None
    """The node that the verdict names; None when nothing was wrong."""
    text_read: int
    """The characters in all questions together."""
    seconds: float
    """Time spent choosing."""


def play(subject: Subject, truth: Truth, options: Options, transformations: Sequence[str] = ()) -> Play:
    """Let a strategy ask until it has a verdict; raises `BadAnswerError` for a transformation that does not apply."""
    begin = perf_counter()
    session = Session(subject, options)
    for name in transformations:
        session.say(Transform(name))
    asked: list[int] = []
    ranges: dict[int, tuple[int, ...]] = {}
    text_read = 0
    while isinstance(session.outcome, Ask):
        question = session.outcome.question
        asked.append(question.node)
        text_read += question.facts.cost
        parts = session.parts(question.node)
        if parts == (question.node,):
            session.say(truth(question.node))
        else:
            ranges[question.node] = parts
            session.say(Answer(question.node, _of_range([truth(part).judgement for part in parts])))
    seconds = perf_counter() - begin
    return Play(options.strategy, tuple(asked), ranges, session.outcome.verdict.node, text_read, seconds)


def _of_range(judgements: Sequence[Judgement]) -> Judgement:
    """A range is right if all of its parts are."""
    return Judgement.YES if all(judgement is Judgement.YES for judgement in judgements) else Judgement.NO
