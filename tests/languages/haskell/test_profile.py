"""The profiler of Silva's thesis, chapter 4: the cost semantics, its instrumentation, and what the command shows."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.frontends.shared.flame_graph import SPEEDSCOPE_SCHEMA
from adebug_lsp.languages.haskell.engine.load import load
from adebug_lsp.languages.haskell.profile.cost_centres import Kind, totals
from adebug_lsp.languages.haskell.profile.cost_semantics import Machine
from adebug_lsp.languages.haskell.profile.instrumentation import InstrumentedMachine
from adebug_lsp.languages.haskell.profile.normalise import Rules
from tests.languages.haskell.recorded import output_of
from tests.support import ROOT

CONSTRUCTS = ROOT / "tests" / "programs_haskell" / "constructs"
SCC = "scc :: String -> a -> a\nscc _ e = e\n"
LENGTHS = """
import CostCentre

data Nat = Z | S Nat

len :: [a] -> Nat
len [] = Z
len (_ : ys) = S (len ys)

len2s :: [a] -> Nat
len2s [] = Z
len2s (_ : ys) = case ys of
  [] -> S Z
  (_ : zs) -> S (S (len2s zs))

add :: Nat -> Nat -> Nat
add Z m = m
add (S n) m = S (add n m)

toInt :: Nat -> Int
toInt Z = 0
toInt (S n) = 1 + toInt n

main :: IO ()
main = let list = scc "list" [1 .. 200 :: Int]
       in print (toInt (add (scc "len" (len list)) (scc "len2s" (len2s list))))
