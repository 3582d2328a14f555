"""The tracer of Silva's thesis, Section 5.2: rows `value = call`, and an argument opens the trail that made it."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli.main import main
from adebug_lsp.frontends.cli.modes.terminal import DOWN
from adebug_lsp.frontends.cli.modes.trail_screen import TrailScreen
from adebug_lsp.frontends.cli.render.style import Style
from adebug_lsp.frontends.cli.render.trail_view import trail_lines
from adebug_lsp.languages.haskell.slices.haskell_slicer import HaskellSlicer
from adebug_lsp.languages.haskell.slices.haskell_tracer import HaskellTracer
from adebug_lsp.languages.redex_trail import Trail
from adebug_lsp.model.errors import NoSuchValueError
from tests.languages.haskell.recorded import record
from tests.languages.haskell.test_ghc import PROGRAMS

FIGURE = """data Nat = Z | S Nat
data Pair = Pair Nat Nat

start = printMax (minmax [Z, S Z])

printMax t = case t of Pair x y -> printNat y

printNat :: Nat -> Int
printNat n = case n of
  Z -> 0
  S m -> 1 + printNat m

first t = case t of Pair x y -> x
second t = case t of Pair x y -> y

minmax xs = case xs of
  y:ys -> case ys of
    [] -> Pair y y
    z:zs -> let m = minmax (z:zs)
            in Pair (lower y (first m)) (upper y (second m))

lower x y = pick (leq x y) x y
upper x y = pick (leq x y) y x

pick x y z = case x of
  True -> y
  False -> z

leq x y = case x of
  Z -> False
  S n -> case y of
    Z -> False
    S m -> leq n m

