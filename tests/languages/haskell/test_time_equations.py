"""Time equations of Silva's thesis, chapter 3: the transformation, its theorem, closed forms, and stated costs."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.languages.cost_equations import CallCost
from adebug_lsp.languages.haskell.engine.load import load
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.call_costs import call_cost, free_names, goal_text
from adebug_lsp.languages.haskell.profile.closed_forms import Polynomial, fit, read_polynomial
from adebug_lsp.languages.haskell.profile.cost_semantics import Machine
from adebug_lsp.languages.haskell.profile.heap import Data
from adebug_lsp.languages.haskell.profile.normalise import Rules
from adebug_lsp.languages.haskell.profile.time_equations import TimedRules
from adebug_lsp.model.errors import BadInputError
from tests.languages.haskell.test_profile import lazy_programs

NTH = """
data Nat = Z | S Nat

hd :: [a] -> a
hd (y : _) = y

from :: Nat -> [Nat]
from x = x : from (S x)

nth :: Nat -> [a] -> a
nth Z xs = hd xs
nth (S m) (_ : ys) = nth m ys

append :: [a] -> [a] -> [a]
append [] ys = ys
append (x : xs) ys = x : append xs ys

rev :: [a] -> [a]
rev [] = []
rev (x : xs) = append (rev xs) [x]

plus :: Nat -> Nat -> Nat
plus Z m = m
plus (S n) m = S (plus n m)

twice :: Nat -> Nat
twice n = plus n n

mapped :: (a -> b) -> [a] -> [b]
mapped g [] = []
mapped g (x : xs) = g x : mapped g xs

shown :: Show a => a -> String
shown x = show x

