"""Results of every strategy on the planted-bug programs of `tests/programs`, with the questions that a person gets.

The fixed twin of a program answers; if it cannot judge, the answer is "don't know". `python -m benchmarks programs`;
with `--erlang` on those of `tests/programs_erlang`.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen

from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.language import Entry, Opened, Request, silent
from adebug_lsp.languages.python.language import Python
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.source import Location
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Opinion, Oracle
from adebug_lsp.search.strategies import DEFAULT, names
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options

PROGRAMS = Path(__file__).parent.parent / "tests" / "programs"
ERLANG = PROGRAMS.with_name("programs_erlang")
MOST = 200
"""Maximum number of questions: a person would have given up long before."""
QUIET = ("-qq", "--tb=no", "--no-summary", "--no-header", "-p", "no:cacheprovider")


@frozen
class Result:
    """One strategy on one program."""

    questions: int
    text: int
    """Number of characters of the values shown in the questions."""
    size: int
    """Number of characters of code in the verdict, or in all candidates."""
    covered: bool
    """Whether that code contains the change."""


@frozen
class Recorded:
    """A recorded program, its twin, and the facts about its bug."""

    name: str
    run: Opened
    entry: Entry
    twin: Path
    buggy: dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Prints one table of strategies and one of programs."""
    parser = argparse.ArgumentParser(prog="benchmarks programs", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th program")
    parser.add_argument("--strategy", action="append", metavar="NAME", help="only this strategy; may be repeated")
    parser.add_argument("--erlang", action="store_true", help="the programs in Erlang")
    options = parser.parse_args(arguments)
    chosen, folder = options.strategy or names(), ERLANG if options.erlang else PROGRAMS
    results: dict[str, dict[str, Result]] = {name: {} for name in chosen}
    for program in program_names(folder)[:: options.every]:
        with (recorded_erlang if options.erlang else recorded)(program) as run:
            for name, result in play_all(run, chosen).items():
                results[name][program] = result
    print(f"\n{len(results[chosen[0]])} programs\n\n{by_strategy(results)}")
    if DEFAULT in results:
        print(f"\n{DEFAULT} on each program\n\n{by_program(results[DEFAULT])}")


def program_names(folder: Path = PROGRAMS) -> list[str]:
    """All programs except the one that never ends, because its tree differs from run to run."""
    abouts = {path.parent.name: json.loads(path.read_text("utf-8")) for path in folder.glob("*/about.json")}
    return sorted(name for name, about in abouts.items() if "endless" not in about)


@contextmanager
def recorded(name: str) -> Iterator[Recorded]:
    """Records one run of a program in its own folder."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        workspace, twin = Path(temporary) / name, Path(temporary) / "fixed"
        shutil.copytree(PROGRAMS / name, workspace, ignore=shutil.ignore_patterns("fixed", ".*", "__pycache__"))
        shutil.copytree(PROGRAMS / name / "fixed", twin)
        about = json.loads((workspace / "about.json").read_text("utf-8"))
        request = Request(workspace=workspace, interpreter=Path(sys.executable))
        if about.get("tests"):
            request = evolve(request, tests=(*QUIET, f"--rootdir={workspace}", str(workspace)))
        else:
            request = evolve(request, program=workspace / "program.py")
        with _quiet():
            Python().record(request, Path(temporary) / "run.adebug", silent)
        run = Python().open(Path(temporary) / "run.adebug", silent)
        yield Recorded(name, run, next(e for e in run.entries if e.failed or not e.name), twin, about["buggy"])


@contextmanager
def recorded_erlang(name: str) -> Iterator[Recorded]:
    """Records one run of an Erlang program."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        workspace, twin = Path(temporary) / name, Path(temporary) / "fixed"
        shutil.copytree(ERLANG / name, workspace, ignore=shutil.ignore_patterns("fixed"))
        shutil.copytree(ERLANG / name / "fixed", twin)
        about = json.loads((workspace / "about.json").read_text("utf-8"))
        program = workspace / f"{about['call'].partition(':')[0]}.erl"
        limit = about["timeout"] / 1000 if "timeout" in about else None
        request = Request(workspace=workspace, program=program, call=about["call"], timeout=limit)
        with _quiet():
            Erlang().record(request, Path(temporary) / "run.adebug", silent)
        run = Erlang().open(Path(temporary) / "run.adebug", silent)
        yield Recorded(name, run, run.entries[0], twin, about["buggy"])


def play_all(run: Recorded, chosen: Sequence[str]) -> dict[str, Result]:
    """Runs every strategy on one recording. The twin's opinions are cached: they do not depend on the strategy."""
    subject = run.run.subject(run.entry)
    known: dict[tuple[tuple[int, ...], int], Opinion | None] = {}
    with (
        run.run.oracles(subject, str(run.twin), silent) as twins,
        run.run.oracles(subject, None, silent) as tests,
    ):
        results = {}
        for name in chosen:
            session = Session(subject, Options(name), oracles=Chain(tests))
            results[name] = play(session, twins[0], known, run)
    return results


def play(
    session: Session, twin: Oracle, known: dict[tuple[tuple[int, ...], int], Opinion | None], run: Recorded
) -> Result:
    """Answers until the search ends or reaches the maximum number of questions."""
    text = asked = 0
    while isinstance(session.outcome, Ask) and asked < MOST:
        question = session.outcome.question
        key = question.zoomed, question.node
        if key not in known:
            known[key] = twin.opinion(question)
        text += shown(question.behaviour)
        asked += 1
        session.say(_answer(question, known[key]))
    places = code_of(session)
    covered = any(covers(place, run.buggy) for place in places)
    return Result(asked, text, sum(length(session, place) for place in places), covered)


def _answer(question: Question, opinion: Opinion | None) -> Answer:
    judgement = Judgement.UNKNOWN if opinion is None else opinion.judgement
    return Answer(question.node, judgement)


def shown(behaviour: Behaviour) -> int:
    """Number of characters to read: values before and after, result and exception."""
    bindings = (*behaviour.before.bindings, *behaviour.after.bindings)
    values = [value for value in (behaviour.result, behaviour.raised) if value is not None]
    return sum(len(b.name) + len(b.value.text) for b in bindings) + sum(len(value.text) for value in values)


def code_of(session: Session) -> set[Location]:
    """The code of the verdict; all candidates at a dead end, nothing if the search did not end."""
    outcome = session.outcome
    if isinstance(outcome, Found):
        return set(outcome.verdict.code)
    if isinstance(outcome, DeadEnd):
        candidates = (*outcome.verdict.known_wrong, *outcome.verdict.unknown)
        return {place for candidate in candidates for place in session.subject.code(candidate.node)}
    return set()


def length(session: Session, place: Location) -> int:
    """Number of characters of code in a place."""
    lines = session.subject.sources()[place.path].splitlines()
    where = place.range
    if where.start.line == where.end.line:
        return where.end.column - where.start.column
    between = sum(len(line) for line in lines[where.start.line + 1 : where.end.line])
    return len(lines[where.start.line]) - where.start.column + between + where.end.column


def covers(place: Location, buggy: dict[str, Any]) -> bool:
    """Whether a place contains the changed line."""
    path, line = str(buggy["path"]), int(buggy["line"])
    return place.path == path and place.range.start.line < line <= place.range.end.line + 1


def by_strategy(results: dict[str, dict[str, Result]]) -> str:
    """Mean, median and maximum per strategy, sorted by number of questions."""
    lines = [
        "| strategy | questions: mean | median | most | text read: mean | median | most "
        "| code in the verdict: mean | median | most | changed code covered |",
        f"|{'---|' * 11}",
    ]
    rows = []
    for name, of_program in results.items():
        of_all = list(of_program.values())
        columns = [np.array([getattr(result, what) for result in of_all]) for what in ("questions", "text", "size")]
        figures = [f"{c.mean():.1f} | {np.median(c):.0f} | {c.max()}" for c in columns]
        shown_name = f"**{name}**" if name == DEFAULT else name
        row = f"| {shown_name} | {' | '.join(figures)} | {sum(result.covered for result in of_all)} of {len(of_all)} |"
        rows.append((columns[0].mean(), row))
    return "\n".join([*lines, *(row for _mean, row in sorted(rows))])


def by_program(results: dict[str, Result]) -> str:
    """One row per program."""
    lines = [
        "| program | questions | text read | code in the verdict | changed code covered |",
        "|---|---|---|---|---|",
    ]
    for name, result in results.items():
        lines.append(
            f"| {name} | {result.questions} | {result.text} | {result.size} | {'yes' if result.covered else 'no'} |"
        )
    return "\n".join(lines)


@contextmanager
def _quiet() -> Iterator[None]:
    """Discards the programs' output."""
    sys.stdout.flush()
    kept, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)
