"""Marks: "this value is wrong" goes to exactly the value that is shown, whatever scope or frame it is shown in."""

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.dap.client import Client
from tests.frontends.dap.conftest import Start

METER = """\
class Meter:
    def __init__(self, start):
        self.last = start
        self.months = {}

    def book(self, month, reading):
        units = reading - self.last
        self.months[month] = self.months.get(month, 0) + units
        self.last += units - 10
        return self.last
"""
BILL = """\
from meters.meter import Meter


def order(readings):
    return sorted(readings)


def read_all(meter, readings):
    shown = []
    for month, reading in order(readings):
        shown.append(meter.book(month, reading))
    return shown


def main():
    meter = Meter(100)
    shown = read_all(meter, [("2026-02", 230), ("2026-01", 160)])
    print(meter.months, shown)


if __name__ == "__main__":
    main()
"""
READ_ALL = "read_all(Meter(last=100, months={}), [('2026-02', 230), ('2026-01', 160)]) = [150, 220]"
KEYS = """\
def fill(table, many):
    table[1] = "number"
    table["1"] = "text"
    table[(1, 2)] = "pair"
    table['it\\'s "so"'] = "quoted"
    many[150] = "late"


def main():
    result = {"before": "old"}
    many = list(range(200))
    fill(result, many)
    return result


main()
"""


def package(workspace: Path) -> None:
    """A package with a stateful class."""
    (workspace / "meters").mkdir()
    (workspace / "meters/__init__.py").touch()
    (workspace / "meters/meter.py").write_text(METER, encoding="utf-8")
    (workspace / "meters/bill.py").write_text(BILL, encoding="utf-8")


def at_read_all(start: Start, workspace: Path) -> Client:
    """A session that asks about `read_all`."""
    package(workspace)
    client = start()
    client.launch(module="meters.bill", customEvents=True, strategy="top-down", fresh=True)
    state = {"question": client.event("adebug/question")}
    for _ in range(5):
        text = state["question"]["text"]
        if text == READ_ALL:
            return client
        state = client.do("adebug/answer", answer="no" if text.startswith("main()") else "yes")
        client.event("adebug/question")
    raise AssertionError(f"{READ_ALL} was not asked")


def shown(client: Client, scope: str, *names: str) -> dict[str, Any]:
    """A variable as the Variables view has it: a scope is unfolded, then one name after the other."""
    scopes = client.do("scopes", frameId=client.top()["id"])["scopes"]
    variable: dict[str, Any] = next(shown for shown in scopes if shown["name"] == scope)
    for name in names:
        page = client.do("variables", variablesReference=variable["variablesReference"], start=0, count=1000)
        variable = next(shown for shown in page["variables"] if shown["name"] == name)
    return variable


def back_at_read_all(client: Client) -> None:
    """Go to where `read_all` was called, wherever the search has led to."""
    client.do("reverseContinue", threadId=1)
    for _ in range(10):
        name = client.top()["name"]
        if name == READ_ALL:
            return
        client.do("stepIn" if name.startswith(("module meters.bill", "main()")) else "next", threadId=1)
    raise AssertionError(f"{READ_ALL} was not found")


@pytest.mark.parametrize(
    ("names", "value", "marked", "judged"),
    [
        (("Before", "meter", "last"), "100", "argument['meter']['last']", "bad input"),
        (("After", "meter", "last"), "220", "after['meter']['last']", "no"),
        (("After", "meter", "months", "'2026-01'"), "60", "after['meter']['months'][\"'2026-01'\"]", "no"),
        (("Result", "result", "[1]"), "220", "result[1]", "no"),
    ],
)
def test_a_mark_goes_to_the_value_that_is_shown(
    start: Start, workspace: Path, *, names: tuple[str, ...], value: str, marked: str, judged: str
) -> None:
    client = at_read_all(start, workspace)
    frame = client.top()["id"]
    variable = shown(client, *names)
    assert variable["value"] == value
    name = variable["evaluateName"]
    for context in ("watch", "repl"):
        assert client.do("evaluate", expression=name, frameId=frame, context=context)["result"] == value
    assert client.do("adebug/mark", place=name, frameId=frame)["messages"] == []
    back_at_read_all(client)
    assert client.values("Marks") == {"answer": judged, "by": "person", "mark": marked}
    client.close()


