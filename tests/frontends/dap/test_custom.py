"""The custom requests and events, each message checked against our schema."""

from pathlib import Path
from typing import Any

from adebug_lsp.store.store import Store
from tests.frontends.dap.client import Client
from tests.frontends.dap.conftest import Start
from tests.frontends.dap.test_replay import SHOP, TOTAL


def begin(start: Start, workspace: Path, **configuration: Any) -> Client:
    (workspace / "shop.py").write_text(SHOP, encoding="utf-8")
    client = start()
    client.launch(program="shop.py", customEvents=True, **{"strategy": "top-down", **configuration})
    assert client.event("adebug/question")["text"] == "main(): printed 100 120"
    return client


def test_a_session_by_requests_and_events(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    first = client.do("adebug/verdict")
    assert (first["question"]["id"], first["question"]["node"], first["verdict"]) == (1, "1", None)
    assert client.do("adebug/why")["candidates"] > 5
    assert "question 1 is open now: main(): printed 100 120" in client.refused("adebug/answer", answer="no", id=7)
    assert "needs the answer" in client.refused("adebug/answer", answer="trust", expected="3")
    second = client.do("adebug/answer", answer="no", id=1)["question"]
    assert (second["id"], second["text"], second["result"]) == (2, TOTAL, "100")
    assert client.event("adebug/question") == second
    client.do("stepIn", threadId=1)
    again = client.do("adebug/nextQuestion")
    assert again["question"] == second
    assert client.top()["name"] == TOTAL
    assert client.do("adebug/undo")["question"]["text"] == "main(): printed 100 120"
    assert client.do("adebug/undo", redo=True)["question"]["text"] == TOTAL
    assert "redo" in client.refused("adebug/undo", redo=True)
    assert client.do("adebug/strategy", strategy="heaviest-first")["question"]["text"]
    assert "guess" in client.refused("adebug/strategy", strategy="guess")
    client.do("adebug/strategy", strategy="top-down")
    zoomed = client.do("adebug/zoom", granularity="routine")["question"]
    assert zoomed["kind"] == "routine"
    client.do("adebug/answer", answer="no", expected="70")
    ended = client.do("adebug/answer", answer="trust")
    assert (ended["question"], ended["verdict"]["kind"], ended["verdict"]["callable"]) == (
        None,
        "routine",
        "shop.total",
    )
    assert client.event("adebug/verdict") == ended["verdict"]
    assert "no question" in client.refused("adebug/why")
    client.close()


def test_values_are_traced_without_judging_them(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    printed = client.do("adebug/track", place="output '100'")
    assert printed["stages"][-1]["text"] == "printed by `print(total(names, table), len(numbers))`"
    assert printed["certainty"] == "exact"
    assert client.do("adebug/answer", answer="no")["question"]["text"] == TOTAL
    tracked = client.do("adebug/track", place="result")
    assert tracked["stages"][0]["text"] == "computed by `amount += price(names[i], table)`"
    assert tracked["stages"][0]["place"]["range"]["start"]["line"] == 7
    history = client.do("adebug/history", place="before.names[1]")
    assert [(write["routine"], write["value"]) for write in history["writes"]] == []
    assert history["before"] == "the object was made with it"
    assert "there is no result[7]" in client.refused("adebug/track", place="result[7]")
    needed = client.do("adebug/slice", place="result")
    (file,) = needed["files"]
    assert 7 in file["lines"]
    assert all(step["certainty"] == "exact" for step in needed["steps"])
    assert not any(place["range"]["start"]["line"] in file["lines"] for place in needed["outside"])
    assert client.do("adebug/slice", place="before.names", forward=True)["next"] is not None
    assert client.do("evaluate", expression="history before.names", context="repl")["result"] == (
        "before.names: 1 write, the newest last\n  (it had no value before)\n"
        "  ['lamp', 'chair', 'lamp']   passed to total   shop.py:5:1"
    )
    assert client.do("adebug/verdict")["question"]["text"] == TOTAL
    client.close()


def test_a_run_that_is_right_by_the_reference_has_no_bug(start: Start, workspace: Path) -> None:
    (workspace / "shop.py").write_text(SHOP, encoding="utf-8")
    (workspace / "right").mkdir()
    (workspace / "right/shop.py").write_text(SHOP, encoding="utf-8")
    client = start()
    client.launch(program="shop.py", customEvents=True, reference="right")
    verdict = client.event("adebug/verdict")
    assert (verdict["kind"], verdict["buggy"]) == ("none", [])
    assert verdict["explanation"].startswith("all of this run is right by the reference")
    assert "no verdict to reject" in client.refused("adebug/answer", answer="reject")
    client.close()


def test_the_tree_comes_page_by_page_with_what_is_known(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    root = client.do("adebug/children")
    assert (root["node"]["text"], root["total"]) == ("module shop", 1)
    (main,) = root["children"]
    assert (main["text"], main["state"], main["asked"]) == ("main(): printed 100 120", "undefined", True)
    client.do("adebug/answer", answer="no")
    (main,) = client.do("adebug/children")["children"]
    assert (main["state"], main["asked"], main["range"]["start"]["line"]) == ("wrong", False, 11)
    (total,) = client.do("adebug/children", node=main["node"])["children"]
    assert (total["asked"], total["expandable"]) == (True, True)
    client.do("adebug/answer", answer="yes")
    (total,) = client.do("adebug/children", node=main["node"])["children"]
    (loop,) = client.do("adebug/children", node=total["node"])["children"]
    assert (total["state"], loop["state"], loop["kind"]) == ("correct", "correct", "loop")
    first = client.do("adebug/children", node=loop["node"], start=0, count=1)
    second = client.do("adebug/children", node=loop["node"], start=1, count=1)
    assert (first["total"], second["total"]) == (2, 2)
    assert [node["text"].partition(" of ")[0] for node in (*first["children"], *second["children"])] == [
        "iterations 1 to 2", "iteration 3",
    ]  # fmt: skip
    iteration = second["children"][0]["node"]
    (price,) = client.do("adebug/children", node=iteration)["children"]
    (inside,) = client.do("adebug/children", node=price["node"])["children"]
    assert (inside["text"], inside["kind"]) == ("table[name] = 30", "expression")
    shown = client.do("adebug/projection", node=price["node"])
    assert [place["range"]["start"]["line"] for place in shown["projection"]] == [1]
    for wrong in ("99999", "x", "1/2/3/4", "9" * 5000):
        assert client.refused("adebug/children", node=wrong).startswith("node: ")
    client.close()


def test_stops_have_a_generic_description_for_clients_with_custom_events(start: Start, workspace: Path) -> None:
    """VS Code shows the description of the first stop until a step is taken, whatever is asked meanwhile."""
    client = begin(start, workspace)
    client.do("adebug/answer", answer="no")
    client.event("adebug/question")
    client.do("stepIn", threadId=1)
    stops = [client.event("stopped") for _ in range(3)]
    assert [stop["description"] for stop in stops] == ["In the recording"] * 3
    assert [TOTAL in stop.get("text", "") for stop in stops] == [False, True, False]
    client.close()


def test_the_path_to_the_question_starts_at_the_root(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    client.do("adebug/answer", answer="no")
    path = client.do("adebug/path")["path"]
    assert [(node["text"], node["asked"]) for node in path] == [
        ("module shop", False), ("main(): printed 100 120", False), (TOTAL, True),
    ]  # fmt: skip
    (loop,) = client.do("adebug/children", node=path[-1]["node"])["children"]
    assert client.do("adebug/path", node=loop["node"])["path"] == [*path, loop]
    assert client.refused("adebug/path", node="99999").startswith("node: ")
    client.close()


def test_another_front_end_learns_where_the_session_is_stored(start: Start, workspace: Path) -> None:
    client = begin(start, workspace, granularity="statement")
    description = client.do("adebug/session")
    assert (description["strategy"], description["granularity"], description["test"]) == ("top-down", "statement", "")
    assert Path(description["recording"]).is_file()
    with Store.open(workspace) as store:
        assert store.sessions.find(description["session"]) is not None
    client.do("adebug/strategy", strategy="heaviest-first")
    assert client.do("adebug/session")["strategy"] == "heaviest-first"
    assert {"top-down", "heaviest-first"} <= set(description["strategies"])
    client.close()


def test_a_marked_value_sends_the_search_to_where_it_came_from(start: Start, workspace: Path) -> None:
    text = (
        "def fill(table):\n    table['lamp'] = 30\n    table['chair'] = 4\n\n"
        "def load():\n    table = {}\n    fill(table)\n    return table\n\nprint(load())\n"
    )
    (workspace / "load.py").write_text(text, encoding="utf-8")
    client = start()
    client.launch(program="load.py", customEvents=True, strategy="top-down")
    assert client.event("adebug/question")["result"] == "{'lamp': 30, 'chair': 4}"
    refused = client.refused("adebug/mark", place="result['bed']")
    assert "there is no result['bed']; what can be marked: result, result['lamp'], result['chair']" in refused
    assert "result['lamp'] is 30, which has no parts" in client.refused("adebug/mark", place="result['lamp'][0]")
    assert "there is no result[0]" in client.refused("evaluate", expression="mark result[0]", context="repl")
    reference = client.do("scopes", frameId=client.top()["id"])["scopes"][2]["variablesReference"]
    (result,) = client.do("variables", variablesReference=reference)["variables"]
    parts = client.do("variables", variablesReference=result["variablesReference"])["variables"]
    chair = parts[1]["evaluateName"]
    assert client.do("evaluate", expression=chair, context="watch")["result"] == "4"
    state = client.do("adebug/mark", place=chair)
    assert state["messages"] == []
    assert state["question"]["text"].startswith("fill(")
    client.close()


def test_a_fix_is_verified(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    assert client.do("adebug/answer", answer="unknown")["question"]["text"] == TOTAL
    client.do("adebug/answer", answer="no", expected="70")
    assert client.do("adebug/verify")["holds"] is False
    (workspace / "shop.py").write_text(SHOP.replace("range(len(names))", "range(len(names) - 1)"), encoding="utf-8")
    verified = client.do("adebug/verify")
    assert verified["holds"] is True, verified
    assert verified["lines"][0] == "1 of 1 intended results now hold"
    client.close()


def test_find_without_a_program_is_refused(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    assert "no program is running" in client.refused("adebug/find")
    client.close()
