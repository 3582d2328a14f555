"""EUnit tests of a rebar3 project: recorded, asked about and verified by the real command."""

import re
import subprocess
from pathlib import Path

import pytest

from adebug_lsp.languages.registry import language_of_tests
from tests.languages.erlang.beam import needs_erlang
from tests.warm_start import COMMAND

pytestmark = needs_erlang

CART = """-module(cart).
-export([total/1, discount/1]).
-include("cart.hrl").
total(Items) ->
    Amount = lists:sum([Price * Count || #item{price = Price, count = Count} <- Items]),
    Amount - discount(Amount).
discount(Amount) when Amount > 100 -> Amount div 10;
discount(_) -> 0.
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
inside_test() -> ?assertEqual(0, discount(3)).
-endif.
"""
TESTS = """-module(cart_tests).
-include_lib("eunit/include/eunit.hrl").
-include("cart.hrl").

small_test() -> ?assertEqual(20, cart:total([#item{price = 10, count = 2}])).

hundred_test() ->
    Items = [#item{price = 50, count = 2}],
    ?assertEqual(90, cart:total(Items)).

generated_test_() ->
    [?_assertEqual(0, cart:discount(99)), {"from a hundred on", ?_assertEqual(10, cart:discount(100))}].
"""


def lay_out(folder: Path) -> Path:
    """Write the project."""
    for name, text in (
        ("rebar.config", "{erl_opts, [debug_info]}.\n"),
        ("src/cart.erl", CART),
        ("include/cart.hrl", "-record(item, {price, count = 1}).\n"),
        ("test/cart_tests.erl", TESTS),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def adebug(folder: Path, *arguments: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *arguments]
    return subprocess.run(command, cwd=folder, input=answers, capture_output=True, text=True, timeout=120, check=False)


def test_the_failing_test_answers_and_a_fix_is_verified(project: Path) -> None:
    done = adebug(project, "test", "--strategy", "top-down", answers="no\nno\nno\n")
    lines = done.stdout.splitlines()
    assert "2 of 4 tests passed" in lines
    assert "cart:total([{item,50,2}]) = 100: no, by the failing test (line 9 expects 90)" in lines
    assert "Bug found after 3 answers, in cart.discount/1" in lines
    assert lines[lines.index("  src/cart.erl:7:9") + 1] == "    (Amount) when Amount > 100"
    assert "failed too: cart_tests:generated_test_" in lines
    broken = adebug(project, "verify")
    assert broken.returncode == 1, broken.stdout
    (project / "src" / "cart.erl").write_text(CART.replace("> 100", ">= 100"), encoding="utf-8")
    fixed = adebug(project, "verify")
    assert fixed.returncode == 0, fixed.stdout + fixed.stderr
    passing = adebug(project, "test")
    assert passing.returncode == 1
    assert "no test failed, so there is nothing to find (4 recorded)" in passing.stderr


def test_a_revision_that_was_right_answers_everything(project: Path) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *words], cwd=project, check=True, capture_output=True)

    (project / "src" / "cart.erl").write_text(CART.replace("> 100", ">= 100"), encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "right")
    (project / "src" / "cart.erl").write_text(CART, encoding="utf-8")
    done = adebug(project, "test", "--reference", "git:HEAD")
    assert "Bug found after 0 answers, in cart.discount/1" in done.stdout, done.stdout[-2000:] + done.stderr
    assert "\n    (Amount) when Amount > 100\n" in done.stdout
    missing = adebug(project, "test", "--reference", "git:nowhere")
    assert missing.returncode == 2
    assert "there is no revision nowhere" in missing.stderr


def test_a_test_is_selected_by_name_and_generated_tests_are_asked_about(project: Path) -> None:
    answers = "yes\nyes\nno\nno\nquit\n"
    asked = adebug(project, "test", "--strategy", "top-down", "cart_tests:generated_test_", answers=answers)
    assert "0 of 1 tests passed" in asked.stdout
    assert "asking about cart_tests:generated_test_: cart_tests:generated_test_() failed" in asked.stdout
    assert "5. cart:discount(100) = 0?" in asked.stdout
    single = adebug(project, "test", "src/cart.erl")
    assert "1 of 1 tests passed" in single.stdout


