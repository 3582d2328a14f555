"""A recording is data: encoded values bring only pure functions to the VM of a reference."""

from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.erlang.oracles.reference import Reference
from adebug_lsp.languages.erlang.reading.terms import Atom, Fun
from adebug_lsp.languages.erlang.sandbox.encode_values import CannotEncodeError, ValueEncoder
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record

NO_RUN: Any = None
"""Functions that are sent by their names need none."""


@pytest.mark.parametrize("fun", [Fun("shop", "price", 1), Fun("lists", "reverse", 1), Fun("erlang", "hd", 1)])
def test_functions_of_the_reference_and_harmless_ones_are_sent(fun: Fun) -> None:
    sent = (Atom("adebug_fun"), Atom(fun.module), Atom(fun.name), fun.arity)
    assert ValueEncoder(NO_RUN, {"shop"}).encode([fun]) == [sent]


@pytest.mark.parametrize(
    "term",
    [
        Fun("os", "cmd", 1),
        Fun("file", "delete", 1),
        Fun("erlang", "open_port", 2),
        Fun("zip", "unzip", 1),
        (Atom("adebug_fun"), Atom("os"), Atom("cmd"), 1),
    ],
    ids=str,
)
def test_other_values_and_lookalikes_are_not_sent(term: Any) -> None:
    with pytest.raises(CannotEncodeError):
        ValueEncoder(NO_RUN, {"shop"}).encode([term])


MERGE = """
-export([merge/3, plus/2]).
merge(F, [{K1, V1} | D1], [{K2, V2} | D2]) when K1 >= K2 -> [{K2, F(V1, V2)} | merge(F, [{K1, V1} | D1], D2)];
merge(F, [First | D1], D2) -> [First | merge(F, D1, D2)];
merge(_, [], D2) -> D2.
plus(A, B) -> A + B.
"""


def judged(folder: Path, fun: str) -> tuple[str, Opinion | None]:
    """What a question says about a fun of the expression, and what a reference does that is the program itself."""
    call = f"begin Z = 4, program:merge({fun}, [{{b, 1}}], [{{a, 2}}]), Z end"
    subject = record(folder, MERGE, call).subject
    with Reference.open("program.erl", folder, subject) as reference:
        node = next(node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith("merge("))
        behaviour = subject.behaviour(node)
        return behaviour.text, reference.opinion(Question(subject.tree.facts(node), behaviour))


@needs_erlang
@pytest.mark.parametrize(
    "fun",
    ["fun(A, B) -> lists:max([A, B]) + Z end", "fun Name(A, B) when A > B -> A; Name(A, B) -> plus(B, A) end"],
)
def test_a_fun_of_the_expression_is_shown_as_it_is_written_and_its_code_is_not_run_again(
    tmp_path: Path, fun: str
) -> None:
    """It is part of the recording, which anybody may have made."""
    text, opinion = judged(tmp_path, fun)
    assert text.startswith(f"merge({fun}, [{{b,1}}], [{{a,2}}]) = [")
    assert opinion is None or opinion.judgement is Judgement.UNKNOWN
