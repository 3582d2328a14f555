"""The replay: stack, scopes, values, moves both ways, breakpoints, and a whole session in the console."""

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.frontends.dap.live.launch import read_launch
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay import move as replay_moves
from adebug_lsp.frontends.dap.replay.replay import Outside, open_replay
from adebug_lsp.frontends.shared import wording
from adebug_lsp.model.errors import StaleReferenceError
from adebug_lsp.model.transformations import TRANSFORMATIONS
from tests.frontends.dap.client import Client, Message
from tests.support import ROOT
from tests.warm_start import COMMAND

SHOP = """\
def price(name, table):
    return table[name]


def total(names, table):
    amount = 0
    for i in range(len(names)):
        amount += price(names[i], table)
    return amount


def main():
    table = {"lamp": 30, "chair": 40}
    names = ["lamp", "chair", "lamp"]
    numbers = list(range(120))
    names.append(numbers)
    del names[3]
    print(total(names, table), len(numbers))


main()
"""

TOTAL = "total(['lamp', 'chair', 'lamp'], {'lamp': 30, 'chair': 40}) = 100"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """A session at its first question, top-down: `main(): printed 100 120?`."""
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    with Client(tmp_path) as started:
        started.launch(program="shop.py", strategy="top-down")
        assert started.question() == "main(): printed 100 120?"
        yield started
        if started.process.poll() is None:
            assert started.close() == 0


def source(client: Client) -> Message:
    shown: Message = client.top()["source"]
    return shown


def move(client: Client, command: str, **arguments: Any) -> tuple[str, int]:
    """Where a move leads to, and the line that is shown."""
    client.do(command, **(arguments or {"threadId": 1}))
    return client.question(), client.top()["line"]


def set_breakpoints(client: Client, *lines: int) -> list[Message]:
    wanted = [{"line": line} for line in lines]
    placed: list[Message] = client.do("setBreakpoints", source=source(client), breakpoints=wanted)["breakpoints"]
    return placed


def test_a_session_in_the_console_ends_with_a_verdict_and_stays_open(client: Client) -> None:
    assert client.answer("no") == f"{TOTAL}?"
    assert client.answer("yes").startswith("table = ")
    assert client.answer("undo") == f"{TOTAL}?"
    assert "candidates left" in client.do("evaluate", expression="why", context="repl")["result"]
    assert "mark result[1]" in client.do("evaluate", expression="help", context="repl")["result"]
    assert "not an answer" in client.refused("evaluate", expression="perhaps so", context="repl")
    assert client.do("evaluate", expression="quit", context="repl")["result"].startswith("The session is saved")
    assert client.answer("expected 7") == "the loop `for i in range(len(names))` (line 7): amount: 0 -> 100, i = 2?"
    assert client.answer("zoom routine").startswith("price(")
    assert client.answer("trust") == "Bug found after 2 answers, in shop.total"
    assert client.values("Marks") == {"answer": "no", "by": "person", "expected": "7"}
    shown = [m["body"] for m in client.log if m.get("event") == "output" and "shop.py:5:1" in m["body"]["output"]]
    assert [(frame["source"]["name"], frame["line"], frame["column"]) for frame in shown] == [("shop.py", 5, 1)]
    assert "terminated" not in client.events()
    client.close()
    assert client.events()[-2:] == ["exited", "terminated"]


STEPS = """\
def step(total, amount):
    return total + amount


def main():
    total = step(0, 1)
    total = step(total, 2)
    total = step(total, 3)
    total = step(total, 5)
    return total


main()
"""