"""


def costs(text: str, name: str = "Main.main", automatic: bool = False) -> dict[str, dict[str, int]]:
    """The costs of each centre by both methods, which must agree, and what was printed."""
    program = load("main.hs", text, lambda _name: None)
    rules = Rules(program, automatic)
    printed: list[str] = []
    machine = Machine(rules, printed.append, str)
    machine.run(name)
    instrumented = InstrumentedMachine(rules, lambda _text: None, str)
    instrumented.run(name)
    costs_by_centre = totals(machine.root)
    assert costs_by_centre == totals(instrumented.costs)
    return {centre: {kind.name: counts[kind] for kind in Kind} for centre, counts in costs_by_centre.items()}


def test_only_unfoldings_are_halved_by_unfolding_a_function() -> None:
    """The relations of T4: len2s has half the F of len, and the same H, V and C."""
    by_centre = costs(LENGTHS)
    assert by_centre["len"] == {"F": 201, "V": 201, "U": 201, "H": 200, "C": 201, "E": 1, "B": 0, "N": 0}
    assert by_centre["len2s"] == {**by_centre["len"], "F": 101, "U": by_centre["len2s"]["U"]}
    assert by_centre["list"]["E"] == 1
    assert by_centre["list"]["H"] > by_centre["len"]["H"], "the list is paid for once, by its own centre"


def test_lazy_work_is_charged_to_the_centre_that_defined_it() -> None:
    text = SCC + 'main = let xs = scc "made" (map (+ 1) [1, 2, 3]) in print (scc "used" (sum xs))\n'
    assert costs(text)["made"]["F"] > 6
    unused = SCC + 'main = let xs = scc "made" (map (+ 1) [1, 2, 3]) in print (scc "used" (1 :: Int))\n'
    assert "made" not in costs(unused), "what is never needed costs nothing"


def test_nested_centres_are_excluded() -> None:
    body = "sum (replicate 50 (1 :: Int))"
    outer = costs(SCC + f'main = print (scc "outer" ({body} + scc "inner" ({body})))\n')
    alone = costs(SCC + f'main = print (scc "outer" ({body} + 0))\n')
    assert outer["outer"]["F"] == alone["outer"]["F"]
    assert outer["inner"]["F"] > 50


def test_each_function_is_a_centre_if_the_program_names_none() -> None:
    text = "double :: Int -> Int\ndouble x = x + x\nmain = print (map double [1, 2, 3])\n"
    by_centre = costs(text, automatic=True)
    assert set(by_centre) == {"main", "double"}
    assert by_centre["double"]["E"] == 3


def test_a_centre_inside_itself_is_one_centre() -> None:
    text = "down :: Int -> Int\ndown n = if n == 0 then 0 else 1 + down (n - 1)\nmain = print (down 100)\n"
    program = load("main.hs", text, lambda _name: None)
    machine = Machine(Rules(program, automatic=True), lambda _text: None, str)
    machine.run("Main.main")
    assert [centre.path for centre in machine.root.all()] == [("main",), ("main", "down")]


def test_depth_costs_no_stack() -> None:
    text = "count :: Int -> Int\ncount n = if n == 0 then 0 else 1 + count (n - 1)\nmain = print (count 20000)\n"
    assert costs(text, automatic=True)["count"]["F"] >= 20000


@pytest.mark.parametrize(
    "name", ["classes_super", "infinite", "knot_tying", "guards_fall_through", "state_monad", "map_library"]
)
def test_a_profiled_program_prints_the_same(name: str) -> None:
    file = CONSTRUCTS / f"{name}.hs"
    text, stdin = file.read_text(encoding="utf-8"), file.with_suffix(".in")
    given_input = stdin.read_text(encoding="utf-8") if stdin.is_file() else ""
    pieces: list[str] = []
    lines = iter(given_input.splitlines(keepends=True))
    Machine(Rules(load("main.hs", text, lambda _name: None)), pieces.append, lambda: next(lines, "")).run("Main.main")
    assert "".join(pieces) == output_of(text, given_input)[0]


# Theorem 12 over random first-order lazy programs with cost centres: recursion is on parts of arguments, so all end

_PRELUDE = SCC + (
    "data Nat = Z | S Nat\ndata List = N | C Nat List\n"
    "size :: Nat -> Int\nsize Z = 0\nsize (S n) = 1 + size n\n"
    "total :: List -> Int\ntotal N = 0\ntotal (C n xs) = size n + total xs\n"
)
_FUNCTIONS = ("f0", "f1", "f2")


@st.composite
def lazy_programs(draw: st.DrawFn) -> str:
    """Functions of a number and a list to a list, each calling earlier ones and itself on the rest of the list."""

    def centre(text: str) -> str:
        name = draw(st.sampled_from(["", "", "", "a", "b", "c"]))
        return f'(scc "{name}" {text})' if name else text

    def number(variables: list[str], depth: int) -> str:
        options = [*variables, "Z"]
        if depth:
            inner = number(variables, depth - 1)
            options += [f"(S {inner})", f"(case {inner} of {{ Z -> S Z; S p -> p }})"]
        return centre(draw(st.sampled_from(options)))

    def items(known: tuple[str, ...], numbers: list[str], lists: list[str], depth: int) -> str:
        options = [*lists, "N"]
        if depth:
            head, rest = number(numbers, 1), items(known, numbers, lists, depth - 1)
            options += [f"(C {head} {rest})"] * 2
            options += [
                f"(let {{ ys = {rest}; m = {head} }} in C m (C m ys))",
                f"(let {{ zs = C {head} zs }} in {rest})",
            ]
            options += [f"({name} {head} {rest})" for name in known]
        return centre(draw(st.sampled_from(options)))

    lines = []
    for position, name in enumerate(_FUNCTIONS):
        known = _FUNCTIONS[:position]
        empty = items(known, ["n"], [], 1)
        full = items(known, ["n", "k"], ["ks", f"({name} n ks)"], 2)
        lines.append(f"{name} :: Nat -> List -> List\n{name} n N = {empty}\n{name} n (C k ks) = {full}")
    lines.append(f"goal :: Int\ngoal = total {items(_FUNCTIONS, ['Z', '(S (S Z))'], ['(C Z (C (S Z) N))'], 3)}")
    return _PRELUDE + "\n".join(lines) + "\nmain = print goal\n"


@settings(max_examples=40, deadline=None)
@given(lazy_programs())
def test_the_instrumented_program_has_the_costs_of_the_semantics(text: str) -> None:
    """Theorem 12; `costs` compares both."""
    assert costs(text, "Main.goal")["main"]["F"] >= 2


# The command


@pytest.fixture
def lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lengths.hs").write_text(LENGTHS, encoding="utf-8")
    return tmp_path


def test_the_command_prints_a_table(lengths: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "lengths.hs"]) == 0
    output, header, *rows = capsys.readouterr().out.splitlines()
    assert (output, header.split()) == ("400", ["cost", "centre", *(kind.name for kind in Kind)])
    assert "len 201 201 201 200 201 1 0 0" in [" ".join(row.split()) for row in rows]


def test_the_instrumented_program_gives_the_same_json(lengths: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "--json", "lengths.hs"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main(["profile", "--json", "--instrumented", "lengths.hs"]) == 0
    assert json.loads(capsys.readouterr().out)["centres"] == plain["centres"]
    assert plain["paths"][0]["path"] == ["main"]


def test_files_for_speedscope_and_browsers_need_nothing_else(lengths: Path) -> None:
    assert main(["profile", "lengths.hs", "--speedscope", "costs.json", "--html", "costs.html"]) == 0
    file = json.loads((lengths / "costs.json").read_text(encoding="utf-8"))
    assert file["$schema"] == SPEEDSCOPE_SCHEMA
    for profile in file["profiles"]:
        assert sum(profile["weights"]) == profile["endValue"]
        assert len(profile["samples"]) == len(profile["weights"])
    page = (lengths / "costs.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http-equiv", "")
    assert '["main","len"]' in page.replace(" ", "")


def test_a_program_that_fails_or_does_not_end_shows_its_costs(
    lengths: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lengths / "bad.hs").write_text('main = print (f 3)\nf 0 = 0\nf n = error "no"\n', encoding="utf-8")
    assert main(["profile", "bad.hs"]) == 1
    shown = capsys.readouterr()
    assert "main failed: no" in shown.err
    assert "cost centre" in shown.out
    (lengths / "loop.hs").write_text("main = print (f 3)\nf n = f (n + 1) :: Int\n", encoding="utf-8")
    assert main(["profile", "loop.hs", "--timeout", "0.2"]) == 1
    assert "did not end within 0.2 seconds" in capsys.readouterr().err


def test_a_missing_method_fails_only_where_it_is_needed(lengths: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "data T = T\ninstance Show T\nclass C a where\n  one, two :: a -> Int\ninstance C T where\n  one _ = 1\n"
    (lengths / "some.hs").write_text(text + "main = print (one T)\nother = two T\n", encoding="utf-8")
    assert main(["profile", "some.hs"]) == 0
    (lengths / "some.hs").write_text(text + "main = print (two T)\n", encoding="utf-8")
    assert main(["profile", "some.hs"]) == 1
    assert "no instance nor default method" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SCC + 'main = print (f "x")\nf n = scc n (1 :: Int)\n', "main.hs:4:11: the name of a cost centre"),
        ("main = print (1 +\n", "main.hs:"),
        ("f = 1\n", "there is no main"),
    ],
)
def test_bad_programs_are_refused_with_their_place(
    text: str, message: str, lengths: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lengths / "main.hs").write_text(text, encoding="utf-8")
    assert main(["profile", "main.hs"]) == 2
    assert message in capsys.readouterr().err