count :: Int -> Int
count n = if n == 0 then 0 else 1 + count (n - 1)
"""


def cost_of(call: str, text: str = NTH) -> CallCost:
    variables = free_names(call, load("main.hs", text, lambda _name: None), "Main")
    return call_cost(call, variables, load("main.hs", text + goal_text(call, variables), lambda _name: None), "Main")


@pytest.mark.parametrize(
    ("call", "head", "whole"),
    [
        ("nth (S (S (S Z))) (from Z)", "9", "9"),
        ("nth n (from Z)", "2n + 3", "2n + 3"),
        ("nth n xs", "n + 2", "n + 2"),
        ("hd (from (S Z))", "2", "2"),
        ("append xs ys", "1", "xs + 1"),
        ("plus (plus n m) k", "2", "2n + m + 2"),
        ("rev n", "2n + 1", "1/2 n^2 + 3/2 n + 1"),
        ("count n", "n + 1", "n + 1"),
        ("from n", "1", None),
    ],
)
def test_costs_are_found_in_closed_form(call: str, head: str, whole: str | None) -> None:
    """T6 of the thesis, Example 10, and costs beyond it: a whole result, a quadratic one, an infinite one."""
    cost = cost_of(call)
    assert (cost.head, cost.whole, cost.refused) == (head, whole, "")


def test_shared_work_is_refused_with_its_place() -> None:
    cost = cost_of("twice (twice n)")
    assert cost.refused.startswith(
        "work is shared: a run unfolds 4 times, the equations count 6; used more than once: n in twice"
    )
    assert cost.head is None
    assert cost_of("twice n").whole == "n + 2", "sharing of an input that is a value costs nothing"


# Theorem 8: the equations count as the step-counting semantics without sharing does (Fig. 3.1)


class TooLongError(Exception):
    """Without sharing, some programs take exponential time."""


class Fuel(Rules):
    """Rules of which only so many are unfolded."""

    left = 3000

    def rule(self, name: str) -> f.Rule:
        self.left -= 1
        if not self.left:
            raise TooLongError
        return super().rule(name)


def steps_by_name(e: f.Flat, environment: dict[str, Any], rules: Rules) -> tuple[Any, int]:
    """Fig. 3.1: the head normal form and the number of unfoldings; variables are bound to (expression, environment)."""
    match e:
        case f.Variable(operand=str(name)):
            expression, inner = environment[name]
            return steps_by_name(expression, inner, rules)
        case f.Variable(operand=("constant", str(name))):
            return steps_by_name(f.Call(name, []), {}, rules)
        case f.Construct(info=info, operands=operands):
            return (info, [environment[str(operand)] for operand in operands]), 0
        case f.Literal(value=value):
            return value, 0
        case f.Call(function=name, operands=operands):
            rule = rules.rule(name)
            inner = {p: _binding(operand, environment) for p, operand in zip(rule.parameters, operands, strict=True)}
            value, steps = steps_by_name(rule.body, inner, rules)
            return value, steps + 1
        case f.Let(bindings=bindings, body=body):
            inner = dict(environment)
            inner |= {name: (bound, inner) for name, bound in bindings}
            return steps_by_name(body, inner, rules)
        case f.Scc(body=body):
            return steps_by_name(body, environment, rules)
        case f.Primitive(operands=operands):
            values = [steps_by_name(f.Variable(operand), environment, rules) for operand in operands]
            return sum(value for value, _ in values), sum(steps for _, steps in values)
        case f.Case(scrutinee=scrutinee, alternatives=alternatives):
            value, steps = steps_by_name(f.Variable(scrutinee), environment, rules)
            info, fields = value
            (chosen,) = (a for a in alternatives if a.constant is info)
            inner = {**environment, **dict(zip(chosen.fields, fields, strict=True))}
            value, more = steps_by_name(chosen.body, inner, rules)
            return value, steps + more
    raise AssertionError(e)


def _binding(operand: f.Operand, environment: dict[str, Any]) -> tuple[f.Flat, dict[str, Any]]:
    if isinstance(operand, str):
        expression, inner = environment[operand]
        return expression, inner
    return f.Call(str(operand[1]), []), {}


@settings(max_examples=25, deadline=None)
@given(lazy_programs())
def test_the_equations_count_the_unfoldings_of_the_semantics(text: str) -> None:
    """Theorem 8; the only primitive of these programs is addition."""
    program = load("main.hs", text, lambda _name: None)
    try:
        value, steps = steps_by_name(f.Call("Main.goal", []), {}, Fuel(program))
    except (TooLongError, RecursionError):
        return
    timed = TimedRules(program)
    machine = Machine(timed, lambda _text: None, str)
    pair, _ = machine.evaluate(timed.goal(f.Call("Main.goal", [])), {}, machine.root)
    assert isinstance(pair, Data)
    values = [machine.evaluate(f.Variable("x"), {"x": cell}, machine.root)[0] for cell in pair.fields]
    assert values == [value, steps]


# Closed forms


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=3))
def test_a_polynomial_is_found_again(factors: list[int]) -> None:
    a, b, c = factors
    samples: dict[tuple[int, ...], int] = {(n,): a * n * n + b * n + c for n in range(9)}
    form = fit(("n",), samples)
    assert form is not None
    assert read_polynomial(str(form), ("n",)).value((20,)) == a * 400 + b * 20 + c


def test_what_is_no_polynomial_is_not_fitted() -> None:
    assert fit(("n",), {(n,): 2**n for n in range(9)}) is None


@pytest.mark.parametrize("text", ["2n+3", "3 + 2*n", "n + n + 3", "2(n + 1) + 1", "2 n + 3 + 0n^3"])
def test_costs_are_read_as_people_write_them(text: str) -> None:
    form = read_polynomial(text, ("n",))
    assert isinstance(form, Polynomial)
    assert [form.value((n,)) for n in range(4)] == [3, 5, 7, 9]


@pytest.mark.parametrize("text", ["", "2m", "2n +", "n^9", "2 $ n", "(n"])
def test_what_is_no_cost_is_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        read_polynomial(text, ("n",))


# The command


@pytest.fixture
def nth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nth.hs").write_text(NTH, encoding="utf-8")
    return tmp_path / "nth.hs"


def test_the_command_prints_equations_and_costs(nth: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["time-equations", nth.name, "--call", "nth (S (S (S Z))) (from Z)", "--call", "nth n (from Z)"]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("nth_c"))
    assert lines[start : start + 5] == [
        "nth_c x xs = (case x of",
        "    (Z, k1) -> hd_c xs ± k1",
        "    (S m, k1) -> (case xs of",
        "        (y : ys, k2) -> nth_c m ys ± k2",
        "        (_, k2) -> failure) ± k1) ± 1",
    ]
    assert lines[-2:] == ["nth (S (S (S Z))) (from Z) costs 9", "nth n (from Z) costs 2n + 3"]
    refused = [line for line in lines if "no equation" in line]
    assert refused[0] == "mapped: no equation. nth.hs:31:21: a function is a value here (higher order)"
    assert refused[1].startswith("shown: no equation. nth.hs:34:11: ")


def test_a_stated_cost_that_is_wrong_is_reported(nth: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = "-- cost: nth n (from Z) = 2n + 3\n-- cost: n + 2\nnth :: "
    nth.write_text(NTH.replace("nth :: ", right), encoding="utf-8")
    assert main(["time-equations", nth.name]) == 0
    nth.write_text(NTH.replace("nth :: ", right.replace("2n + 3", "3n + 1")), encoding="utf-8")
    assert main(["time-equations", nth.name]) == 1
    assert "nth.hs:10:9: nth n (from Z) costs 2n + 3, not 3n + 1" in capsys.readouterr().err


def test_json_has_everything(nth: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["time-equations", nth.name, "--json", "--call", "hd xs"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["costs"][0] == {
        "call": "hd xs",
        "variables": ["xs"],
        "head": "1",
        "whole": "1",
        "samples": [{"sizes": [n], "head": 1, "whole": 1} for n in range(1, 9)],
        "refused": "",
    }


@pytest.mark.parametrize(("call", "message"), [("nth n (", "nth n ("), ("nth 'a' xs", "nth 'a' xs: ")])
def test_a_call_with_an_error_is_refused(
    call: str, message: str, nth: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["time-equations", nth.name, "--call", call]) == 2
    assert message in capsys.readouterr().err
