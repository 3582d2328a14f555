"""Opinions of a reference on the choice of a clause, with its variables, and on native records of OTP 29."""

from pathlib import Path

import pytest

from adebug_lsp.languages.erlang.oracles.reference import Reference
from adebug_lsp.languages.erlang.questions.inner import CHOICE
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import BadInputError
from tests.languages.erlang.beam import needs_erlang, otp_release
from tests.languages.erlang.recorded import record

pytestmark = needs_erlang

PROGRAM = "-export([main/0]).\nmain() -> f(<<1, 200>>).\nf(<<A:8, B:8>>) when A > 0 -> {A, B};\nf(_) -> none.\n"


@pytest.mark.parametrize(
    ("head", "judgement", "reason"),
    [
        ("f(<<A:8, B:8>>) when A > 0", Judgement.YES, "the reference takes the same clause"),
        ("f(<<A:8, _:8, B/bits>>) when A > 0", Judgement.NO, "the reference has B = <<>> then"),
        ("f(<<A:8, B/bits>>) when A > 1", Judgement.NO, "the reference takes clause 2"),
        ("f(<<B:8, A:8>>) when B > 0", Judgement.UNKNOWN, "the reference has other names for what it binds"),
        ("f(<<A:8, B:8, Rest/bits>>) when A > 0, Rest =:= <<>>", Judgement.YES, "the reference takes the same clause"),
    ],
)
def test_a_clause_is_the_same_with_the_same_variables(
    tmp_path: Path, head: str, judgement: Judgement, reason: str
) -> None:
    subject = record(tmp_path, PROGRAM).subject
    node = next(node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith("f("))
    inner = subject.inside(node)
    assert inner is not None
    (choice,) = [part for part in inner.executed if part.kind == CHOICE]
    right = f"-module(program).\n{PROGRAM}".replace("f(<<A:8, B:8>>) when A > 0", head)
    (tmp_path / "right").mkdir()
    (tmp_path / "right" / "program.erl").write_text(right, encoding="utf-8")
    with Reference.open("right", tmp_path, subject) as reference:
        opinion = reference._opinion_on_part(choice.frame, choice)
    assert (opinion.judgement, opinion.reason) == (judgement, reason)


RECORDS = """-export([main/0]).
-record #box{w = 1, h = 2}.
main() -> [area(B) || B <- [grow(#box{w = 3}), grow(#box{h = 5})]].
grow(#box{w = W} = B) -> B#box{w = W * 2, h = B#box.w}.
area(B) -> B#box.w * B#box.h.
"""


def test_records_of_otp_29_are_compared(tmp_path: Path) -> None:
    if otp_release() < 29:
        with pytest.raises(BadInputError, match=r"program\.erl"):
            record(tmp_path, RECORDS)
        return
    subject = record(tmp_path, RECORDS).subject
    (tmp_path / "right").mkdir()
    right = f"-module(program).\n{RECORDS}".replace("h = B#box.w", "h = B#box.h")
    (tmp_path / "right" / "program.erl").write_text(right, encoding="utf-8")
    nodes = {subject.behaviour(node).text: node for node in range(len(subject.tree))}
    with Reference.open("right", tmp_path, subject) as reference:
        opinions = {text: reference._opinion_on_item(subject.frame(node) or 0) for text, node in nodes.items()}
        inner = subject.inside(nodes["grow(#program:box{w = 3, h = 2}) = #program:box{w = 6, h = 3}"])
        assert inner is not None
        parts = {part.value: reference._opinion_on_part(part.frame, part).judgement for part in inner.executed}
    judged = {text: opinion.judgement for text, opinion in opinions.items() if opinion is not None}
    assert judged["grow(#program:box{w = 3, h = 2}) = #program:box{w = 6, h = 3}"] is Judgement.NO
    assert judged["area(#program:box{w = 6, h = 3}) = 18"] is Judgement.YES
    assert parts == {6: Judgement.YES, 3: Judgement.NO}
