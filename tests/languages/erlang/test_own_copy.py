"""A program against its own copy has no bug: the reference never says "no", and a session with it blames nothing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.frontends.shared.open_session import SessionOptions, SessionTarget, session_about
from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.erlang.oracles import reference as references
from adebug_lsp.languages.erlang.oracles.reference import Reference
from adebug_lsp.languages.erlang.questions.inner import InnerSubject
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.language import Request
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from tests.languages.erlang.beam import LATER, needs_erlang, otp_release
from tests.languages.erlang.recorded import silent
from tests.languages.own_copy import blamed
from tests.support import ROOT

pytestmark = needs_erlang

PROGRAMS = ROOT / "tests" / "programs_erlang"
ABOUT = {
    path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(PROGRAMS.glob("*/about.json"))
}
CONSTRUCTS = ["constructs", "constructs_maybe", *(f"constructs_{release}" for release in LATER)]
_MOST = 120
"""Nodes of the tree that are judged of one program, evenly spread; only one that uses everything has more."""
_MOST_ASKED = 1000
"""Nodes of a tree that a session goes through: "don't know" takes it to all of them."""
_MOST_ENDLESS = 4
"""The same of a program that never ends, where each node takes all the time that it is given."""

SHAPES = {
    "an effect before a pure call": """
        main() -> {f(1), g(2)}.
        f(X) -> put(k, X), X.
        g(X) -> X + 1.""",
    "an effect first, then pure calls in sequence": """
        main() -> log(start), X = seven(), A = scale(X), A * 2.
        log(X) -> put(last, X), ok.
        seven() -> 7.
        scale(X) -> X * 3.""",
    "an effect in a tail call of a callee": """
        main() -> [f(1), g(2), h(3)].
        f(X) -> note(X).
        note(X) -> put(k, X), X.
        g(X) -> case X of 2 -> h(X); _ -> X end.
        h(X) -> X + 1.""",
    "the process dictionary": """
        main() -> count(3), {get(n), next(), next(), erase(n), get(n), g(4)}.
        count(N) -> put(n, N).
        next() -> N = get(n), put(n, N + 1), N.
        g(X) -> X * X.""",
    "a table": """
        main() -> T = ets:new(t, [set]), fill(T, [a, b]), R = {size(T, 1), total(T)}, ets:delete(T), {R, twice(2)}.
        fill(T, Keys) -> [ets:insert(T, {K, length(Keys)}) || K <- Keys], ok.
        size(T, X) -> ets:info(T, size) + X.
        total(T) -> lists:sum([ets:lookup_element(T, K, 2) || K <- [a, b]]).
        twice(X) -> 2 * X.""",
    "a named table": """
        main() -> ets:new(names, [named_table]), add(a, 1), add(b, 2), {find(a), find(c), inc(b), next(3)}.
        add(K, V) -> ets:insert(names, {K, V}).
        find(K) -> case ets:lookup(names, K) of [{_, V}] -> {ok, V}; [] -> none end.
        inc(K) -> ets:update_counter(names, K, 5).
        next(X) -> X + 1.""",
    "printing": """
        main() -> say("begin"), N = double(4), say(N), io:format("~p~n", [double(N)]), double(N) - say(x).
        say(X) -> io:format("~p ", [X]), 1.
        double(X) -> X + X.""",
    "messages to itself": """
        main() -> self() ! {n, 1}, self() ! {n, 2}, A = take(), B = take(), {A, B, add(A, B)}.
        take() -> receive {n, X} -> add(X, 10) after 1000 -> late end.
        add(X, Y) -> X + Y.""",
    "a process that answers": """
        main() -> P = spawn(fun() -> loop(0) end), A = ask(P, 3), B = ask(P, 4), P ! stop, {A, B, plus(A, B)}.
        loop(Sum) -> receive {From, N} -> New = plus(Sum, N), From ! {sum, New}, loop(New); stop -> ok end.
        ask(P, N) -> P ! {self(), N}, receive {sum, S} -> S end.
        plus(X, Y) -> X + Y.""",
    "workers and a monitor": """
        main() -> Rs = [start(N) || N <- [1, 2, 3]], lists:sort([wait(R) || R <- Rs]).
        start(N) -> {_, Ref} = spawn_monitor(fun() -> exit({done, sq(N)}) end), Ref.
        wait(Ref) -> receive {'DOWN', Ref, process, _, {done, V}} -> sq(V) end.
        sq(X) -> X * X.""",
    "a message to nobody": """
        main() -> {try_it(nobody), try_it(self()), (catch nobody ! again), f(1)}.
        try_it(To) -> try {sent, To ! f(2)} catch error:Reason -> Reason end.
        f(X) -> X + 1.""",
    "a stack trace": """
        main() -> {(catch half(x)), f(1), try half(y) catch error:R:Stack -> {R, Stack, f(2)} end}.
        half(X) -> X div 2.
        f(X) -> X + 1.""",
    "code that runs when the module is loaded": """
        -on_load(setup/0).
        setup() -> persistent_term:put(?MODULE, 3), ok.
        main() -> {f(1), g(2)}.
        f(X) -> X + persistent_term:get(?MODULE).
        g(X) -> X + 1.""",
    "a name": """
        main() -> register(box, spawn(?MODULE, box, [[]])), box ! {put, f(1)}, box ! {get, self()},
                  R = receive {box, L} -> L end, box ! stop, {R, f(2)}.
        box(L) -> receive {put, X} -> ?MODULE:box([X | L]); {get, P} -> P ! {box, L}, ?MODULE:box(L); stop -> ok end.
        f(X) -> X + 1.""",
    "exceptions after effects": """
        main() -> {try_it(0), try_it(2), (catch risky(x)), last(5)}.
        try_it(X) -> try put(x, X), risky(X) of V -> {ok, V} catch error:E -> put(e, E), {bad, E} after put(done,
                  X) end.
        risky(X) -> 10 div X.
        last(X) -> X - 1.""",
    "an exception that ends the run": """
        main() -> put(k, 1), A = half(8), B = half(A), check(B).
        half(X) -> X div 2.
        check(X) -> X = half(5).""",
    "sleeping": """
        main() -> f(1), timer:sleep(5), f(2) + g(3).
        f(X) -> timer:sleep(2), X.
        g(X) -> X * 2.""",
    "apply": """
        main() -> A = apply(?MODULE, f, [1]), B = apply(lists, reverse, [[1, 2]]), M = ?MODULE, C = M:f(A), {A, B,
                  C, g(C)}.
        f(X) -> put(x, X), X + 1.
        g(X) -> X + 2.""",
    "funs": """
        main() -> Add = adder(2), L = lists:map(Add, [1, 2]), R = lists:foldl(fun(X, S) -> put(s, S), g(X) + S end,
                  0, L),
                  {L, R, g(R), (fun g/1)(3)}.
        adder(N) -> fun(X) -> X + N end.
        g(X) -> X * 2.""",
    "funs made in turns": """
        main() -> Fs = [fun(Y) -> X * Y end || X <- [1, 2, 3]], Ls = [lists:map(fun(Y) -> X + Y end, [1,
                  2]) || X <- [5, 6]],
                  {[F(10) || F <- Fs], Ls, [use(F) || F <- Fs]}.
        use(F) -> F(7) + 1.""",
    "a fun that knows itself": """
        main() -> F = fun Fact(0) -> 1; Fact(N) -> N * Fact(N - 1) end, {F(4), g(5)}.
        g(X) -> F = fun(Y) -> Y + X end, F(1).""",
    "records": """
        -record(p, {name, age = 30, tags = []}).
        main() -> P = new(ann), Q = older(P), {P#p.age, Q#p.age, tag(Q, x), is_old(Q)}.
        new(N) -> put(n, N), #p{name = N}.
        older(#p{age = A} = P) -> P#p{age = A + 1}.
        tag(P, T) -> P#p{tags = [T | P#p.tags]}.
        is_old(#p{age = A}) when A > 30 -> true;
        is_old(_) -> false.""",
    "bound variables in patterns": """
        main() -> {[find(K, #{a => 1, b => 2}) || K <- [a, b, c]], cut(2, <<1, 2, 3, 4>>), same(1, {1, 2}),
                  turns([1, 2])}.
        find(K, M) -> case M of #{K := V} when V > 1 -> {K, V}; #{K := V} -> V; #{} -> none end.
        cut(N, B) -> case B of <<A:N/binary, R/binary>> -> {A, R} end.
        same(X, P) -> case P of {X, Y} -> Y; {Y, _} -> -Y end.
        turns(L) -> [begin Y = X * 2, case Y of 4 -> Z = four; Z -> ok end, {X, Y, Z} end || X <- L].""",
    "shadowing in comprehensions": """
        main() -> X = [1, 2], L = [X * 2 || X <- X], M = [{X, Y} || X <- L, Y <- [X, X + 1], Y > 2], {X, L, M, f(X)}.
        f(X) -> [begin put(x, Y), g(Y) end || Y <- X, g(Y) > 0].
        g(X) -> X + 1.""",
    "effects in arguments": """
        main() -> f(put(a, 1), g(put(a, 2)), [put(a, 3) | g(get(a))]).
        f(A, B, C) -> {A, B, C, g(A)}.
        g(X) -> [X].""",
    "effects in conditions": """
        main() -> {[f(X) || X <- [1, 2, 3], seen(X)], f(0)}.
        seen(X) -> case get(last) of undefined -> put(last, X), true; L when L < X -> put(last, X),
                  X rem 2 =:= 1; _ -> false end.
        f(X) -> if X > 2 -> big; true -> small end.""",
    "time, chance and references": """
        main() -> T = erlang:monotonic_time(), R = make_ref(), N = rand:uniform(1000000), {late(T),
                  R =/= make_ref(), keep(N), unique()}.
        late(T) -> erlang:monotonic_time() - T.
        keep(N) -> {N, rand:uniform(N)}.
        unique() -> {erlang:unique_integer(), erlang:system_time()}.""",
    "a gen_server": """
        -behaviour(gen_server).
        -export([init/1, handle_call/3, handle_cast/2]).
        main() -> {ok, P} = gen_server:start(?MODULE, 10, []), A = gen_server:call(P, {add, 5}), gen_server:cast(P,
                  {sub, 1}),
                  B = gen_server:call(P, {add, 0}), gen_server:stop(P), {A, B, plus(A, B)}.
        init(N) -> {ok, N}.
        handle_call({add, N}, _From, S) -> New = plus(S, N), {reply, New, New}.
        handle_cast({sub, N}, S) -> {noreply, plus(S, -N)}.
        plus(X, Y) -> X + Y.""",
    "a process that crashes": """
        main() -> process_flag(trap_exit, true), P = spawn_link(fun() -> put(k, 1), half(3) end),
                  receive {'EXIT', P, {R, _}} -> {R, ok(1)} end.
        half(X) when X rem 2 =:= 0 -> X div 2.
        ok(X) -> X.""",
    "counters and persistent terms": """
        main() -> C = counters:new(1, []), counters:add(C, 1, 5), persistent_term:put(?MODULE, 3), {counters:get(C,
                  1), f(1)}.
        f(X) -> X + persistent_term:get(?MODULE).""",
    "files": """
        main() -> ok = file:write_file("own_copy.txt", "abc"), {ok, B} = file:read_file("own_copy.txt"),
                  ok = file:delete("own_copy.txt"), {len(B), len(<<"xy">>)}.
        len(B) -> byte_size(B).""",
}


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "TIMEOUT", 0.3)  # for programs that never end; "don't know" is allowed


def wrong_answers(workspace: Path, module: str, call: str, timeout: float | None = None) -> Iterator[str]:
    """Questions to which the program's own copy answers "no", and verdicts."""
    shutil.copytree(workspace, workspace / "copy", ignore=shutil.ignore_patterns("fixed", "*.json"))
    request = Request(workspace=workspace, program=workspace / f"{module}.erl", call=call, timeout=timeout)
    Erlang().record(request, workspace / "run.adebug", silent)
    opened = Erlang().open(workspace / "run.adebug", silent)
    subject = opened.subject(opened.entries[0])
    with Reference.open("copy", workspace, subject) as reference:
        for level, node, zoomed in nodes_of(subject, _MOST if timeout is None else _MOST_ENDLESS):
            opinion = reference.opinion(Question(level.tree.facts(node), level.behaviour(node), zoomed=zoomed))
            if opinion is not None and opinion.judgement is Judgement.NO:
                yield f"{level.behaviour(node).text}: {opinion.reason}"
        if len(subject.tree) > _MOST_ASKED:
            return
        open_session = session_about(
            SessionTarget(subject, module, module), SessionOptions(ask_root=True), None, [reference]
        )
        yield from blamed(open_session)


def nodes_of(subject: ErlangSubject, most: int) -> Iterator[tuple[ErlangSubject | InnerSubject, int, tuple[int, ...]]]:
    """The nodes of the tree, and those inside of each."""
    for node in range(0, len(subject.tree), -(-len(subject.tree) // most)):
        yield subject, node, ()
        inner = subject.inside(node)
        for part in range(1, len(inner.tree)) if inner is not None else ():
            assert inner is not None
            yield inner, part, (node,)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_small_program_is_right_by_its_own_copy(shape: str, tmp_path: Path) -> None:
    lines = [line.removeprefix(" " * 8) for line in SHAPES[shape].splitlines()]
    program = "\n".join(["-module(own).", "-compile([export_all, nowarn_export_all]).", *lines, ""])
    (tmp_path / "own.erl").write_text(program, encoding="utf-8")
    assert list(wrong_answers(tmp_path, "own", "own:main()")) == []


@pytest.mark.suites
@pytest.mark.parametrize("name", sorted(ABOUT))
def test_a_planted_program_is_right_by_its_own_copy(name: str, tmp_path: Path) -> None:
    about, workspace = ABOUT[name], tmp_path / name
    shutil.copytree(PROGRAMS / name, workspace)
    limit = about["timeout"] / 1000 if "timeout" in about else None
    assert list(wrong_answers(workspace, about["call"].partition(":")[0], about["call"], limit)) == []


@pytest.mark.parametrize("module", CONSTRUCTS)
def test_all_constructs_are_right_by_their_own_copy(module: str, tmp_path: Path) -> None:
    release = module.rpartition("_")[2]
    for name in (module, "constructs_server"):
        shutil.copy(PROGRAMS / f"{name}.erl", tmp_path)
    call = "constructs:main(50)" if module == "constructs" else f"{module}:main()"
    if release.isdigit() and int(release) > otp_release():
        with pytest.raises(BadInputError, match=module):  # an older OTP refuses it
            list(wrong_answers(tmp_path, module, call))
        return
    assert list(wrong_answers(tmp_path, module, call)) == []
