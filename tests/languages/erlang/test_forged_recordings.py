"""A forged recording is refused or asked about, and nothing of it is run; deep values are handled."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from adebug_lsp.frontends.shared.sequence_diagram import as_svg, as_text
from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.reading.recording_file import FRAME
from adebug_lsp.languages.erlang.reading.sites import read_site_table
from adebug_lsp.languages.erlang.reading.terms import Atom, decode
from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.recording.segments import Segment, read_segments, write_segments
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record, silent
from tests.languages.erlang.test_beams import PROGRAM as BESIDE
from tests.languages.erlang.test_beams import compile_away

pytestmark = needs_erlang
PROGRAM = """
-export([main/0]).
main() -> [twice(fun(N) -> N + 1 end, X) || X <- [1, 2, 3]] ++ [safe(a), later()].
twice(F, X) -> F(F(X)).
safe(X) -> try X + 1 catch error:badarith -> 0 end.
later() -> Self = self(), spawn(fun() -> Self ! 5 end), receive N when N > 3 -> case N of 5 -> five; _ -> other end end.
"""


def segments_of(path: Path) -> list[tuple[bytes, bytes]]:
    return [(segment.tag, segment.raw()) for segment in read_segments(path, FRAME) if isinstance(segment, Segment)]


def forged(raw: bytes, chance: random.Random) -> bytes:
    data = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 5))):
        offset = chance.randrange(len(data) + 1)
        how = chance.random()
        if how < 0.6 and offset < len(data):
            data[offset] = chance.randrange(256)
        elif how < 0.8:
            del data[offset : offset + chance.randrange(1, 20)]
        else:
            data[offset:offset] = chance.randbytes(chance.randrange(1, 9))
    return bytes(data)


def ask_about(subject: ErlangSubject, nodes: Iterable[int]) -> None:
    for node in nodes:
        subject.behaviour(node)
        subject.code(node)
        subject.trace_values(node)
        subject.unexecuted(node)
        inner = subject.inside(node)
        if inner is not None:
            for part in range(len(inner.tree)):
                inner.behaviour(part)
        if subject.dependences is not None:
            for name in (
                "message",
                "not taken 1",
                *(binding.name for binding in subject.behaviour(node).before.bindings),
            ):
                subject.dependences.trace(node, Mark(MarkOf.ARGUMENT, (name,)))
            for path in ((0,), (1, 0), ("a",)):
                subject.dependences.trace(node, Mark(MarkOf.RESULT, path))


def test_a_forged_recording_is_refused_or_asked_about(tmp_path: Path) -> None:
    record(tmp_path, PROGRAM)
    whole = segments_of(tmp_path / "run.adebug")
    assert 200 < refused_of(whole, 600, tmp_path) < 600


def test_forged_calls_of_a_module_without_source_are_refused_or_asked_about(tmp_path: Path) -> None:
    compile_away(tmp_path)
    record(tmp_path, BESIDE, "program:halves()")
    whole = segments_of(tmp_path / "run.adebug")
    assert 50 < refused_of(whole, 300, tmp_path) < 300


def refused_of(whole: list[tuple[bytes, bytes]], many: int, folder: Path) -> int:
    """How many forged recordings are refused; all others are asked about."""
    chance, refused = random.Random(7), 0
    for number in range(many):
        which = number % len(whole)
        made = [(tag, forged(raw, chance) if index == which else raw) for index, (tag, raw) in enumerate(whole)]
        write_segments(folder / "forged.adebug", FRAME, made)
        try:
            opened = Erlang().open(folder / "forged.adebug", silent)
            assert opened.ended.how
            subject = opened.subject(opened.entries[0])
            ask_about(subject, range(len(subject.tree)))
            diagram = opened.diagram(subject)
            assert diagram is None or (as_text(diagram) and as_svg(diagram))
        except BadInputError:
            refused += 1
    return refused


def test_mutually_nested_sites_are_refused(tmp_path: Path) -> None:
    record(tmp_path, PROGRAM)
    term = decode(dict(segments_of(tmp_path / "run.adebug"))[b"SITE"])
    sites = dict(term.pairs)[Atom("sites")]
    assert len(read_site_table(sites)) == len(sites)
    with pytest.raises(ValueError, match="twice"):
        read_site_table([*sites, sites[-1]])
    with pytest.raises(ValueError, match="before"):
        read_site_table(sites[1:])


def test_values_deeper_than_pythons_stack_are_asked_about(tmp_path: Path) -> None:
    deep = """
-export([main/0]).
main() -> depth(lists:foldl(fun(N, T) -> {N, T, #{}} end, end_of_it, lists:seq(1, 1300)), 0).
depth({_, T, _}, N) when N < 3 -> depth(T, N + 1);
depth(_, N) -> N.
"""
    recorded = record(tmp_path, deep)
    subject = recorded.subject
    last = range(len(subject.tree) - 4, len(subject.tree))
    ask_about(subject, last)
    assert [subject.behaviour(node).text[:7] for node in last] == ["depth({"] * 4
    assert len({subject.behaviour(node).identity for node in last} - {""}) == 4
    (tmp_path / "fixed").mkdir()
    (tmp_path / "fixed" / "program.erl").write_bytes((tmp_path / "program.erl").read_bytes())
    with recorded.opened.oracles(subject, "fixed", lambda _text: None) as (reference,):
        for node in last:
            question = Question(subject.tree.facts(node), subject.behaviour(node))
            opinion = reference.opinion(question)
            assert opinion is not None
            assert opinion.judgement is not Judgement.NO