def test_the_tree_is_transformed_from_the_console(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(STEPS, encoding="utf-8")
    with Client(tmp_path) as client:
        client.launch(program="steps.py", strategy="top-down")
        assert client.question() == "main() = 11?"
        assert client.answer("no") == "step(0, 1) = 1?"
        listed = client.do("evaluate", expression="transform", context="repl")["result"]
        assert [line.split()[0] for line in listed.splitlines()] == [*TRANSFORMATIONS]
        assert "evaluated eagerly" in client.refused("evaluate", expression="transform simplification", context="repl")
        assert client.answer("transform halving") == "2 in a row: step(0, 1) = 1; step(1, 2) = 3?"
        assert client.top()["line"] == 1
        assert client.answer("yes") == "2 in a row: step(3, 3) = 6; step(6, 5) = 11?"
        assert client.answer("undo") == "2 in a row: step(0, 1) = 1; step(1, 2) = 3?"
        assert client.answer("undo") == "step(0, 1) = 1?"
        assert client.close() == 0


def test_the_tree_is_transformed_by_the_launch_configuration(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(STEPS, encoding="utf-8")
    with Client(tmp_path) as client:
        client.launch(program="steps.py", strategy="top-down", transform=["simplification", "halving"])
        assert client.question() == "main() = 11?"
        assert "transform simplification: " in client.output()
        assert client.answer("no") == "2 in a row: step(0, 1) = 1; step(1, 2) = 3?"
        assert client.close() == 0


def test_a_short_answer_that_is_the_name_of_a_value_shows_the_value(client: Client) -> None:
    client.answer("no")
    client.answer("no")
    assert client.do("evaluate", expression="i", context="repl")["result"] == "2"
    assert client.answer("y").startswith("amount = 0")


def test_an_answer_can_be_typed_in_clients_without_a_console(client: Client) -> None:
    """Helix evaluates without a context; Kate's console evaluates watches; hovering never answers."""
    client.do("evaluate", expression="no")
    assert client.question() == f"{TOTAL}?"
    assert client.do("evaluate", expression="names[1]")["result"] == "'chair'"
    assert "not among" in client.refused("evaluate", expression="yes", context="watch")
    assert "cannot be parsed" in client.refused("evaluate", expression="adebug yes", context="hover")
    client.do("evaluate", expression="adebug no", context="watch")
    assert client.question().startswith("the loop `for i in range(len(names))`")


def test_the_stack_is_the_path_in_the_tree_and_comes_in_pages(client: Client) -> None:
    for _ in range(4):
        move(client, "stepIn")
    whole = client.do("stackTrace", threadId=1)
    names = [frame["name"] for frame in whole["stackFrames"]]
    assert names[-3:] == [TOTAL, "main(): printed 100 120", "module shop"]
    assert [frame["line"] for frame in whole["stackFrames"]][-3:] == [5, 12, 1]
    assert whole["totalFrames"] == len(names) == 6
    first = client.do("stackTrace", threadId=1, startFrame=0, levels=1)["stackFrames"]
    rest = client.do("stackTrace", threadId=1, startFrame=1, levels=19)["stackFrames"]
    assert [frame["name"] for frame in (*first, *rest)] == names
    assert client.do("stackTrace", threadId=1, startFrame=50, levels=1)["stackFrames"] == []
    client.send({"type": "request", "command": "threads", "arguments": None})
    assert client.wait(lambda m: m.get("command") == "threads")["success"]


def test_a_frame_has_an_end_if_all_of_it_ran(tmp_path: Path) -> None:
    text = "def pick(n):\n    if n > 3:\n        return 1\n    return 2\n\n\npick(3)\n"
    (tmp_path / "pick.py").write_text(text, encoding="utf-8")
    with Client(tmp_path) as client:
        client.launch(program="pick.py", strategy="top-down")
        assert client.question() == "pick(3) = 2?"
        client.do("stepIn", threadId=1)
        tops = {client.top()["name"]: client.top()}
        for _ in range(2):
            client.do("stepIn", threadId=1)
            tops[client.top()["name"]] = client.top()
        branch = next(top for name, top in tops.items() if name.startswith("`if n > 3`"))
        assert (branch["line"], "endLine" in branch) == (2, False)
        compared = tops["the condition `n > 3` was False"]
        assert (compared["line"], compared["column"], compared["endLine"], compared["endColumn"]) == (2, 8, 2, 13)
        client.close()


def test_values_are_as_they_were_and_come_part_by_part(client: Client) -> None:
    set_breakpoints(client, 16, 17)
    move(client, "continue")
    frame = client.top()["id"]
    assert client.values("Before", frame)["names"] == "['lamp', 'chair', 'lamp']"
    after = client.do(
        "variables", variablesReference=client.do("scopes", frameId=frame)["scopes"][1]["variablesReference"]
    )
    (names,) = after["variables"]
    assert (names["name"], names["type"], names["evaluateName"]) == ("names", "list", "after.names")
    assert (names["indexedVariables"], names["presentationHint"]) == (4, {"attributes": ["readOnly"]})
    reference = names["variablesReference"]
    page = client.do("variables", variablesReference=reference, filter="indexed", start=1, count=2)["variables"]
    assert [(variable["name"], variable["value"], variable["evaluateName"]) for variable in page] == [
        ("[1]", "'chair'", "after.names[1]"),
        ("[2]", "'lamp'", "after.names[2]"),
    ]
    assert client.do("variables", variablesReference=reference, filter="named")["variables"] == []
    assert client.do("evaluate", expression="names[3][2]", frameId=frame, context="hover")["result"] == "2"
    assert client.do("evaluate", expression=" names ", frameId=frame, context="watch")["result"].startswith(
        "['lamp', 'cha"
    )
    for wrong in ("names[9]", "nobody", "max(names)", ""):
        assert client.refused("evaluate", expression=wrong, frameId=frame, context="watch")
    move(client, "continue")
    assert "variablesReference" in client.refused("variables", variablesReference=reference)
    assert client.values("After")["names"] == "['lamp', 'chair', 'lamp']"


def test_an_error_for_a_stale_reference_is_not_shown_to_the_user(client: Client) -> None:
    frame = client.top()["id"]
    client.answer("no")
    assert client.do("scopes", frameId=frame) == {"scopes": []}
    refused = client.ask("evaluate", expression="names", frameId=frame, context="watch")
    assert refused["message"] == "frameId: stale, the replay has moved on"
    error = refused["body"]["error"]
    assert not error["showUser"]
    assert (error["id"], error["variables"]["slug"]) == (StaleReferenceError.code, "stale")
    assert error["format"].format(**error["variables"]) == "frameId: stale, the replay has moved on [stale]"
    assert not client.ask("adebug/path", frameId=frame)["body"]["error"]["showUser"]
    assert client.ask("adebug/strategy", strategy="guess")["body"]["error"]["showUser"]


def test_a_large_value_is_shown_in_full_page_by_page(tmp_path: Path) -> None:
    text = (
        "class Bag(list):\n    pass\n\n"
        "def make():\n    bag = Bag(range(5000))\n    bag.label = 'all'\n    bag[4321] = 'here'\n"
        "    table = {n: [n] for n in range(1500)}\n    return [bag, table]\n\nx = make()\nx[0][4321] = 'gone'\n"
    )
    (tmp_path / "large.py").write_text(text, encoding="utf-8")
    with Client(tmp_path) as client:
        client.launch(program="large.py", strategy="top-down")
        assert client.question() == "make():"
        result = client.do("evaluate", expression="result", context="watch")["variablesReference"]
        bag, table = client.do("variables", variablesReference=result)["variables"]
        assert (bag["indexedVariables"], bag["namedVariables"]) == (5000, 1)
        page = {"variablesReference": bag["variablesReference"], "filter": "indexed"}
        shown = client.do("variables", **page, start=4320, count=3)["variables"]
        assert [(variable["name"], variable["value"], variable["evaluateName"]) for variable in shown] == [
            ("[4320]", "4320", "result[0][4320]"),
            ("[4321]", "'here'", "result[0][4321]"),
            ("[4322]", "4322", "result[0][4322]"),
        ]
        assert len(client.do("variables", **page, start=4990, count=100)["variables"]) == 10
        (label,) = client.do("variables", variablesReference=bag["variablesReference"], filter="named")["variables"]
        assert (label["name"], label["value"]) == ("label", "'all'")
        first = client.do("variables", variablesReference=table["variablesReference"])["variables"]
        assert (len(first), first[999]["name"], first[-1]["value"]) == (1001, "999", "500 more")
        rest = client.do("variables", variablesReference=first[-1]["variablesReference"])["variables"]
        assert (len(rest), rest[-1]["name"], rest[-1]["value"]) == (500, "1499", "[1499]")
        client.close()


def test_steps_go_over_the_tree_both_ways(client: Client) -> None:
    loop = "the loop `for i in range(len(names))` (line 7): amount: 0 -> 100, i = 2"
    iteration = "iteration {} of `for i in range(len(names))` (line 7): amount: {}"
    assert move(client, "stepIn") == (TOTAL, 5)
    assert move(client, "stepIn") == (loop, 7)
    assert move(client, "stepIn")[0].startswith("iterations 1 to 2")
    assert move(client, "stepIn") == (iteration.format(1, "0 -> 30"), 7)
    assert move(client, "stepIn") == ("price('lamp', {'lamp': 30, 'chair': 40}) = 30", 1)
    assert move(client, "stepIn") == ("table[name] = 30", 2)
    assert move(client, "stepBack") == ("price('lamp', {'lamp': 30, 'chair': 40}) = 30", 1)
    assert move(client, "next") == (iteration.format(1, "0 -> 30"), 7)
    assert move(client, "next") == (iteration.format(2, "30 -> 70"), 7)
    assert move(client, "stepBack") == ("price('lamp', {'lamp': 30, 'chair': 40}) = 30", 1)
    assert move(client, "stepOut") == (iteration.format(1, "0 -> 30"), 7)
    for _ in range(5):
        move(client, "stepBack")
    assert move(client, "stepBack") == ("module shop", 1)
    assert move(client, "next") == ("module shop", 1)
    assert move(client, "continue") == ("main(): printed 100 120?", 12)
    move(client, "stepIn")
    frames = client.do("stackTrace", threadId=1)["stackFrames"]
    assert move(client, "restartFrame", frameId=frames[1]["id"]) == ("main(): printed 100 120", 12)


def test_breakpoints_are_hit_in_the_order_of_the_run_and_backwards(client: Client) -> None:
    breakpoints = set_breakpoints(client, 9, 8, 1, 3)
    assert [line_one["verified"] for line_one in breakpoints] == [True, True, True, False]
    nine, eight, line_one = (hit["id"] for hit in breakpoints[:3])
    hits = []
    for _ in range(7):
        client.do("continue", threadId=1)
        hits += client.event("stopped")["hitBreakpointIds"]
    assert hits == [eight, line_one, eight, line_one, eight, line_one, nine]
    assert client.top()["line"] == 9
    assert move(client, "continue") == ("main(): printed 100 120?", 12)
    client.do("goto", threadId=1, targetId=client.do("gotoTargets", source=source(client), line=9)["targets"][0]["id"])
    assert client.event("stopped")["reason"] == "goto"
    back = []
    for _ in range(6):
        client.do("reverseContinue", threadId=1)
        back += client.event("stopped")["hitBreakpointIds"]
    assert back == [line_one, eight, line_one, eight, line_one, eight]
    assert client.values("Before")["amount"] == "0"
    assert move(client, "reverseContinue") == ("module shop", 1)
    set_breakpoints(client)
    assert move(client, "continue") == ("main(): printed 100 120?", 12)


def conditional(client: Client, **wanted: Any) -> Message:
    placed: list[Message] = client.do("setBreakpoints", source=source(client), breakpoints=[wanted])["breakpoints"]
    assert len(placed) == 1
    return placed[0]


@pytest.mark.parametrize(
    ("wanted", "changes"),
    [
        ({"condition": "i == 1"}, ["30 -> 70"]),
        ({"condition": "amount >= 30 and not i % 2"}, ["70 -> 100"]),
        ({"condition": "names[1] == 'chair' and len(names) == 3"}, ["0 -> 30", "30 -> 70", "70 -> 100"]),
        ({"condition": "table['lamp'] in (30, 31) and i != 0"}, ["30 -> 70", "70 -> 100"]),
        ({"condition": "names[i] == 'lamp' and table[names[i]] == 30"}, ["0 -> 30", "70 -> 100"]),
        ({"condition": "nobody == 1 or i / 0 == 2"}, []),
        ({"hitCondition": "2"}, ["30 -> 70"]),
        ({"hitCondition": "% 2"}, ["30 -> 70"]),
        ({"hitCondition": ">= 2"}, ["30 -> 70", "70 -> 100"]),
        ({"hitCondition": "2", "condition": "i > 0"}, ["70 -> 100"]),
    ],
)
def test_conditions_are_decided_by_recorded_values(client: Client, wanted: dict[str, str], changes: list[str]) -> None:
    assert conditional(client, line=8, **wanted)["verified"]
    forth, back = [], []
    while (stop := move(client, "continue"))[1] == 8:
        forth.append(stop[0].rpartition("amount: ")[2])
    assert stop == ("main(): printed 100 120?", 12)
    assert forth == changes
    client.do("goto", threadId=1, targetId=client.do("gotoTargets", source=source(client), line=9)["targets"][0]["id"])
    client.question()
    while (stop := move(client, "reverseContinue"))[1] == 8:
        back.append(stop[0].rpartition("amount: ")[2])
    assert (stop, back) == (("module shop", 1), changes[::-1])


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"condition": "price('lamp', table) > 3"}, "price('lamp', table)"),
        ({"condition": "i =="}, "cannot be parsed"),
        ({"condition": "[x for x in names]"}, "recorded values"),
        ({"condition": "names[0:1] == ['lamp']"}, "0:1"),
        ({"condition": "names[len(main())] == 'lamp'"}, "main()"),
        ({"condition": "2 ** 99999999 > 1"}, "recorded values"),
        ({"hitCondition": "often"}, "a number"),
        ({"hitCondition": "% 0"}, "a number"),
    ],
)
def test_a_condition_that_would_run_code_is_refused(client: Client, wanted: dict[str, str], message: str) -> None:
    breakpoint_ = conditional(client, line=8, **wanted)
    assert not breakpoint_["verified"]
    assert message in breakpoint_["message"]
    assert move(client, "continue") == ("main(): printed 100 120?", 12)


