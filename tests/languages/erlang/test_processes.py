"""Processes, steps and messages: reconstructed from real runs, asked about, followed across processes."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from adebug_lsp.frontends.shared.sequence_diagram import as_svg, as_text
from adebug_lsp.languages.erlang.questions.process_questions import BlockedProcess
from adebug_lsp.languages.erlang.reading.processes import Step
from adebug_lsp.languages.erlang.reading.trace import VM_EVENT
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.kinds import NodeKind
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.recorded import Recorded, record
from tests.support import ROOT
from tests.warm_start import COMMAND

pytestmark = needs_erlang

ADDER = """
-export([main/0, adder/1]).
main() ->
    Adder = spawn(?MODULE, adder, [0]),
    Adder ! {add, 5},
    Adder ! {add, twice(4)},
    Adder ! {get, self()},
    receive {sum, Sum} -> Sum end.
twice(N) -> N * 2.
adder(Sum) ->
    receive
        {add, N} -> adder(plus(Sum, N));
        {get, From} -> From ! {sum, Sum}
    end.
plus(A, B) -> A - B.
"""
SERVER = """
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    gen_server:cast(Pid, {push, 1}),
    {ask(Pid, 2), ask(Pid, 3)}.
ask(Pid, N) -> gen_server:call(Pid, {push, N}).
init(Items) -> {ok, Items}.
handle_call({push, N}, _From, Items) -> {reply, length(Items) + 1, [N | Items]}.
handle_cast({push, N}, Items) -> {noreply, [N | Items]}.
"""
MACHINE = """
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, off/3, on/3, handle_event/4]).
main() ->
    {ok, Pid} = gen_statem:start(?MODULE, 0, []),
    {press(Pid), press(Pid)}.
