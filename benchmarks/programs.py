"""How every strategy fares on the planted-bug programs of `tests/programs`, asked as a person would be asked.

The fixed twin of a program answers; where it cannot, the answer is "don't know". `python -m benchmarks programs`;
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
from adebug_lsp.languages.language import Entry, Opened, Request
from adebug_lsp.languages.python.language import Python
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.model.source import Location
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Opinion, Oracle
from adebug_lsp.search.registry import DEFAULT, names
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options

PROGRAMS = Path(__file__).parent.parent / "tests" / "programs"
ERLANG = PROGRAMS.with_name("programs_erlang")
MOST = 200
"""A person would have given up long before so many questions."""
QUIET = ("-qq", "--tb=no", "--no-summary", "--no-header", "-p", "no:cacheprovider")


@frozen
class Result:
    """One strategy on one program."""

    questions: int
    text: int
    """The characters of the values that the questions show."""
    size: int
    """The characters of code in the verdict, or in all candidates."""
    covered: bool
    """Whether the changed code is in them."""


@frozen
class Recorded:
    """A program that was run, its twin, and what is known about the bug."""

    name: str
    run: Opened
    entry: Entry
    twin: Path
    buggy: dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Print one table for the strategies and one for the programs."""
    parser = argparse.ArgumentParser(prog="benchmarks programs", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th program")
    parser.add_argument("--strategy", action="append", metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--erlang", action="store_true", help="the programs in Erlang")
    options = parser.parse_args(arguments)
    chosen, folder = options.strategy or names(), ERLANG if options.erlang else PROGRAMS
    results: dict[str, dict[str, Result]] = {name: {} for name in chosen}
    for program in program_names(folder)[:: options.every]:
        with (recorded_erlang if options.erlang else recorded)(program) as found:
            for name, result in play_all(found, chosen).items():
                results[name][program] = result
    print(f"\n{len(results[chosen[0]])} programs\n\n{by_strategy(results)}")
    if DEFAULT in results:
        print(f"\n{DEFAULT} on each program\n\n{by_program(results[DEFAULT])}")


def program_names(folder: Path = PROGRAMS) -> list[str]:
    """All programs. One that never ends leaves another tree each time, so it is left out."""
    abouts = {path.parent.name: json.loads(path.read_text("utf-8")) for path in folder.glob("*/about.json")}
    return sorted(name for name, about in abouts.items() if "endless" not in about)


@contextmanager
def recorded(name: str) -> Iterator[Recorded]:
    """Record one run of a program in a folder of its own."""
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
    """The same for one in Erlang."""
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


def play_all(found: Recorded, chosen: Sequence[str]) -> dict[str, Result]:
    """Every strategy on one recording. Opinions of the twin do not depend on who asks, so each is asked for once."""
    subject = found.run.subject(found.entry)
    known: dict[tuple[tuple[int, ...], int], Opinion | None] = {}
    with (
        found.run.oracles(subject, str(found.twin), silent) as twins,
        found.run.oracles(subject, None, silent) as tests,
    ):
        results = {}
        for name in chosen:
            session = Session(subject, Options(name), oracles=Chain(tests))
            results[name] = play(session, twins[0], known, found)
    return results


def play(
    session: Session, twin: Oracle, known: dict[tuple[tuple[int, ...], int], Opinion | None], found: Recorded
) -> Result:
    """Answer until the search ends, or nobody would go on."""
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
    covered = any(covers(place, found.buggy) for place in places)
    return Result(asked, text, sum(length(session, place) for place in places), covered)


def _answer(question: Question, opinion: Opinion | None) -> Answer:
    judgement = Judgement.UNKNOWN if opinion is None else opinion.judgement
    return Answer(question.node, judgement)


def shown(behaviour: Behaviour) -> int:
    """How many characters there are to read: values before and after, result and exception."""
    bindings = (*behaviour.before.bindings, *behaviour.after.bindings)
    values = [value for value in (behaviour.result, behaviour.raised) if value is not None]
    return sum(len(b.name) + len(b.value.text) for b in bindings) + sum(len(value.text) for value in values)


def code_of(session: Session) -> set[Location]:
    """The code that the session ended with; all candidates at a dead end, nothing where it went on and on."""
    outcome = session.outcome
    if isinstance(outcome, Found):
        return set(outcome.verdict.code)
    if isinstance(outcome, DeadEnd):
        candidates = (*outcome.verdict.known_wrong, *outcome.verdict.unknown)
        return {place for candidate in candidates for place in session.subject.code(candidate.node)}
    return set()


def length(session: Session, place: Location) -> int:
    """How many characters of code a place has."""
    lines = session.subject.sources()[place.path].splitlines()
    where = place.range
    if where.start.line == where.end.line:
        return where.end.column - where.start.column
    between = sum(len(line) for line in lines[where.start.line + 1 : where.end.line])
    return len(lines[where.start.line]) - where.start.column + between + where.end.column


def covers(place: Location, buggy: dict[str, Any]) -> bool:
    """Whether a place has the changed line in it."""
    return place.path == buggy["path"] and place.range.start.line < buggy["line"] <= place.range.end.line + 1


def by_strategy(results: dict[str, dict[str, Result]]) -> str:
    """Means, medians and the worst of every strategy, the fewest questions first."""
    lines = [
        "| strategy | questions: mean | median | most | text read: mean | median | most "
        "| code in the verdict: mean | median | most | changed code covered |",
        f"|{'---|' * 11}",
    ]
    rows = []
    for name, of_program in results.items():
        found = list(of_program.values())
        columns = [np.array([getattr(result, what) for result in found]) for what in ("questions", "text", "size")]
        figures = [f"{c.mean():.1f} | {np.median(c):.0f} | {c.max()}" for c in columns]
        shown_name = f"**{name}**" if name == DEFAULT else name
        row = f"| {shown_name} | {' | '.join(figures)} | {sum(result.covered for result in found)} of {len(found)} |"
        rows.append((columns[0].mean(), row))
    return "\n".join([*lines, *(row for _mean, row in sorted(rows))])


def by_program(results: dict[str, Result]) -> str:
    """One row for each program."""
    lines = [
        "| program | questions | text read | code in the verdict | changed code covered |",
        "|---|---|---|---|---|",
    ]
    for name, one in results.items():
        lines.append(f"| {name} | {one.questions} | {one.text} | {one.size} | {'yes' if one.covered else 'no'} |")
    return "\n".join(lines)


@contextmanager
def _quiet() -> Iterator[None]:
    """Drop what programs print: that is not what is measured."""
    sys.stdout.flush()
    kept, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nothing)


def silent(_doing: str, _done: int = 0, _total: int | None = None) -> None:
    """Drop reports of progress."""
