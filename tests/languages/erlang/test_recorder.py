"""The recorder leaves results unchanged, and a run leaves a usable recording however it ends."""

import re
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from adebug_lsp.languages.erlang.language import Erlang
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.reading.recording_file import open_erlang
from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.languages.erlang.reading.trace import read_trace
from adebug_lsp.languages.erlang.recorder.otp import compiled, find_erlang
from adebug_lsp.languages.language import Request
from adebug_lsp.model.errors import BadInputError
from tests.languages.erlang.beam import LATER, needs_erlang, otp_release, run_erlang
from tests.languages.erlang.recorded import record, silent
from tests.support import ROOT

pytestmark = needs_erlang
PROGRAMS = ROOT / "tests" / "programs_erlang"


def test_all_constructs_give_the_same_recorded_and_plain(tmp_path: Path) -> None:
    check_same("constructs", "constructs:main(1000)", tmp_path)


@pytest.mark.parametrize("release", LATER)
def test_constructs_of_later_releases_give_the_same_recorded_and_plain(release: int, tmp_path: Path) -> None:
    name = f"constructs_{release}"
    if otp_release() >= release:
        check_same(name, f"{name}:main()", tmp_path)
        return
    with pytest.raises(BadInputError, match=rf"{name}\.erl:\d+:\d+: "):  # what an older compiler says, with the place
        check_same(name, f"{name}:main()", tmp_path, plain="")


def check_same(name: str, call: str, folder: Path, plain: str | None = None) -> None:
    """A call gives the same recorded and plain."""
    plain = result_of(name, call, folder) if plain is None else plain
    hashed = f"erlang:phash2({call}, 1 bsl 32)"
    request = Request(workspace=PROGRAMS, program=PROGRAMS / f"{name}.erl", call=hashed)
    ended = Erlang().record(request, folder / "run.adebug", silent)
    assert ended.how == "finished"
    assert ended.message == f"{hashed} = {plain}"


def result_of(name: str, call: str, folder: Path) -> str:
    """A hash of the result of a call without recording."""
    files = [str(PROGRAMS / f"{program}.erl") for program in (name, "constructs_server")]
    program = f"""
        -module(program).
        -export([main/1]).
        main(_) ->
            [{{ok, M, B}} = begin R = {{ok, M, B}} = compile:file(F, [binary, debug_info]),
                code:load_binary(M, F, B), R end || F <- {files!r}],
            io:format("~w", [erlang:phash2({call}, 1 bsl 32)]).
    """.replace("'", '"')
    return run_erlang(program, folder=folder)


REWRITE = r"""
-module(program).
-export([main/1]).
main([Inside, Every]) ->
    code:add_patha(Inside),
    Apps = [stdlib, kernel, compiler, parsetools],
    Beams = [B || App <- Apps, is_list(code:lib_dir(App)),
                  B <- lists:sort(filelib:wildcard(filename:join([code:lib_dir(App), "ebin", "*.beam"])))],
    Chosen = [B || {N, B} <- lists:enumerate(lists:sublist(Beams, 130)), N rem list_to_integer(Every) == 0],
    Sites = [sites(B) || B <- Chosen],
    io:format("~b ~b", [length(Chosen), lists:sum(Sites)]).

sites(Beam) ->
    {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
    {Rewritten, Sites, _} = adebug_instrument:module(Forms, 1, [Module]),
    case compile:forms(Rewritten, [binary, return, no_copt, no_ssa_opt]) of
        {ok, Module, _, _} -> length(Sites);
        Other -> error({Module, Other})
    end.
"""


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.suites)])
def test_modules_of_otp_can_be_rewritten(every: int, tmp_path: Path) -> None:
    recorder = str(compiled(*find_erlang()))
    modules, sites = map(int, run_erlang(REWRITE, recorder, str(every), folder=tmp_path).split())
    assert modules >= 100 // every
    assert sites > 50_000 // every // 2