press(Pid) -> gen_statem:call(Pid, press).
callback_mode() -> %s.
init(N) -> {ok, off, N}.
off({call, From}, press, N) -> {next_state, on, N + 1, [{reply, From, N + 1}]}.
on({call, From}, press, N) -> {next_state, off, N + 1, [{reply, From, N + 1}]}.
handle_event({call, From}, press, State, N) -> {next_state, change(State), N + 1, [{reply, From, N + 1}]}.
change(on) -> off;
change(off) -> on.
"""
CONCURRENT = (
    "late_reply",
    "linked_crash",
    "map_reduce",
    "philosophers",
    "ring",
    "reply_order",
    "tcp_two",
)


def named(recorded: Recorded) -> list[str]:
    """The tree, with the processes called A, B, ... as they come."""
    names: dict[str, str] = {}
    letters = iter("ABCDEFGH")

    def name(match: re.Match[str]) -> str:
        return names.setdefault(match[0], names.get(match[0]) or next(letters))

    return [re.sub(r"<0\.\d+\.\d+>", name, line) for line in recorded.tree]


def test_a_process_is_asked_about_in_steps_from_message_to_message(tmp_path: Path) -> None:
    recorded = record(tmp_path, ADDER)
    assert named(recorded) == [
        "program:main() = -13",
        "  process A, main(), took {sum,-13}, sent {add,5} to B, {add,8} to B, {get,A} to B and ended with -13",
        "    process A began with main(), sent {add,5} to B, sent {add,8} to B, sent {get,A} to B,"
        " started B, program:adder(0) and waits for a message at line 9 with Adder = B",
        "      twice(4) = 8",
        "    process A, with Adder = B, took {sum,-13} from B at line 9 and ended with -13",
        "  process B, adder(0), took {add,5}, {add,8}, {get,A}, sent {sum,-13} to A and ended with {sum,-13}",
        "    process B began with adder(0) and waits for a message at line 12 with Sum = 0",
        "    process B, with Sum = 0, took {add,5} from A at line 12 and waits for a message at line 12 with Sum = -5",
        "      plus(0, 5) = -5",
        "    process B, with Sum = -5, took {add,8} from A at line 12"
        " and waits for a message at line 12 with Sum = -13",
        "      plus(-5, 8) = -13",
        "    process B, with Sum = -13, took {get,A} from A at line 12, sent {sum,-13} to A and ended with {sum,-13}",
    ]


def test_a_wrong_message_or_variable_is_followed_to_where_it_was_sent_or_bound(tmp_path: Path) -> None:
    subject = record(tmp_path, ADDER).subject
    texts = [subject.behaviour(node).text for node in range(len(subject.tree))]
    last = next(node for node, text in enumerate(texts) if "took {sum,-13} from" in text)
    dependences = subject.dependences
    assert dependences is not None
    sent = dependences.trace(last, Mark(MarkOf.ARGUMENT, ("message",)))
    assert sent is not None
    assert "took {get," in texts[sent.origin]
    bound = dependences.trace(sent.origin, Mark(MarkOf.ARGUMENT, ("Sum",)))
    assert bound is not None
    assert "took {add,8}" in texts[bound.origin]
    before = dependences.trace(bound.origin, Mark(MarkOf.ARGUMENT, ("message",)))
    assert before is not None
    assert "began with main()" in texts[before.origin]
    assert sent.origin not in bound.influencers - {bound.origin}


def test_callbacks_of_a_server_are_below_the_call_that_made_the_request(tmp_path: Path) -> None:
    tree = [re.sub(r"<0\.\d+\.\d+>", "P", line) for line in record(tmp_path, SERVER).tree]
    tree = [re.sub(r"\{P,\[alias.*?\]\}", "From", line) for line in tree]
    assert tree == [
        "main() = {2,3}",
        "  init([]) = {ok,[]}",
        "  ask(P, 2) = 2",
        "    handle_call({push,2}, From, [1]) = {reply,2,[2,1]}",
        "  handle_cast({push,1}, []) = {noreply,[1]}",
        "  ask(P, 3) = 3",
        "    handle_call({push,3}, From, [2,1]) = {reply,3,[3,2,1]}",
    ]


@pytest.mark.parametrize(
    ("mode", "first", "second"),
    [
        (
            "handle_event_function",
            "handle_event({call,From}, press, off, 0)",
            "handle_event({call,From}, press, on, 1)",
        ),
        ("state_functions", "off({call,From}, press, 0)", "on({call,From}, press, 1)"),
    ],
)
def test_callbacks_of_a_state_machine_are_below_the_call_that_made_the_request(
    tmp_path: Path, mode: str, first: str, second: str
) -> None:
    tree = [re.sub(r"<0\.\d+\.\d+>", "P", line) for line in record(tmp_path, MACHINE % mode).tree]
    tree = [re.sub(r"\{P,(?:\[alias.*?\]|#Ref<[\d.]+>)\}", "From", line) for line in tree]
    assert [line.partition(" = ")[0] for line in tree if "change(" not in line] == [
        *("main()", "  init(0)", "  callback_mode()"),
        *("  press(P)", f"    {first}", "  press(P)", f"    {second}"),
    ]


def test_a_wrong_state_leads_to_the_callback_before_and_a_wrong_request_to_its_caller(tmp_path: Path) -> None:
    subject = record(tmp_path, SERVER).subject
    texts = [subject.behaviour(node).text for node in range(len(subject.tree))]
    last = next(node for node, text in enumerate(texts) if text.startswith("handle_call({push,3}"))
    dependences = subject.dependences
    assert dependences is not None
    state = dependences.trace(last, Mark(MarkOf.ARGUMENT, ("Items",)))
    request = dependences.trace(last, Mark(MarkOf.ARGUMENT, ("argument 1",)))
    assert state is not None
    assert request is not None
    assert texts[state.origin].startswith("handle_call({push,2}")
    assert texts[request.origin].startswith("ask(")
    first = next(node for node, text in enumerate(texts) if text.startswith("init("))
    started = dependences.trace(first, Mark(MarkOf.ARGUMENT, ("Items",)))
    assert started is not None
    assert texts[started.origin].startswith("main()")


def test_messages_received_by_a_library_are_not_pending(tmp_path: Path) -> None:
    program = """
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    one = gen_server:call(Pid, one),
    self() ! {other, 1},
    receive done -> ok end.