main = print start
"""
"""The program of Figure 5.1, whose `leq` is wrong. Written constructors are values here, so the list is shown whole."""
PLAIN = Style(colour=False)


def tracer(text: str, most: int = 5_000_000) -> HaskellTracer:
    return HaskellTracer(HaskellSlicer(record(text, most=most).subject))


def rows(trail: Trail) -> list[str]:
    return [f"{row.value} = {row.call}" for row in trail.rows]


def test_the_top_level_trace_is_that_of_the_thesis() -> None:
    trail = tracer(FIGURE).call("start", None)
    assert rows(trail) == ["0 = start", "0 = printMax (Pair _ Z)", "0 = printNat Z", "0 = 0"]


def test_an_argument_opens_the_trace_that_made_it() -> None:
    traces = tracer(FIGURE)
    (argument,) = traces.call("start", None).rows[1].arguments
    assert argument.text == "Pair _ Z"
    trail = traces.argument(argument.address)
    assert rows(trail) == ["Pair _ Z = minmax [Z, S Z]", "Pair _ Z = Pair _ Z"]
    assert trail.rows[1].arguments[0].address == ""  # it was never needed
    deeper = traces.argument(trail.rows[1].arguments[1].address)
    assert rows(deeper) == ["Z = upper Z _", "Z = pick False _ Z", "Z = Z"]
    assert rows(traces.argument(deeper.rows[1].arguments[0].address)) == ["False = leq Z _", "False = False"]


def test_a_run_that_was_stopped_has_rows_up_to_there() -> None:
    traces = tracer("spin n = spin (n + 1)\nmain = print (spin 0 :: Int)\n", most=2000)
    assert rows(traces.start())[0].endswith("= main")
    trail = traces.call("spin 0", None)
    assert rows(trail)[:3] == ["_ = spin 0", "_ = spin _", "_ = spin _"]
    assert (len(trail.rows), trail.has_more) == (1000, True)
    assert trail_lines(trail, PLAIN)[-1] == "... (and more steps)"


def test_a_failed_run_has_rows_up_to_the_failure() -> None:
    traces = tracer('f x = if x > 1 then error "too much" else x\ng y = f (y + 1)\nmain = print (g 1 :: Int)\n')
    assert rows(traces.call("g 1", None))[:2] == ["failed: too much = g 1", "failed: too much = f 2"]


def test_actions_are_rows_in_the_order_in_which_they_ran() -> None:
    traces = tracer('greet n = do\n  putStrLn n\n  return (length n)\nmain = do\n  k <- greet "ab"\n  print k\n')
    assert rows(traces.start()) == ["() = main", '2 = greet "ab"', "() = print 2"]
    assert rows(traces.argument(traces.start().rows[2].arguments[0].address))[-1].startswith("2 = ")


@pytest.mark.parametrize("address", ["", "x", "1", "999999.1", "0.1", "1:99999.1", "-1.1", "1.0"])
def test_an_address_that_is_not_there_is_refused(address: str) -> None:
    with pytest.raises(NoSuchValueError):
        tracer(FIGURE).argument(address)


@pytest.mark.parametrize(
    "path",
    [path for path in PROGRAMS if path.parent.name != "fixed"][::8],
    ids=lambda path: path.stem,
)
def test_every_address_of_a_program_opens(path: Path) -> None:
    stdin = path.with_suffix(".in")
    text = stdin.read_text(encoding="utf-8") if stdin.is_file() else ""
    traces = HaskellTracer(HaskellSlicer(record(path.read_text(encoding="utf-8"), text).subject))
    pending, seen = [traces.start()], set[str]()
    while pending and len(seen) < 60:
        for row in pending.pop().rows:
            for argument in row.arguments:
                if argument.address and argument.address not in seen:
                    seen.add(argument.address)
                    opened = traces.argument(argument.address)
                    is_cut = argument.text.endswith("...")
                    assert is_cut or not opened.rows or opened.rows[-1].value in {argument.text, "..."}
                    pending.append(opened)


# Front ends


def test_the_screen_goes_forwards_and_backwards() -> None:
    traces = tracer(FIGURE)
    screen = TrailScreen(traces, [traces.call("start", None)])
    assert [line.partition("    ")[0] for line in screen.lines(PLAIN, 80, 20)[:6]] == [
        "start",
        "",
        "> 0 = start",
        "  0 = printMax (Pair _ Z)",
        "  0 = printNat Z",
        "  0 = 0",
    ]
    for key in (DOWN, "1"):
        assert screen.press(key)
    assert screen.trail.title == "t of printMax (Pair _ Z)"
    assert screen.press("b")
    assert screen.trail.title == "start"
    assert screen.row is not None
    assert screen.row.call == "printMax (Pair _ Z)"
    assert screen.press("f")
    assert screen.press("r")
    assert screen.trail.rows[-1].call == "minmax [Z, S Z]"
    assert screen.press("7")  # there is no such argument
    assert not screen.press("q")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "figure.hs"
    file.write_text(FIGURE, encoding="utf-8")
    return file


@pytest.mark.usefixtures("program")
def test_the_command_takes_a_program_or_a_recording(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "figure.hs"]) == 0
    shown = capsys.readouterr()
    assert "() = print 0" in shown.out
    assert shown.err.splitlines()[-1] == "0"  # what the program prints
    assert main(["record", "-o", "run.rec", "figure.hs"]) == 0
    capsys.readouterr()
    assert main(["trace", "--of", "start", "--backwards", "--json", "run.rec"]) == 0
    trail = json.loads(capsys.readouterr().out)
    assert [f"{row['value']} = {row['call']}" for row in trail["rows"]][-1] == "0 = start"
    address = trail["rows"][-2]["arguments"][0]["address"]
    assert main(["trace", "--open", address, "run.rec"]) == 0
    assert "Pair _ Z = minmax [Z, S Z]" in capsys.readouterr().out


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing.rec"],
        ["figure.hs", "--of", "maximum"],
        ["figure.hs", "--open", "1.7"],
        ["figure.hs", "--of", "leq", "--nth", "0"],
    ],
)
def test_what_is_not_there_is_an_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", *arguments]) == 2
    assert "adebug: " in capsys.readouterr().err


def test_an_endless_program_is_traced_after_its_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "spin.hs"
    file.write_text("spin n = spin (n + 1)\nmain = print (spin 0 :: Int)\n", encoding="utf-8")
    assert main(["trace", "--timeout", "0.5", "--of", "spin 0", str(file), "--workspace", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "main did not end in time" in shown.err
    assert "_ = spin 0" in shown.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
def test_keys_browse_in_a_real_terminal(program: Path) -> None:
    keyboard, screen = pty.openpty()
    command = [sys.executable, "-m", "adebug_lsp", "trace", "--of", "start", str(program)]
    process = subprocess.Popen(command, stdin=screen, stdout=screen, stderr=subprocess.DEVNULL, cwd=program.parent)
    os.close(screen)
    seen = _until(keyboard, "reverse")
    assert "0 = printMax (Pair _ Z)" in seen
    os.write(keyboard, b"\x1b[B1")
    assert "Pair _ Z = minmax [Z, S Z]" in _until(keyboard, "minmax [Z, S Z]")
    os.write(keyboard, b"q")
    assert process.wait(timeout=30) == 0
    os.close(keyboard)


def _until(keyboard: int, text: str) -> str:
    seen, deadline = "", time.monotonic() + 60
    while text not in seen and time.monotonic() < deadline:
        if select.select([keyboard], [], [], 0.2)[0]:
            seen += os.read(keyboard, 65536).decode("utf-8", "replace")
    return seen