def test_a_search_for_a_true_condition_pauses_after_its_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_moves, "SEARCH_SECONDS", 0.0)
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    recording = tmp_path / "kept"
    record = [*COMMAND, "record", "-o", str(recording), "shop.py"]
    subprocess.run(record, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    outside = Outside(threading.Event(), lambda *_: None)
    replay = open_replay(recording, read_launch({"recording": "kept"}), {}, outside, lambda *_: None, pytest.fail)
    wanted = {"source": {"path": str(tmp_path / "shop.py")}, "breakpoints": [{"line": 8, "condition": "i > 1"}]}
    replay_moves.set_breakpoints(replay, Arguments.of(wanted))
    replies = [replay_moves.continue_(replay, Arguments.of(None)).events for _ in range(3)]
    assert [body.get("hitBreakpointIds") for *_, (_, body) in replies] == [[], [], [1]]
    shown = [str(body["output"]) for events in replies[:2] for name, body in events if name == "output"]
    assert [wording.STILL_LOOKING in output for output in shown] == [True] * 2
    replay.close()


def test_log_points_write_what_was_recorded_and_do_not_stop(client: Client) -> None:
    conditional(client, line=8, logMessage="{i}: {names[0]} at {amount}, {nobody}", condition="i < 2")
    assert move(client, "continue") == ("main(): printed 100 120?", 12)
    logged = [m["body"] for m in client.log if m.get("event") == "output" and "lamp' at" in m["body"]["output"]]
    assert [event["output"] for event in logged] == [
        f"{i}: 'lamp' at {amount}, {{nobody is not known here}}\n" for i, amount in ((0, 0), (1, 30))
    ]
    assert {(event["source"]["name"], event["line"]) for event in logged} == {("shop.py", 8)}


def test_a_variable_that_the_question_does_not_show_can_be_looked_up(client: Client) -> None:
    (target,) = client.do("gotoTargets", source=source(client), line=9)["targets"]
    assert move(client, "goto", threadId=1, targetId=target["id"])[1] == 9
    assert set(client.values("Before")) == {"amount"}
    assert client.do("evaluate", expression="i", context="hover")["result"] == "2"
    for context in ("watch", "hover", "repl"):
        assert client.do("evaluate", expression="table['chair']", context=context)["result"] == "40"
    for text, value in {"names[i]": "'lamp'", "amount + len(names)": "103", "i > 1 and not amount": "False"}.items():
        assert client.do("evaluate", expression=text, context="watch")["result"] == value
    assert "not an answer" in client.refused("evaluate", expression="numbers", context="repl")
    for text, why in {
        "price('lamp', table)": "this cannot be decided from recorded values: price('lamp', table)",
        "len(nobody) > 2": "len(nobody) > 2 has no recorded value here",
        "names[": "cannot be parsed: names[",
    }.items():
        assert client.refused("evaluate", expression=text, context="watch") == why


def test_a_line_after_a_recursive_call_is_hit_from_the_inside_out(tmp_path: Path) -> None:
    path = tmp_path / "sums.py"
    path.write_text(
        "def f(n):\n    if n == 0:\n        return 0\n    r = f(n - 1)\n    return r + n\n\nf(3)\n", encoding="utf-8"
    )
    with Client(tmp_path) as client:
        client.launch(program="sums.py", noDebug=True, breakpoints={path: [5]})
        client.question()
        while move(client, "stepBack") != ("module sums", 1):
            pass
        forth, back = [], []
        for _ in range(3):
            assert move(client, "continue")[1] == 5
            forth.append(client.values("Before")["n"])
        for _ in range(2):
            assert move(client, "reverseContinue")[1] == 5
            back.append(client.values("Before")["n"])
        assert (forth, back) == (["1", "2", "3"], ["2", "1"])
        assert move(client, "reverseContinue") == ("module sums", 1)
        client.close()


def test_a_line_that_was_executed_once_in_thousands_of_calls_is_found(tmp_path: Path) -> None:
    path = tmp_path / "rare.py"
    path.write_text(
        "def f(n):\n    if n == 2990:\n        n = 0\n    if n < 0:\n        n = 1\n    return n\n\n"
        "for i in range(3000):\n    f(i)\n",
        encoding="utf-8",
    )
    with Client(tmp_path) as client:
        client.launch(program="rare.py", noDebug=True, breakpoints={path: [3, 5]})
        changed = [client.event("breakpoint")["breakpoint"] for _ in range(2)]
        assert [breakpoint_["verified"] for breakpoint_ in changed] == [True, False]
        client.question()
        (target,) = client.do("gotoTargets", source=source(client), line=3)["targets"]
        assert move(client, "goto", threadId=1, targetId=target["id"]) == ("n = 0: n = 0", 3)
        client.close()


def test_a_line_offers_its_executions(client: Client) -> None:
    targets = client.do("gotoTargets", source=source(client), line=8)["targets"]
    assert [target["label"] for target in targets] == [
        f"amount += price(names[i], table): amount: {change}" for change in ("0 -> 30", "30 -> 70", "70 -> 100")
    ]
    assert move(client, "goto", threadId=1, targetId=targets[1]["id"]) == (targets[1]["label"], 8)
    assert "targetId" in client.refused("goto", threadId=1, targetId=9999)
    assert "raised no exception" in client.refused("exceptionInfo", threadId=1)


def test_going_back_is_offered_only_when_the_replay_begins(client: Client) -> None:
    initialized = next(m["body"] for m in client.log if m.get("command") == "initialize")
    assert "supportsStepBack" not in initialized
    (event,) = [m for m in client.log if m.get("event") == "capabilities"]
    assert event["body"]["capabilities"]["supportsStepBack"]
    assert event["body"]["capabilities"]["supportsRestartFrame"]
    assert client.events().index("capabilities") < client.events().index("stopped")
    assert [source["name"] for source in client.do("loadedSources")["sources"]] == ["shop.py"]


def test_custom_events_are_sent_only_on_request(client: Client) -> None:
    client.answer("no")
    assert not [name for name in client.events() if name.startswith("adebug/")]


def test_lines_and_columns_are_zero_based_for_zero_based_clients(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    with Client(tmp_path, linesStartAt1=False, columnsStartAt1=False) as client:
        client.launch(program="shop.py", strategy="top-down", breakpoints={tmp_path / "shop.py": [7]}, noDebug=True)
        assert client.question() == "main(): printed 100 120?"
        assert (client.top()["line"], client.top()["column"]) == (11, 0)
        assert move(client, "continue") == ("amount += price(names[i], table): amount: 0 -> 30", 7)
        client.close()


def test_places_are_mapped_to_the_edited_file(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    assert (client.top()["line"], client.answer("no"), client.top()["line"]) == (12, f"{TOTAL}?", 5)
    edited = SHOP.replace("    amount = 0\n", "    amount = 0\n    # new\n").replace("names[i], table", "names[i], 3")
    path.write_text(f"# 𝔫ew\n\n{edited}", encoding="utf-8")
    frames = client.do("stackTrace", threadId=1)["stackFrames"]
    assert [frame["line"] for frame in frames] == [7, 15, 3]
    assert [breakpoint_["verified"] for breakpoint_ in set_breakpoints(client, 7, 9, 11, 12)] == [
        True,
        False,
        False,
        True,
    ]
    assert move(client, "continue") == ("return amount: returned 100", 12)
    (target,) = client.do("gotoTargets", source={"path": str(path)}, line=8)["targets"]
    assert target["line"] == 8
    assert move(client, "goto", threadId=1, targetId=target["id"]) == ("amount = 0: amount = 0", 8)
    path.write_text(SHOP, encoding="utf-8")
    assert client.top()["line"] == 6
    path.unlink()
    assert client.top()["source"]["sourceReference"] == 1
