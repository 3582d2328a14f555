"""Conditions of breakpoints are Erlang expressions over recorded values; nothing is ever run for them."""

import pytest

from adebug_lsp.languages.erlang.conditions import read_condition
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.values import Value

VALUES = {
    "X": "3",
    "Half": "0.5",
    "Name": "lamp",
    "Quoted": "'two words'",
    "Items": "[1,2,3]",
    "Items[0]": "1",
    "Pair": "{ok,4}",
    "Text": '"ab"',
    "Binary": '<<"ab">>',
    "Long": "[1,2,…]",
    "Fun": "#Fun<shop.0.1>",
    "Empty": "[]",
    "result": "9",
}


def look_up(address: str) -> Value:
    if address not in VALUES:
        raise BadInputError(f"{address} is not known here")
    return Value(VALUES[address])


@pytest.mark.parametrize(
    "text",
    [
        "X == 3", "X =:= 3", "X =/= 3.0", "X == 3.0", "X /= 4", "X > 2 andalso X < 4", "X >= 3", "X =< 3",
        "not (X > 3)", "X > 9 orelse Name == lamp", "Name =:= 'lamp'", "Quoted == 'two words'", "X rem 2 =:= 1",
        "-7 div 2 =:= -3", "-7 rem 2 =:= -1", "X * 2 + 1 == 7", "X / 2 == 1.5", "Half < 1", "Items == [1, 2, 3]",
        "Items[0] =:= 1", "length(Items) =:= 3", "Pair == {ok, 4}", 'Text == "ab"', "Text == [97, 98]",
        "Text == [$a, $b]", 'Binary == <<"ab">>',
        "3 < lamp", "lamp < {a}", "{a, b} < {a, b, c}", "{z} < {a, a}", "{a} < [a]", "[1] < [1, 1]",
        "Empty == []", "16#ff == 255", "1_000 == 1000", "result == 9", "raised == raised", "true",
        "true orelse false", "not false andalso true",
    ],
)  # fmt: skip
def test_true_conditions(text: str) -> None:
    assert read_condition(text).holds(look_up)


@pytest.mark.parametrize(
    "text",
    [
        "X == 4", "X =:= 3.0", "Name == X", "Nobody == 1", "Nobody /= 1", "X div 0 == 1", "Name + 1 == 2", "X", "3",
        "Long == [1, 2]", "Fun == 1", "length(X) == 1", "not X", "X > 3 andalso true", "false", "X / 0 > 1",
    ],
)  # fmt: skip
def test_false_and_unknown_conditions(text: str) -> None:
    assert not read_condition(text).holds(look_up)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shop:f(X) == 1", "cannot be parsed: :f"),
        ("f(X) == 1", "would run code: f"),
        ("X ==", "cannot be parsed"),
        ("X == 3 4", "cannot be parsed: 4"),
        ("fun() -> 1 end", "cannot be parsed"),
        ("[X || X <- Items]", "cannot be parsed"),
        ("X = 3", "cannot be parsed: = 3"),
        ("", "cannot be parsed"),
        ("(" * 900 + "X", "cannot be parsed"),
        ("1 + " * 400 + "1", "too long"),
        ("99#1 == 1", "cannot be parsed"),
        ("?MACRO", "cannot be parsed"),
        ("X > 2 and X < 4", "cannot be parsed: and X < 4"),
    ],
)
def test_invalid_expressions_and_those_that_would_run_code_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        read_condition(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X + 1", "4"), ("Items", "[1,2,3]"), ("{X, Name}", "{3,lamp}"), ("X > 2", "true"), ('<<"a">>', '<<"a">>'),
    ],
)  # fmt: skip
def test_values_of_expressions(text: str, value: str) -> None:
    assert read_condition(text).value(look_up) == value


def test_an_expression_over_unknown_values_has_no_value() -> None:
    with pytest.raises(BadInputError, match=r"Nobody \+ 1 has no recorded value"):
        read_condition("Nobody + 1").value(look_up)
