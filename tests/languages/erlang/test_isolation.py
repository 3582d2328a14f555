"""A recorded VM is isolated: no distribution, no socket, empty process dictionaries, and no visible trace port."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.languages.erlang.beam import needs_erlang, run_erlang
from tests.languages.erlang.recorded import record

pytestmark = needs_erlang

LOOK = """
-export([main/1, waits/1]).

main(To) ->
    {Pid, Ref} = spawn_monitor(fun() -> exit({dictionary, get(), get_keys()}) end),
    Of = receive {'DOWN', Ref, process, Pid, Found} -> Found end,
    ok = file:write_file(To, io_lib:format("~0p", [seen() ++ [Of]])).

seen() ->
    step([], 3).

step(Seen, 0) ->
    Seen ++ [looked(), [look(P) || P <- erlang:ports()]];
step(Seen, N) ->
    step([get(), process_info(self(), dictionary) | Seen], N - 1).

looked() ->
    [erlang:is_alive(), is_alive(), node(), nodes(), nodes([visible, hidden, connected]), erlang:get_cookie(),
     net_kernel:get_state(), whereis(net_kernel), whereis(erl_epmd), whereis(auth), get(), get_keys(),
     [name(S) || S <- socket:which_sockets()], [look(P) || P <- erlang:ports(), is_inet(look(P))]].

look(Port) -> erlang:port_info(Port, name).

is_inet({name, Name}) -> lists:suffix("_inet", Name).

name(Socket) -> socket:sockname(Socket).

waits(To) ->
    ok = file:write_file(To ++ ".draft", os:getpid()),
    ok = file:rename(To ++ ".draft", To),
    until(To, 600).

until(To, N) when N > 0 ->
    case filelib:is_regular(To) of
        true -> timer:sleep(100), until(To, N - 1);
        false -> gone
    end.
"""


def test_a_program_sees_the_same_world_recorded_and_bare(tmp_path: Path) -> None:
    bare, recorded = tmp_path / "bare", tmp_path / "recorded"
    run_erlang(f"-module(program).\n{LOOK}".replace("main(To) ->", "main([To]) ->", 1), str(bare), folder=tmp_path)
    ended = record(tmp_path, LOOK, f'program:main("{recorded}")').ended
    assert ended.how == "finished", ended
    text = recorded.read_text(encoding="utf-8")
    assert text == bare.read_text(encoding="utf-8")
    assert text.startswith(
        "[[],{dictionary,[]},[],{dictionary,[]},[],{dictionary,[]},[false,false,nonode@nohost,[],[],"
    )
    assert text.endswith("{dictionary,[],[]}]")
    assert '{name,"forker"}' in text  # there are ports, as in every VM
    assert "trace" not in text


def test_a_vm_that_records_has_no_socket_and_starts_no_daemon(tmp_path: Path) -> None:
    (tmp_path / "program.erl").write_text(f"-module(program).\n{LOOK}", encoding="utf-8")
    pid_file = tmp_path / "pid"
    daemons = processes("epmd")
    command = [sys.executable, "-m", "adebug_lsp", "run", "program.erl", "--call", f'program:waits("{pid_file}")']
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            deadline = time.monotonic() + 60
            while not pid_file.is_file() and running.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
            vm = pid_file.read_text(encoding="utf-8")
            opened = sockets(vm)
        finally:
            pid_file.unlink(missing_ok=True)
            output, _ = running.communicate(timeout=60)
    assert "waits" in output
    assert "= gone" in output
    assert opened == []
    assert processes("epmd") == daemons


def sockets(process: str) -> list[str]:
    """The sockets of the internet that a process has, on a system that tells (Linux)."""
    folder = Path("/proc", process)
    if not sys.platform.startswith("linux"):
        return []
    assert "beam" in (folder / "comm").read_text(encoding="utf-8")
    links = [os.readlink(link) for link in (folder / "fd").iterdir()]
    inodes = {match[1] for link in links if (match := re.fullmatch(r"socket:\[(\d+)\]", link))}
    tables = [folder / "net" / name for name in ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")]
    rows = [line for table in tables if table.is_file() for line in table.read_text(encoding="ascii").splitlines()[1:]]
    return [row for row in rows if row.split()[9] in inodes]


def processes(name: str) -> set[str]:
    """The running programs of a name, by their numbers."""
    return {comm.parent.name for comm in Path("/proc").glob("[0-9]*/comm") if command_of(comm) == name}


def command_of(comm: Path) -> str:
    with suppress(OSError):  # it may have ended
        return comm.read_text(encoding="utf-8").strip()
    return ""