COPIES = r"""
-module(program).
-export([main/1]).
main([Inside]) ->
    code:add_patha(Inside),
    adebug_recorder:start(),
    [loaded(M) || M <- [lists, dict, gb_trees, orddict, sets, string, queue, ordsets, proplists]],
    L = [rand:uniform(1000) || _ <- lists:seq(1, 200)],
    P = [{X rem 17, X} || X <- L],
    same(lists, sort, [L]), same(lists, usort, [L]), same(lists, keysort, [1, P]), same(lists, merge, [L, L]),
    same(lists, foldl, [fun(A, B) -> A - B end, 0, L]), same(lists, partition, [fun(A) -> A > 500 end, L]),
    same(lists, zip, [L, P]), same(lists, nth, [201, L]), same(lists, flatten, [[L, [P, [L]]]]),
    same(lists, sublist, [L, 5, 20]), same(lists, mapfoldl, [fun(A, B) -> {A * 2, A + B} end, 0, L]),
    same(lists, sort, [fun(A, B) -> A > B end, L]),
    same(dict, from_list, [P]), same(gb_trees, from_orddict, [orddict:from_list(P)]),
    same(orddict, from_list, [P]), same(ordsets, union, [lists:usort(L), [1, 2]]), same(sets, from_list, [L]),
    same(string, split, ["a,b,c", ",", all]), same(string, uppercase, ["abc"]), same(string, trim, ["  x "]),
    same(queue, from_list, [L]), same(proplists, get_value, [3, P]), same(gb_trees, get, [a, gb_trees:empty()]),
    yecc(),
    io:format("same").

loaded(Module) ->
    {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(code:which(Module), [abstract_code]),
    Copy = copy(Module),
    Renamed = [case Form of {attribute, A, module, _} -> {attribute, A, module, Copy}; _ -> Form end || Form <- Forms],
    {Rewritten, _, _} = adebug_instrument:module(Renamed, 1, [Copy]),
    {ok, Copy, Beam} = compile:forms(Rewritten, [binary]),
    {module, Copy} = code:load_binary(Copy, atom_to_list(Copy), Beam).

copy(Module) -> list_to_atom("copy_of_" ++ atom_to_list(Module)).

same(Module, Function, Arguments) ->
    Results = [try {ok, apply(M, Function, Arguments)} catch C:R -> {C, R} end || M <- [Module, copy(Module)]],
    case Results of
        [One, One] -> ok;
        _ -> error({Module, Function, Results})
    end.

yecc() ->
    ok = file:write_file("grammar.yrl", "Nonterminals e t f.\nTerminals '+' '*' '(' ')' n.\nRootsymbol e.\n"
        "e -> e '+' t : {add, '$1', '$3'}.\ne -> t : '$1'.\nt -> t '*' f : {mul, '$1', '$3'}.\nt -> f : '$1'.\n"
        "f -> '(' e ')' : '$2'.\nf -> n : '$1'.\n"),
    ok = file:write_file("before.hrl", ""),
    {ok, _} = yecc:file("grammar.yrl", [{parserfile, "plain.erl"}, {includefile, "before.hrl"}]),
    {ok, Plain} = file:read_file("plain.erl"),
    loaded(yecc),
    {ok, _} = copy_of_yecc:file("grammar.yrl", [{parserfile, "plain.erl"}, {includefile, "before.hrl"}]),
    {ok, Plain} = file:read_file("plain.erl").
"""


def test_copies_of_otp_modules_give_the_same_rewritten(tmp_path: Path) -> None:
    assert run_erlang(COPIES, str(compiled(*find_erlang())), folder=tmp_path).endswith("same")


def test_the_tree_has_calls_funs_and_processes(tmp_path: Path) -> None:
    recorded = record(
        tmp_path,
        """
-export([main/0]).
main() ->
    Doubled = lists:map(fun(N) when N > 1 -> N * 2; (_) -> 0 end, [1, 2]),
    Pid = spawn(fun() -> next(41) end),
    timer:sleep(100),
    {Doubled, is_pid(Pid), loop(2)}.
next(N) -> N + 1.
loop(0) -> done;
loop(N) -> loop(N - 1).
""",
    )
    calls = [line for line in recorded.tree if "<0." not in line]
    assert calls == [
        "main() = {[0,4],true,done}",
        "  the fun at line 5 of program:main/0, given (1), = 0",
        "  the fun at line 5 of program:main/0, given (2), = 4",
        "  the fun at line 6 of program:main/0, given (), = 42",
        "    next(41) = 42",
        "  loop(2) = done",
        "    loop(1) = done",
        "      loop(0) = done",
    ]


def test_exceptions_end_calls(tmp_path: Path) -> None:
    recorded = record(
        tmp_path,
        """
-export([main/0]).
main() -> {safe(0), (catch half(odd)), safe(4)}.
safe(N) ->
    try half(N) catch error:Reason -> {failed, Reason} end.
half(N) when N > 0 -> check(N) div 2.
check(N) when N rem 2 =:= 0 -> N.
""",
    )
    assert recorded.tree[1:] == [
        "  safe(0) = {failed,function_clause}",
        "    half(0) raised error:function_clause",
        "  half(odd) raised error:function_clause",
        "    check(odd) raised error:function_clause",
        "  safe(4) = 2",
        "    half(4) = 2",
        "      check(4) = 4",
    ]


