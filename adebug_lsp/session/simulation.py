"""Simulates a session on a tree whose wrong nodes are known: for teaching, research and benchmarks."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from attrs import frozen

from adebug_lsp.model.answers import Answer, Judgement, Transform
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.session.subject import Subject

Truth = Callable[[int], Answer]
"""Returns the correct answer on a node."""


@frozen
class Play:
    """The result of a simulated session."""

    strategy: str
    questions: tuple[int, ...]
    """The nodes asked about, in order."""
    ranges: Mapping[int, tuple[int, ...]]
    """For each range asked about (see `session.transformation`), the nodes in it."""
    buggy: int | None
    """The node of the verdict; None if nothing was wrong."""
    text_read: int
    """Total number of characters in the questions."""
    seconds: float
    """Time spent on choosing questions."""


def play(subject: Subject, truth: Truth, options: Options, transformations: Sequence[str] = ()) -> Play:
    """Answer a strategy's questions up to the verdict; raises `BadAnswerError` if a transformation does not apply."""
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
