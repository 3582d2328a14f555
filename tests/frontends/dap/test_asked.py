"""Which question an answer applies to if the user has moved elsewhere, or the question was answered in the meantime."""

from pathlib import Path

from tests.frontends.dap.client import Client
from tests.frontends.dap.conftest import Start
from tests.frontends.dap.test_custom import begin
from tests.frontends.dap.test_replay import TOTAL

LAMP = "price('lamp', {'lamp': 30, 'chair': 40}) = 30"


def at_price(client: Client) -> None:
    """Step from the question about `total` to the first call of `price`."""
    client.do("adebug/answer", answer="no", id=1)
    for _ in range(10):
        if client.top()["name"] == LAMP:
            return
        client.do("stepIn", threadId=1)
    raise AssertionError(client.top()["name"])


def states_of(client: Client) -> dict[str, str]:
    """The answers given, by the text of the node."""
    waiting, states = [client.do("adebug/children")["node"]], {}
    while waiting:
        node = waiting.pop()
        states[node["text"]] = node["state"]
        if "/" not in node["node"]:
            waiting += client.do("adebug/children", node=node["node"])["children"]
    return states


def test_the_error_for_a_stale_answer_names_the_open_question(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    client.do("adebug/answer", answer="no", id=1)
    for refused in (
        client.refused("adebug/answer", answer="yes", id=1),
        client.refused("adebug/mark", place="call", id=1),
        client.refused("adebug/answer", answer="trust", id=1),
    ):
        assert refused == f"this answers question 1, but question 2 is open now: {TOTAL}"
    assert client.do("adebug/verdict")["question"]["id"] == 2
    client.close()


def test_an_ambiguous_answer_is_rejected(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    at_price(client)
    for refused in (
        client.refused("adebug/answer", answer="yes"),
        client.refused("adebug/mark", place="result"),
        client.refused("evaluate", expression="yes", context="repl"),
        client.refused("evaluate", expression="trust", frameId=client.top()["id"], context="repl"),
    ):
        assert LAMP in refused
        assert TOTAL in refused
    assert client.do("adebug/verdict")["question"]["id"] == 2
    assert "candidates left" in client.do("evaluate", expression="why", context="repl")["result"]
    client.close()


def test_the_node_that_is_shown_can_be_judged(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    at_price(client)
    shown = client.do("adebug/path", frameId=client.top()["id"])["path"][-1]
    assert (shown["text"], shown["asked"]) == (LAMP, False)
    state = client.do("adebug/answer", answer="yes", node=shown["node"])
    assert state["question"]["text"] == TOTAL
    assert (states_of(client)[LAMP], states_of(client)[TOTAL]) == ("correct", "undefined")
    assert client.do("adebug/undo")["question"]["text"] == TOTAL
    assert states_of(client)[LAMP] == "undefined"
    client.close()


def test_the_open_question_is_answered_from_elsewhere_by_its_id(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    at_price(client)
    state = client.do("adebug/answer", answer="no", id=2)
    assert state["question"]["text"].startswith("the loop")
    assert states_of(client)[TOTAL] == "wrong"
    client.close()


def test_the_console_takes_an_answer_for_here_and_for_the_question(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    at_price(client)
    client.do("evaluate", expression="here yes", context="repl")
    assert (states_of(client)[LAMP], states_of(client)[TOTAL]) == ("correct", "undefined")
    assert client.top()["name"] == TOTAL
    client.do("stepIn", threadId=1)
    client.do("evaluate", expression="question no", context="repl")
    assert states_of(client)[TOTAL] == "wrong"
    client.close()


def test_a_value_of_another_frame_is_marked_in_that_frame(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    at_price(client)
    frames = client.do("stackTrace", threadId=1)["stackFrames"]
    iteration = next(frame for frame in frames if frame["name"].startswith("iteration 1"))
    client.do("adebug/mark", place="after.amount", frameId=iteration["id"])
    assert states_of(client)[iteration["name"]] == "wrong"
    assert states_of(client)[TOTAL] == "undefined"
    client.close()


def test_code_that_is_not_searched_now_is_not_judged(start: Start, workspace: Path) -> None:
    client = begin(start, workspace)
    at_price(client)
    client.do("stepIn", threadId=1)
    inner = client.top()
    assert inner["name"] == "table[name] = 30"
    assert "can be judged when" in client.refused("adebug/mark", place="result", frameId=inner["id"])
    assert "can be judged when" in client.refused("evaluate", expression="here no", context="repl")
    client.close()