def test_the_test_runner_is_chosen_by_arguments_and_project_files(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for folder, arguments, name in (
        (project, (), "erlang"),
        (project, ("cart_tests:small_test",), "erlang"),
        (project, ("tests/test_cart.py",), "python"),
        (project, ("-x",), "python"),
        (elsewhere, (), "python"),
        (elsewhere, ("cart_tests.erl",), "erlang"),
    ):
        assert language_of_tests(folder, arguments).name == name


def test_a_missing_file_is_reported_in_one_line(project: Path) -> None:
    for arguments, message in (
        (("nowhere.erl",), "nowhere.erl: not found; name files, folders, or module:test"),
        (("cart_tests:other_test",), "adebug: no such tests: cart_tests:other_test"),
    ):
        done = adebug(project, "test", *arguments)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_test_file_with_a_syntax_error_is_reported(project: Path) -> None:
    broken = project / "test" / "other_tests.erl"
    begin = '-module(other_tests).\n-include_lib("eunit/include/eunit.hrl").\n'
    for text, message in (
        ("a_test() -> ?assertEqual(1, .\n", "badly formed argument"),
        ("a_test() -> X.\n", "unbound"),
    ):
        broken.write_text(begin + text, encoding="utf-8")
        done = adebug(project, "test")
        assert done.returncode == 2
        assert re.fullmatch(rf"adebug: recording\nadebug: \S*other_tests.erl:3:\d+: .*{message}.*\n", done.stderr)
    assert "1 of 1 tests passed" in adebug(project, "test", "cart_tests:small_test").stdout


WISHES = """-module(wishes_tests).
-include_lib("eunit/include/eunit.hrl").
match_test() -> ?assertMatch({ok, _}, cart:total([])).
true_test() -> ?assert(is_small(200)).
false_test() -> ?assertNot(is_small(2)).
other_test() -> ?assertNotEqual(0, cart:discount(2)).
exception_test() -> ?assertError(badarg, cart:discount(3)).
is_small(N) -> N < 1000.
"""


@pytest.mark.parametrize(
    ("test", "expectation"),
    [
        ("match", "cart:total([]) = 0: no, by the failing test (line 3 expects what matches { ok , _ })"),
        ("false", "wishes_tests:is_small(2) = true: no, by the failing test (line 5 expects false)"),
        ("other", "cart:discount(2) = 0: no, by the failing test (line 6 expects another value)"),
        ("exception", "cart:discount(3) = 0: no, by the failing test (line 7 expects an exception)"),
    ],
)
def test_every_assertion_says_what_it_expects(project: Path, test: str, expectation: str) -> None:
    (project / "test" / "wishes_tests.erl").write_text(WISHES, encoding="utf-8")
    assert expectation in adebug(project, "test", f"wishes_tests:{test}_test").stdout.splitlines()


SERVED = """-module(served_tests).
-include_lib("eunit/include/eunit.hrl").
-export([init/1, handle_call/3, handle_cast/2]).
put(Pid, Key, Value) -> gen_server:call(Pid, {put, Key, Value}).
get(Pid, Key) -> gen_server:call(Pid, {get, Key}).
half(N) -> positive(N) div 2.
positive(N) when N > 0 -> N.
init([]) -> {ok, #{}}.
handle_call({put, Key, Value}, _From, Map) -> {reply, ok, Map#{Value => Key}};
handle_call({get, Key}, _From, Map) -> {reply, maps:get(Key, Map, none), Map}.
handle_cast(_, Map) -> {noreply, Map}.
kept_test() -> {ok, Pid} = gen_server:start(?MODULE, [], []), put(Pid, a, 1), ?assertEqual(1, get(Pid, a)).
raised_test() -> ?assertEqual(0, half(0)).
"""


def test_earlier_calls_of_a_test_may_be_wrong_instead_of_the_asserted_one(project: Path) -> None:
    (project / "test" / "served_tests.erl").write_text(SERVED, encoding="utf-8")
    done = adebug(project, "test", "--strategy", "top-down", "served_tests:kept_test", answers="yes\nno\nno\n0\n")
    output = re.sub(r"<0\.\d+\.0>", "PID", done.stdout)
    assert "1. init([]) = {ok,#{}}?" in output
    assert "2. put(PID, a, 1) = ok?" in output
    assert "    4 asked PID = {put,a,1}\n    5 state of PID then = #{1 => a}\n    6 gave ok\n" in output
    assert "Bug found after 4 answers, in served_tests.handle_call/3" in output
    assert "\n    {reply, ok, Map#{Value => Key}}\n" in output
    assert "adebug_recorder" not in output
    raised = adebug(project, "test", "--strategy", "top-down", "served_tests:raised_test").stdout
    assert "half(0) raised error:function_clause: no, by the failing test (it ended the test)" in raised
    assert "1. positive(0) raised error:function_clause?" in raised
    assert "\n  answered before: no\n" in raised


def test_how_an_assertion_compares_is_not_asked(project: Path) -> None:
    text = '-module(a_tests).\n-include_lib("eunit/include/eunit.hrl").\na_test() -> ?assertEqual(8, length([1])).\n'
    (project / "test" / "a_tests.erl").write_text(text, encoding="utf-8")
    output = adebug(project, "test", "a_tests:a_test", answers="yes\nno\n").stdout
    assert "1. length([1]) = 1?" in output
    assert "2. ?assertEqual(8, length([1])) raised error:{assertEqual," in output
    assert "Bug found after 2 answers, in a_tests.a_test/0" in output
    assert "\n    ?assertEqual(8, length([1]))\n" in output