init(State) -> {ok, State}.
handle_call(Request, _From, State) -> {reply, Request, State}.
handle_cast(_, State) -> {noreply, State}.
"""
    subject = record(tmp_path, program, timeout=0.4).subject
    blocked = next(node for node in range(len(subject.tree)) if isinstance(subject.item(node), BlockedProcess))
    assert subject.behaviour(blocked).text.endswith(" and takes none of {other,1}")


def test_a_deadlock_is_reported_with_the_position_of_each_process(tmp_path: Path) -> None:
    program = """
-export([main/0, other/1]).
main() ->
    Pid = spawn(?MODULE, other, [self()]),
    receive {Pid, ready} -> Pid ! go end.
other(Main) ->
    receive go -> Main ! {self(), ready} end.
"""
    recorded = record(tmp_path, program, timeout=0.3)
    message = re.sub(r"<0\.\d+\.\d+>", "P", recorded.opened.ended.message)
    assert message == "program:main() did not end in time: every process waits for a message, P at line 6, P at line 8"
    busy = "-export([main/0]).\nmain() -> receive nothing -> ok after 10 -> main() end.\n"
    recorded = record(tmp_path, busy, timeout=0.3)
    message = re.sub(r"<0\.\d+\.\d+>", "P", recorded.ended.message)
    assert message == "program:main() did not end in time: still at work: P in program:main/0"


def test_a_livelock_is_reported(tmp_path: Path) -> None:
    program = """
-export([main/0]).
main() -> Pid = spawn(fun() -> echo() end), Pid ! {self(), ping}, echo().
echo() -> receive {From, What} -> From ! {self(), What} end, echo().
"""
    message = re.sub(r"<0\.\d+\.\d+>", "P", record(tmp_path, program, timeout=0.3).ended.message)
    assert message.startswith("program:main() did not end in time: ")
    assert "P in program:echo/0" in message or "every process waits" in message


LINKED = """
-export([main/0]).
main() ->
    {Pid, Ref} = spawn_monitor(fun() -> boss() end),
    receive {'DOWN', Ref, process, Pid, Why} -> Why end.
boss() ->
    Pid = spawn_link(fun() -> worker() end),
    Pid ! go,
    receive never -> ok end.
worker() -> receive go -> exit(tired) end.
"""


def test_links_and_exit_signals_are_drawn(tmp_path: Path) -> None:
    recorded = record(tmp_path, LINKED)
    drawn = recorded.opened.diagram(recorded.subject)
    assert drawn is not None
    arrows = [(arrow.kind.name, arrow.source, arrow.target, arrow.text) for arrow in drawn.arrows]
    assert ("LINK", 1, 2, "") in arrows
    assert arrows[-3:-1] == [("END", 2, -1, "tired"), ("EXIT", 2, 1, "tired")]
    assert arrows[-1][:3] == ("SIGNAL", 1, 0)
    assert drawn.lanes[1].text.endswith(", where it was ended with tired")
    text = "\n".join(as_text(drawn))
    assert "2 is linked with 3" in text
    assert "the end of 3 ends 2, which is linked with it: tired" in text
    assert 'stroke-dasharray="1 5"' in as_svg(drawn)


def test_messages_that_a_process_never_receives_are_asked_about(tmp_path: Path) -> None:
    program = """
-export([main/0]).
main() ->
    self() ! {value, 1, extra},
    receive {value, V} -> V end.
