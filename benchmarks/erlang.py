"""Overhead of recording an Erlang program, per call and relative to the plain BEAM, and the speed of reading a trace.

Both times are those of the expression alone in a running VM, so that neither includes the start of the VM. Ratios are
large for calls that do nothing: the BEAM makes one in a few nanoseconds.
"""

import subprocess
import tempfile
import time
from pathlib import Path

from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.erlang.recorder.otp import find_erlang
from adebug_lsp.languages.language import Request, silent

PROGRAM = """
-module(bench).
-compile(export_all).
-compile(nowarn_export_all).

timed(F) -> {Time, _} = timer:tc(F), Time.

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

loop(0) -> done;
loop(N) -> loop(N - 1).

sort([]) -> [];
sort([P | Rest]) -> sort([X || X <- Rest, X < P]) ++ [P] ++ sort([X || X <- Rest, X >= P]).

sorted(N) -> sort([(X * 7919) rem 10007 || X <- lists:seq(1, N)]).

fold(N) -> lists:foldl(fun(X, Map) -> add(X rem 97, X, Map) end, #{}, lists:seq(1, N)).

add(Key, X, Map) -> maps:update_with(Key, fun(Y) -> X + Y end, X, Map).

ring(N, Rounds) ->
    Self = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> pass(Next) end) end, Self, lists:seq(1, N)),
    [begin First ! {token, R}, receive {token, R} -> ok end end || R <- lists:seq(1, Rounds)],
    First ! stop,
    receive stop -> ok end.

echo(N) ->
    count(spawn(fun back/0), N, 0).

count(_, 0, Sum) -> Sum;
count(Pid, N, Sum) ->
    Pid ! {self(), N},
    receive {Pid, M} -> count(Pid, N - 1, plus(Sum, M)) end.

plus(A, B) -> A + B.

back() -> receive {From, N} -> From ! {self(), N}, back() end.

pass(Next) ->
    receive
        {token, R} -> Next ! {token, R}, pass(Next);
        stop -> Next ! stop
    end.
"""
CALLS = {
    "fib": "bench:fib(20)",
    "tail loop": "bench:loop(100000)",
    "quicksort": "bench:sorted(1000)",
    "map fold": "bench:fold(3000)",
    "ring": "bench:ring(50, 100)",
    "echo": "bench:echo(43500)",
    "long loop": "bench:loop(500000)",
}


def main(_arguments: list[str]) -> None:
    """Print a table."""
    print(
        "| program | plain ms | recorded ms | ratio | calls | µs a call | events | read, events/s | first question s |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "bench.erl").write_text(PROGRAM, encoding="utf-8")
        for program, call in CALLS.items():
            _row(folder, program, f"bench:timed(fun() -> {call} end)")


def _row(folder: Path, program: str, call: str) -> None:
    plain = _plain(folder, call)
    request, out = Request(workspace=folder, program=folder / "bench.erl", call=call), folder / "run.adebug"
    ended = Erlang().record(request, out, silent)
    recorded = int(ended.message.rpartition("= ")[2])
    started = time.perf_counter()
    opened = Erlang().open(out, silent)
    read = time.perf_counter() - started
    subject = opened.subject(opened.entries[0])
    subject.behaviour(min(1, len(subject.tree) - 1))
    first = time.perf_counter() - started
    events, calls = len(opened.run.recording.events), len(opened.run.frames)
    print(
        f"| {program} | {plain / 1000:.2f} | {recorded / 1000:.0f} | {recorded / plain:.0f} | {calls} "
        f"| {(recorded - plain) / calls:.1f} | {events} | {events / read:,.0f} | {first:.2f} |"
    )


def _plain(folder: Path, call: str) -> int:
    erl, erlc = find_erlang()
    subprocess.run([erlc, "bench.erl"], cwd=folder, check=True, capture_output=True)
    code = f'io:format("~w", [lists:min([{call} || _ <- lists:seq(1, 5)])]), halt().'
    done = subprocess.run([erl, "-noshell", "-eval", code], cwd=folder, check=True, capture_output=True, text=True)
    return max(1, int(done.stdout))