@pytest.mark.parametrize(
    ("program", "call", "message"),
    [
        ("-export([main/0]).\nmain() -> X.\n", "program:main()", "variable 'X' is unbound"),
        ("-export([main/0]).\nmain() -> .\n", "program:main()", "syntax error"),
        (
            "-export([main/0]).\nmain() -> ok.\n",
            "program:main(",
            r"cannot parse the expression program:main\(: it is incomplete",
        ),
        ("-export([main/0]).\nmain() -> ok.\n", "program:'", "cannot parse the expression"),
        (
            "-export([main/0]).\nmain() -> ok.\n",
            "program:other(1)",
            "no such function, or not exported: program:other/1",
        ),
        ("-export([main/0]).\nmain() -> ok.\n", "no_module:f()", "no such function, or not exported: no_module:f/0"),
        ("-export([main/0]).\nmain() -> ok.\n", "program:main(X)", "variable X is unbound in the expression"),
        ("-export([main/0]).\nmain() -> ok.\n", "X", "variable X is unbound in the expression"),
    ],
)
def test_an_invalid_program_is_reported(tmp_path: Path, program: str, call: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        record(tmp_path, program, call)


def test_a_neighbouring_module_that_does_not_compile_is_reported(tmp_path: Path) -> None:
    (tmp_path / "helper.erl").write_text("-module(helper).\n-export([double/1]).\ndouble(X) -> X * Y.\n")
    with pytest.raises(BadInputError, match=r"helper.erl:3:18: variable 'Y' is unbound"):
        record(tmp_path, "-export([main/0]).\nmain() -> helper:double(2).\n")
    mentioned = record(tmp_path, "-export([main/0]).\nmain() -> {helper, two()}.\ntwo() -> 2.\n")
    assert mentioned.tree == ["main() = {helper,2}", "  two() = 2"]
    assert mentioned.opened.problem.startswith("not recorded: ")
    assert mentioned.opened.problem.endswith("helper.erl:3:18: variable 'Y' is unbound")


def test_a_program_without_erlang_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInputError, match="erlang-base"):
        record(tmp_path, "-export([main/0]).\nmain() -> ok.\n")


LOOP = """
-export([main/0, stop/1, crash/0, die/0, panic/0]).
main() -> main(0).
main(N) -> main(N + 1).
stop(N) -> helper(N), halt(3).
crash() -> helper(1), spawn(fun() -> helper(2), exit(kill_me) end), timer:sleep(300), helper(3), exit(gone).
die() -> helper(5), timer:sleep(500), os:cmd("kill -9 " ++ os:getpid()), timer:sleep(10000).
panic() -> helper(6), erlang:halt("as it likes").
helper(N) -> N * 2.
"""


def test_a_run_that_never_ends_can_be_asked_about(tmp_path: Path) -> None:
    recorded = record(tmp_path, LOOP, timeout=0.4)
    assert recorded.ended.how == "timeout"
    assert recorded.tree[0] == "main() did not end"
    assert recorded.tree[1] == "  main(0) did not end"


def test_a_program_that_stops_the_vm_can_be_asked_about(tmp_path: Path) -> None:
    recorded = record(tmp_path, LOOP, "begin program:stop(4) end")
    assert recorded.ended.how == "killed"
    assert recorded.ended.exit_code == 3
    assert recorded.tree == ["stop(4) did not end", "  helper(4) = 8"]


def test_a_vm_that_is_killed_leaves_what_was_written(tmp_path: Path) -> None:
    recorded = record(tmp_path, LOOP, "program:die()")
    assert recorded.ended.how == "killed"
    assert recorded.ended.exit_code
    assert "the VM ended before program:die() did" in recorded.ended.message
    assert recorded.tree == ["die() did not end", "  helper(5) = 10"]


def test_a_vm_that_crashes_leaves_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERL_CRASH_DUMP_BYTES", "0")
    recorded = record(tmp_path, LOOP, "program:panic()")
    assert recorded.ended.how == "killed"
    assert recorded.ended.exit_code == 1
    assert recorded.tree == ["panic() did not end", "  helper(6) = 12"]


def test_an_error_in_code_that_the_program_evaluates_is_its_own(tmp_path: Path) -> None:
    program = (
        '-export([main/0]).\nmain() -> {ok, T, _} = erl_scan:string("X."), {ok, E} = erl_parse:parse_exprs(T),\n'
        "    erl_eval:exprs(E, []).\n"
    )
    assert record(tmp_path, program).ended.message == "program:main() raised error:{unbound_var,'X'}"


def test_a_process_that_is_killed_leaves_what_it_did(tmp_path: Path) -> None:
    recorded = record(tmp_path, LOOP, "program:crash()")
    assert recorded.ended.how == "raised"
    assert recorded.tree[0] == "crash() raised exit:gone"
    assert "    helper(2) = 4" in recorded.tree