"""
    recorded = record(tmp_path, program, timeout=0.3)
    subject = recorded.subject
    blocked = next(node for node in range(len(subject.tree)) if isinstance(subject.item(node), BlockedProcess))
    assert subject.behaviour(blocked).text.endswith("waits at line 6 and takes none of {value,1,extra}")
    (where,) = subject.code(blocked)
    assert recorded.opened.run.text(where) == "receive {value, V} -> V end"
    dependences = subject.dependences
    assert dependences is not None
    sent = dependences.trace(blocked, Mark(MarkOf.ARGUMENT, ("not taken 1",)))
    assert sent is not None
    assert "began with main()" in subject.behaviour(sent.origin).text


@pytest.fixture(scope="module", params=CONCURRENT)
def concurrent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A run of each of these programs."""
    name = str(request.param)
    text = (ROOT / "tests" / "programs_erlang" / name / f"{name}.erl").read_text(encoding="utf-8")
    return record(tmp_path_factory.mktemp(name), text.replace(f"-module({name}).", ""), timeout=0.5)


def test_every_event_lies_in_one_step_and_every_call_in_at_most_one(concurrent: Recorded) -> None:
    run, subject = concurrent.opened.run, concurrent.subject
    events, processes = run.recording.events, run.processes
    for event in range(len(events)):
        if events.kind[event] != VM_EVENT:
            step = processes.step_at(events.process[event], event)
            assert step is not None
            assert step.first <= event <= step.last
    for process in processes.all:
        for before, after in zip(process.steps, process.steps[1:], strict=False):
            assert before.last < after.first
        for step in process.steps:
            message = step.message
            if message is not None and message.sent >= 0:
                assert message.sent < step.took
                assert events.process[message.sent] == message.sender
    asked = [subject.item(node) for node in range(len(subject.tree))]
    frames = {item for item in asked if isinstance(item, int)}
    spread = {frame for process in processes.all for step in process.steps for frame in step.open}
    assert frames | spread == set(range(len(run.frames)))
    assert not frames & spread
    steps = [item for item in asked if isinstance(item, Step)]
    assert len(steps) == sum(step.whole < 0 for process in processes.all for step in process.steps)


def test_messages_between_two_processes_are_taken_from_those_that_were_sent(concurrent: Recorded) -> None:
    processes = concurrent.opened.run.processes
    sent = [message for process in processes.all for step in process.steps for message in step.sent]
    taken = [step.message for process in processes.all for step in process.steps if step.message is not None]
    assert taken
    assert len({id(message) for message in taken}) == len(taken)
    for message in taken:
        if message.sent >= 0:
            assert any(message is candidate for candidate in sent)