def test_a_mark_on_a_changed_object_leads_into_the_call_that_changed_it(start: Start, workspace: Path) -> None:
    client = at_read_all(start, workspace)
    place = shown(client, "After", "meter", "last")["evaluateName"]
    state = client.do("adebug/mark", place=place)
    right = ("order(", "units = ", "self.months[", "reading - ", "self.last = ")
    for _ in range(20):
        if state["verdict"]:
            break
        text = state["question"]["text"]
        word = "yes" if text.startswith(right) else "no"
        state = client.do("adebug/answer", answer=word, id=state["question"]["id"])
    assert state["verdict"]["kind"] != "inadmissible"
    assert state["verdict"]["callable"] == "meters.meter.Meter.book"
    assert "units - 10" in state["verdict"]["buggy"][0]["text"]
    client.close()


def test_an_exception_that_should_not_have_been_raised_can_be_marked(start: Start, workspace: Path) -> None:
    (workspace / "mean.py").write_text(
        "def mean(numbers):\n    return sum(numbers) / len(numbers)\n\n\nmean([])\n", encoding="utf-8"
    )
    client = start()
    client.launch(program="mean.py", customEvents=True, strategy="top-down")
    assert "ZeroDivisionError" in client.event("adebug/question")["text"]
    place = shown(client, "Result", "raised")["evaluateName"]
    assert client.do("evaluate", expression=place, context="repl")["result"].startswith("ZeroDivisionError")
    client.do("adebug/mark", place=place)
    assert (client.do("adebug/undo")["question"] or {})["text"].startswith("mean([])")
    client.close()


@pytest.mark.parametrize(
    ("key", "value"), [("1", "'number'"), ("'1'", "'text'"), ("(1, 2)", "'pair'"), ("'it\\'s \"so\"'", "'quoted'")]
)
def test_similar_keys_are_distinguished(start: Start, workspace: Path, key: str, value: str) -> None:
    client = start()
    (workspace / "keys.py").write_text(KEYS, encoding="utf-8")
    client.launch(program="keys.py", customEvents=True, strategy="top-down")
    assert client.event("adebug/question")["text"].startswith("main()")
    client.do("adebug/answer", answer="no", id=1)
    variable = shown(client, "After", "table", key)
    assert variable["value"] == value
    for context in ("watch", "repl"):
        result = client.do("evaluate", expression=variable["evaluateName"], context=context)["result"]
        assert result == value
    client.do("adebug/mark", place=variable["evaluateName"])
    client.close()


def test_a_part_that_is_not_shown_at_first_can_be_looked_up_and_marked(start: Start, workspace: Path) -> None:
    client = start()
    (workspace / "keys.py").write_text(KEYS, encoding="utf-8")
    client.launch(program="keys.py", customEvents=True, strategy="top-down")
    client.event("adebug/question")
    client.do("adebug/answer", answer="no", id=1)
    late = shown(client, "After", "many", "[150]")
    assert (late["value"], late["evaluateName"]) == ("'late'", "after.many[150]")
    assert client.do("evaluate", expression=late["evaluateName"], context="watch")["result"] == "'late'"
    assert "there is no after.many[200]" in client.refused("adebug/mark", place="after.many[200]")
    assert client.do("adebug/mark", place=late["evaluateName"])["messages"] == []
    client.close()


def test_on_hover_a_variable_named_like_a_scope_is_the_variable(start: Start, workspace: Path) -> None:
    client = start()
    text = "def pick(after, result):\n    after['result'] = 2\n    return result + 1\n\n\npick({'result': 1}, 5)\n"
    (workspace / "pick.py").write_text(text, encoding="utf-8")
    client.launch(program="pick.py", customEvents=True, strategy="top-down")
    client.event("adebug/question")
    assert shown(client, "Result", "result")["evaluateName"] == "result"
    values = {
        ("result", "watch"): "6",
        ("result", "repl"): "6",
        ("result", "hover"): "5",
        ("before.result", "watch"): "5",
        ("after.after['result']", "repl"): "2",
        ("after['result']", "hover"): "1 -> 2",
    }
    frame = client.top()["id"]
    for (name, context), value in values.items():
        result = client.do("evaluate", expression=name, frameId=frame, context=context)["result"]
        assert (name, result) == (name, value)
    client.close()


def test_the_console_marks_what_the_same_name_shows(start: Start, workspace: Path) -> None:
    client = at_read_all(start, workspace)
    client.do("evaluate", expression="mark before.meter.last", context="repl")
    back_at_read_all(client)
    assert client.values("Marks")["mark"] == "argument['meter']['last']"
    client.do("adebug/undo")
    client.do("evaluate", expression="mark after.meter.last", context="repl")
    back_at_read_all(client)
    assert client.values("Marks")["mark"] == "after['meter']['last']"
    client.close()
