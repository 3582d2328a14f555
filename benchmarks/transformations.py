"""Effect of each transformation on the number of questions, on the planted-bug programs of `tests/programs`.

The fixed twin of a program answers; if it cannot judge, the answer is "don't know". A range of calls created by a
transformation is wrong if one of them is. `python -m benchmarks transformations`; with `--erlang` on those of
`tests/programs_erlang`, with `--quick` on every eighth program.
"""

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from adebug_lsp.model.answers import Answer, Judgement, Transform
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.transformations import BALANCING, COMPRESSION, HALVING, LOOP_EXPANSION
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Opinion, Oracle
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from benchmarks.programs import (
    ERLANG,
    MOST,
    PROGRAMS,
    Recorded,
    Result,
    code_of,
    covers,
    length,
    program_names,
    recorded,
    recorded_erlang,
    shown,
    silent,
)

STRATEGIES = ("top-down", "heaviest-first", "divide-and-query-optimal", "expected-cost")
NONE = "none"
QUICK = 8


@frozen
class Setting:
    """Strategy, granularity and transformation of a search."""

    strategy: str
    granularity: Granularity
    transformation: str

    @property
    def without(self) -> "Setting":
        """The same setting without the transformation."""
        return Setting(self.strategy, self.granularity, NONE)


SETTINGS = [
    *(Setting(s, Granularity.EXPRESSION, t) for s in STRATEGIES for t in (NONE, COMPRESSION, BALANCING, HALVING)),
    *(Setting(s, Granularity.ROUTINE, t) for s in STRATEGIES for t in (NONE, LOOP_EXPANSION)),
]

Results = dict[Setting, dict[str, Result]]
Opinions = dict[tuple[tuple[int, ...], int], Opinion | None]


def main(arguments: Sequence[str]) -> None:
    """Prints one table per granularity."""
    parser = argparse.ArgumentParser(prog="benchmarks transformations", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"only every {QUICK}th program")
    parser.add_argument("--erlang", action="store_true", help="the programs in Erlang")
    options = parser.parse_args(arguments)
    programs = program_names(ERLANG if options.erlang else PROGRAMS)[:: QUICK if options.quick else 1]
    results: Results = {setting: {} for setting in SETTINGS}
    for program in programs:
        with (recorded_erlang if options.erlang else recorded)(program) as run:
            for setting, result in play_all(run):
                results[setting][program] = result
    for granularity in (Granularity.EXPRESSION, Granularity.ROUTINE):
        print(f"\n{len(programs)} programs, granularity {granularity.value}\n\n{table(results, granularity)}")


def play_all(run: Recorded) -> Iterator[tuple[Setting, Result]]:
    """Runs every setting on one recording; omits transformations that do not apply."""
    subject = run.run.subject(run.entry)
    known: Opinions = {}
    with run.run.oracles(subject, str(run.twin), silent) as twins, run.run.oracles(subject, None, silent) as tests:
        for setting in SETTINGS:
            options = Options(setting.strategy, setting.granularity)
            session = Session(subject, options, oracles=Chain(tests))
            try:
                if setting.transformation != NONE:
                    session.say(Transform(setting.transformation))
            except BadAnswerError:
                continue
            yield setting, play(session, twins[0], known, run)


def play(session: Session, twin: Oracle, known: Opinions, run: Recorded) -> Result:
    """Answers until the search ends or reaches the maximum number of questions."""
    text = asked = 0
    while isinstance(session.outcome, Ask) and asked < MOST:
        question = session.outcome.question
        judgements = [_opinion(session, question, part, twin, known) for part in session.parts(question.node)]
        text += shown(question.behaviour)
        asked += 1
        session.say(Answer(question.node, _together(judgements)))
    places = code_of(session)
    is_covered = any(covers(place, run.buggy) for place in places)
    return Result(asked, text, sum(length(session, place) for place in places), is_covered)


def _opinion(session: Session, question: Question, node: int, twin: Oracle, known: Opinions) -> Judgement:
    """The twin's opinion on one node, cached, since it does not depend on the strategy."""
    key = question.zoomed, node
    if key not in known:
        known[key] = twin.opinion(question if question.node == node else session.question(node))
    opinion = known[key]
    return Judgement.UNKNOWN if opinion is None else opinion.judgement


def _together(judgements: Sequence[Judgement]) -> Judgement:
    if len(judgements) == 1:
        return judgements[0]
    if any(judgement is Judgement.NO for judgement in judgements):
        return Judgement.NO
    is_right = all(judgement is Judgement.YES for judgement in judgements)
    return Judgement.YES if is_right else Judgement.UNKNOWN


def table(results: Results, granularity: Granularity) -> str:
    """Means over the programs that a transformation applies to, next to those without it."""
    lines = [
        "| strategy | transformation | applies to | questions without | with | fewer / more in "
        "| text read without | with | code in the verdict without | with | changed code covered without | with |",
        f"|{'---|' * 12}",
    ]
    for setting, of_program in results.items():
        if setting.granularity is granularity and setting.transformation != NONE and of_program:
            lines.append(_row(setting, of_program, results[setting.without]))
    return "\n".join(lines)


def _row(setting: Setting, transformed: dict[str, Result], plain: dict[str, Result]) -> str:
    pairs = [(plain[program], result) for program, result in transformed.items()]
    fewer = sum(after.questions < before.questions for before, after in pairs)
    more = sum(after.questions > before.questions for before, after in pairs)

    def means(column: str) -> str:
        before, after = (np.mean([getattr(pair[side], column) for pair in pairs]) for side in (0, 1))
        return f"{before:.1f} | {after:.1f}"

    covered = " | ".join(str(sum(pair[side].covered for pair in pairs)) for side in (0, 1))
    return (
        f"| {setting.strategy} | {setting.transformation} | {len(pairs)} | {means('questions')} | {fewer} / {more} "
        f"| {means('text')} | {means('size')} | {covered} |"
    )