def dialogue(folder: Path, name: str, call: str, answers: list[str], *options: str) -> list[str]:
    """The questions that are asked, each on its line, and the end."""
    shutil.copytree(ROOT / "tests" / "programs_erlang" / name, folder / name)
    (folder / name / "answers").write_text("\n".join(answers) + "\n", encoding="utf-8")
    command = [
        *COMMAND,
        "run",
        *options,
        "--answers",
        "answers",
        f"{name}.erl",
        "--call",
        call,
    ]
    done = subprocess.run(command, cwd=folder / name, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    asked = [line.partition("?    at ")[0] for line in lines if line[:1].isdigit() and "?    at " in line]
    return [*asked, *(line for line in lines if line.startswith("Bug found")), lines[lines.index(asked_end(lines)) + 1]]


def asked_end(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("  ") and " is wrong, and everything" in line)


def test_the_first_bug_of_the_handshake_is_the_step_that_ends_the_server(tmp_path: Path) -> None:
    answers = ["0", "3", "0", "6"]
    options = ("--strategy", "process-directed", "--granularity", "routine", "--timeout", "0.5")
    lines = dialogue(tmp_path, "tcp_one", "tcp_one:main()", answers, *options)
    masked = [re.sub(r"<0\.\d+\.\d+>|#Ref<[\d.]+>", "_", line) for line in lines]
    assert masked == [
        "1. process _, main(), took {'DOWN',_,process,_,normal} and waits for a message at line 12"
        " with ServerPid = _, Monitor = _, where none came that it takes",
        "2. process _, server_fun(_, 50, 500), took {_,{syn,57,100}}, sent rst to _ and ended with rst",
        "3. process _ began with server_fun(_, 50, 500) and waits for a message at line 17"
        " with MainPid = _, Port = 50, Seq = 500",
        "4. process _, with MainPid = _, Port = 50, Seq = 500, took {_,{syn,57,100}} from _ at line 17,"
        " sent rst to _ and ended with rst",
        "Bug found after 4 answers, in tcp_one.server_fun/3",
        "  tcp_one.erl:22:9",
    ]


def test_the_diagram_shows_who_started_whom_and_who_sent_what(tmp_path: Path) -> None:
    recorded = record(tmp_path, ADDER)
    subject = recorded.subject
    diagram = recorded.opened.diagram(subject)
    assert diagram is not None
    lines = [re.sub(r"<0\.\d+\.\d+>", "P", line) for line in as_text(diagram)]
    assert lines == [
        "processes, each below the one that started it",
        " 1   1 P main() ended with -13",
        " 5     2 P adder(0) ended with {sum,-13}",
        "",
        "events between processes",
        "   1 2",
        " 2 o->  1 starts P program:adder(0)",
        " 2 o->  1 sends {add,5} to 2",
        " 2 o->  1 sends {add,8} to 2",
        " 2 o->  1 sends {get,P} to 2",
        "11 <-o  2 sends {sum,-13} to 1",
    ]
    kinds = {subject.tree.facts(arrow.node).kind for arrow in diagram.arrows}
    assert kinds == {NodeKind.PROCESS_STEP}
    picture = ET.fromstring(as_svg(diagram))
    nodes = [element.get("data-node") for element in picture.iter() if element.get("data-node")]
    assert nodes == ["1", "5", "2", "2", "2", "2", "11"]
    created = [element[0].text for element in picture.iter() if element.get("class") == "creation"]
    assert created == ["1 starts 2"]


def test_a_long_chain_of_processes_is_drawn(tmp_path: Path) -> None:
    program = """
-export([main/0, link_of/2]).
main() ->
    spawn(?MODULE, link_of, [1500, self()]),
    receive done -> ok end.
link_of(0, Main) -> Main ! done;
link_of(N, Main) -> spawn(?MODULE, link_of, [N - 1, Main]).
"""
    recorded = record(tmp_path, program)
    diagram = recorded.opened.diagram(recorded.subject)
    assert diagram is not None
    assert len(diagram.lanes) == 1502
    assert sum("starts" in line for line in as_text(diagram)) == 1501
    assert as_text(diagram, 10)[-1] == f"... and {len(diagram.arrows) - 10} events more"
    picture = as_svg(diagram)
    assert picture.count("<line ") < 500
    assert "events more</text>" in picture


def test_the_diagram_names_the_messages_between_a_server_and_its_callers(tmp_path: Path) -> None:
    recorded = record(tmp_path, SERVER)
    diagram = recorded.opened.diagram(recorded.subject)
    assert diagram is not None
    lines = [line.partition("  ")[2] for line in as_text(diagram)]
    lines = [line for line in lines if "call" in line or "cast" in line or "reply" in line]
    assert lines == [
        "1 sends cast {push,1} to 2",
        "1 sends call {push,2} to 2",
        "2 sends reply 2 to 1",
        "1 sends call {push,3} to 2",
        "2 sends reply 3 to 1",
    ]


def test_references_are_distinct_and_printed_as_by_erlang(tmp_path: Path) -> None:
    program = """
-export([main/0, shown/1]).
main() -> [shown(make_ref()), shown(make_ref()), shown(hd(erlang:ports()))].
shown(Term) -> lists:flatten(io_lib:format("~p", [Term])).
"""
    tree = record(tmp_path, program).tree[1:]
    matches = [re.fullmatch(r'  shown\((#\w+<[\d.]+>)\) = "(.*)"', line) for line in tree]
    assert len(matches) == 3
    assert all(match is not None and match[1] == match[2] for match in matches), tree
    assert len(set(tree)) == 3
