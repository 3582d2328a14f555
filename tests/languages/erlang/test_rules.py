"""Rules on calls of Erlang functions: evaluated on values in a separate VM, without effects."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.sandbox.rules import RuleEvaluator
from adebug_lsp.model.errors import BadAnswerError
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import record
from tests.warm_start import COMMAND

pytestmark = needs_erlang

PROGRAM = """
-export([main/0]).
main() ->
    [order([3, 1, 2], keep), order([2, 1], drop), (catch order(none, keep)), made(fun(X) -> X end), made(self()),
     made(make_ref()), made(<<1:3>>), long(lists:seq(1, 5000)), module(os)].
order(List, keep) -> lists:sort(List);
order([First | _], _) -> [First].
made(What) -> {made, What}.
long(List) -> List.
module(Name) -> Name.
"""


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ErlangSubject]:
    recorded = record(tmp_path_factory.mktemp("rules"), PROGRAM)
    subject = recorded.subject
    with recorded.opened.oracles(subject, None, print):
        yield subject


def results_of(subject: ErlangSubject, rule: str, routine: str) -> list[bool | None]:
    """The judgement of a rule on every call of a function."""
    nodes = [node for node in range(len(subject.tree)) if subject.tree.site_of(node).routine == f"program.{routine}"]
    assert nodes, [subject.tree.site_of(node).routine for node in range(len(subject.tree))]
    return [subject.holds(rule, node) for node in nodes]


@pytest.mark.parametrize(
    ("rule", "routine", "held"),
    [
        ("length(Result) =:= length(Argument1)", "order/2", [True, False, None]),
        ("length(Result) =:= length(List).", "order/2", [True, None, None]),
        ("{Class, Reason} =:= {error, function_clause}", "order/2", [None, None, True]),
        ("Class =:= error andalso element(1, Reason) =:= badarg", "order/2", [None, None, None]),
        ("Class =:= error", "order/2", [None, None, True]),
        ("Same = lists:sort(Result), Same =:= lists:usort([X || X <- Argument1])", "order/2", [True, False, None]),
        ("lists:all(fun(X) -> X > 0 end, Argument1) and (Argument2 == keep)", "order/2", [True, False, None]),
        ("lists:sum(lists:map(fun erlang:abs/1, Result)) > 4", "order/2", [True, False, None]),
        ("fact", "order/2", [None, None, None]),
        ("element(1, Result) =:= made", "made/1", [None, None, None, True]),
        ("true", "made/1", [True, True, True, True]),
        ("Result =:= lists:seq(1, 5000)", "long/1", [True]),
        ("list_to_atom(atom_to_list(Result)) =:= os", "module/1", [True]),
    ],
)  # fmt: skip
def test_a_rule_abstains_where_it_cannot_be_evaluated(
    subject: ErlangSubject, rule: str, routine: str, held: list[bool | None]
) -> None:
    assert results_of(subject, rule, routine) == held


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("lists:sort(", "syntax error"),
        ("'", "unterminated"),
        ("lists:nope(Result)", "no such function: lists:nope/1"),
        ('os:cmd("touch /tmp/x")', r"a rule cannot call os:cmd/1, only pure functions of OTP"),
        ("order(Result, keep)", r"a rule cannot call erlang:order/2"),
        ("program:order(Result, keep)", r"a rule cannot call program:order/2"),
        ("Result:cmd(x)", "name the called function explicitly"),
        ("lists:map(fun os:cmd/1, [])", r"a rule cannot call os:cmd/1"),
        ("(fun Result:cmd/1)(x)", "name the function of `fun` explicitly"),
        ("apply(os, cmd, [x])", r"a rule cannot call erlang:apply/3"),
        ("spawn(fun() -> ok end)", r"a rule cannot call erlang:spawn/1"),
        ("self() ! x", r"a rule must not send a message|a rule cannot call erlang:self/0"),
        ("receive x -> true end", "a rule must not wait for a message"),
        ("halt()", r"a rule cannot call erlang:halt/0"),
        ("[X || X <- ets:tab2list(t)] =:= []", r"a rule cannot call ets:tab2list/1"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(subject: ErlangSubject, rule: str, why: str) -> None:
    with pytest.raises(BadAnswerError, match=why):
        subject.holds(rule, 0)
    inner = subject.inside(1)
    assert inner is not None
    with pytest.raises(BadAnswerError, match=why):
        inner.holds(rule, 0)


@pytest.mark.parametrize("rule", ["(fun Again() -> Again() end)()", "length(lists:seq(1, 1000000000)) > 0"])
def test_a_rule_that_exceeds_its_limits_abstains(subject: ErlangSubject, rule: str) -> None:
    with RuleEvaluator(subject.run, timeout=0.5) as rules:
        begun = time.monotonic()
        assert rules.holds(rule, 0) is None
        assert time.monotonic() - begun < 20
        assert rules.holds("Result =:= Result", 0) is None  # there are processes in it
        assert rules.holds("1 < 2", 0) is True


def test_a_rule_decides_all_calls_of_a_function(tmp_path: Path) -> None:
    program = """-module(program).
-export([main/0]).
main() -> [sort([3, 1, 2]), sort([5, 4]), sort([9, 9, 1])].
sort([]) -> [];
sort([P | Rest]) -> {S, L} = split(P, Rest, [], []), sort(S) ++ [P] ++ sort(L).
split(_, [], S, L) -> {S, L};
split(P, [X | R], S, L) when X < P -> split(P, R, [X | S], L);
split(P, [X | R], S, L) when X > P -> split(P, R, S, [X | L]);
split(P, [_ | R], S, L) -> split(P, R, S, L).
"""
    (tmp_path / "program.erl").write_text(program, encoding="utf-8")
    typed = "rule length(Result) =:= length(Argument1)\nrule length(Argument2) =:= length(element(1, Result))\nquit\n"
    done = subprocess.run(
        [*COMMAND, "run", "--strategy", "top-down", "program.erl"],
        cwd=tmp_path, input=typed, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "sort([9,9,1]) = [1,9]: no, by rule (length(Result) =:= length(Argument1))" in done.stdout, done.stderr
    assert "sort([3,1,2]) = [1,2,3]: yes, by rule" in done.stdout
    assert "split(9, [9,1], [], []) = {[1],[]}: no, by rule" in done.stdout


def test_functions_of_one_name_in_two_modules_are_trusted_apart(tmp_path: Path) -> None:
    (tmp_path / "program.erl").write_text(
        "-module(program).\n-export([main/0]).\nmain() -> [twice(1), other:twice(2)].\ntwice(X) -> X + X.\n", "utf-8"
    )
    (tmp_path / "other.erl").write_text("-module(other).\n-export([twice/1]).\ntwice(X) -> X * 3.\n", "utf-8")
    done = subprocess.run(
        [*COMMAND, "run", "--strategy", "top-down", "program.erl"],
        cwd=tmp_path, input="trust\nno\nno\n", capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "1. program:twice(1) = 2?" in done.stdout, done.stderr
    assert "1. other:twice(2) = 6?" in done.stdout
    assert "in other.twice/1" in done.stdout