def test_a_truncated_recording_yields_everything_before_the_cut(tmp_path: Path) -> None:
    whole = record(tmp_path, "-export([main/0]).\nmain() -> [sq(N) || N <- lists:seq(1, 5000)].\nsq(N) -> N * N.\n")
    data, events = (tmp_path / "run.adebug").read_bytes(), len(whole.opened.run.recording.events)
    (tmp_path / "cut.adebug").write_bytes(data[:-200])
    cut = Erlang().open(tmp_path / "cut.adebug", silent)
    assert cut.problem
    assert events / 2 < len(cut.run.recording.events) < events
    text = cut.subject(cut.entries[0]).behaviour(1).text
    assert re.match(r"2[3-5]\d\d in a row: sq\(1\) = 1; sq\(2\) = 4;", text)
    (tmp_path / "cut.adebug").write_bytes(data[:200])
    with pytest.raises(BadInputError, match="the recording is empty"):
        open_erlang(tmp_path / "cut.adebug")


def test_a_truncated_trace_yields_everything_before_the_cut(tmp_path: Path) -> None:
    program = "-export([main/0]).\nmain() -> [sq(N) || N <- [1, 2]].\nsq(N) -> N * N.\n"
    recording = record(tmp_path, program).opened.run.recording
    for length in range(0, len(recording.trace), 7):
        trace = read_trace(recording.trace[:length])
        assert len(trace) <= len(recording.events)
        assert list(trace.kind) == list(recording.events.kind[: len(trace)])


def test_the_recorder_prints_nothing(tmp_path: Path) -> None:
    (tmp_path / "program.erl").write_text('-module(program).\n-export([main/0]).\nmain() -> io:format("hello~n").\n')
    erlang = Erlang()
    command = erlang.command(
        Request(workspace=tmp_path, program=tmp_path / "program.erl", call="program:main()"), tmp_path / "run.adebug"
    )
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("hello\n", "")


def test_loading_a_library_is_not_an_effect_of_the_program(tmp_path: Path) -> None:
    program = "-export([main/0]).\nmain() -> base64:encode([1, 2, 3]).\n"
    recorded = record(tmp_path, program)
    assert recorded.tree == ['main() = <<"AQID">>']
    assert recorded.subject.behaviour(0).after.bindings == ()
    frames = recorded.opened.run.frames
    assert not recorded.opened.run.has_effects(frames.first[0], frames.last[0], 0)


NEWER = r"""
-module(program).
-export([main/1]).
main([From, To]) ->
    {ok, Trace} = file:read_file(From),
    ok = file:write_file(To, again(Trace)).

again(<<0, Size:32, Term:Size/binary, Rest/binary>>) ->
    Written = term_to_binary(binary_to_term(Term), [{minor_version, 2}]),
    [<<0, (byte_size(Written)):32>>, Written | again(Rest)];
again(<<>>) -> [].
"""


def test_a_later_otp_writes_atoms_in_another_way(tmp_path: Path) -> None:
    """OTP 26 and later: as `term_to_binary` has it with minor version 2, of which this VM is capable."""
    for name in ("bank", "ring", "pool"):
        folder, out = PROGRAMS / name, tmp_path / f"{name}.adebug"
        request = Request(workspace=folder, program=folder / f"{name}.erl", call=f"{name}:main()")
        Erlang().record(request, out, silent)
        recording = open_erlang(out)
        (tmp_path / "old").write_bytes(recording.trace)
        run_erlang(NEWER, str(tmp_path / "old"), str(tmp_path / "new"), folder=tmp_path)
        trace = (tmp_path / "new").read_bytes()
        assert b"w\x05trace" in trace
        assert b"d\x00\x05trace" not in trace
        later = evolve(recording, trace=trace, events=read_trace(trace))
        old, new = (ErlangSubject(ErlangRun(opened)) for opened in (recording, later))
        assert len(old.tree) == len(new.tree) > 1
        for node in range(len(old.tree)):
            assert old.behaviour(node) == new.behaviour(node)


def test_without_recorded_code_there_is_nothing_to_ask(tmp_path: Path) -> None:
    recorded = record(tmp_path, "-export([main/0]).\nmain() -> ok.\n", "1 + 1")
    assert recorded.ended.message == "1 + 1 = 2"
    with pytest.raises(
        BadInputError, match="no call of a recorded module was recorded, so there is nothing to ask about"
    ):
        recorded.opened.subject(recorded.opened.entries[0])


def test_missing_trace_tools_are_reported_with_packages_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERL_AFLAGS", "-eval code:del_path(runtime_tools).")
    with pytest.raises(BadInputError, match="in the package erlang-runtime-tools; see adebug doctor"):
        record(tmp_path, "-export([main/0]).\nmain() -> ok.\n")


def test_only_some_of_many_errors_are_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as raised:
        record(tmp_path, "-export([main/0]).\nmain() -> [A, B, C, D, E, F].\n")
    assert str(raised.value).count("is unbound") == 4
    assert str(raised.value).endswith("; and 2 more")
