"""A client that knows nothing of adebug finds a bug in an Erlang program."""

from pathlib import Path

from tests.frontends.dap.conftest import Start
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.test_eunit import lay_out
from tests.support import ROOT

pytestmark = needs_erlang


def test_a_plain_client_goes_from_a_call_to_the_wrong_expression(start: Start, workspace: Path) -> None:
    source = ROOT / "tests" / "programs_erlang" / "stock" / "stock.erl"
    (workspace / "stock.erl").write_bytes(source.read_bytes())
    client = start()
    client.launch(program="stock.erl", call="stock:test()", strategy="top-down")
    asked = [client.question(), *(client.answer(word) for word in ("no", "yes", "no", "no", "no", "no", "no"))]
    assert asked[5] == "ItemStock = false?"
    assert asked[6] == "lists:keyfind(Name, 1, Stock) = false?"
    assert asked[7] == "Bug found after 7 answers, in stock.check_item/2"
    top = client.top()
    assert (top["line"], top["column"], top["endLine"], top["endColumn"]) == (26, 17, 26, 46)


def test_a_call_shows_its_arguments_and_result(start: Start, workspace: Path) -> None:
    (workspace / "sums.erl").write_text(
        "-module(sums).\n-export([main/0]).\nmain() -> sum([1, 2]).\nsum(L) -> hd(L).\n"
    )
    client = start()
    client.launch(program="sums.erl", strategy="top-down")
    assert client.question() == "sum([1,2]) = 1?"
    assert client.values("Before") == {"L": "[1,2]"}


def test_a_failing_test_of_eunit_is_asked_about(start: Start, workspace: Path) -> None:
    lay_out(workspace)
    client = start()
    client.launch(eunit=["cart_tests:hundred_test"], strategy="top-down")
    assert client.question() == "cart:discount(100) = 0?"
    ended = [client.answer(word) for word in ("no", "no", "no")][-1]
    assert ended == "Bug found after 3 answers, in cart.discount/1"


def test_processes_are_threads_and_a_wrong_message_leads_to_its_sender(start: Start, workspace: Path) -> None:
    source = ROOT / "tests" / "programs_erlang" / "tcp_two" / "tcp_two.erl"
    (workspace / "tcp_two.erl").write_bytes(source.read_bytes())
    client = start()
    client.launch(program="tcp_two.erl", strategy="process-directed")
    assert "main(), took" in client.question()
    threads = client.do("threads")["threads"]
    assert len(threads) == 6
    assert "main() ended with error_ack" in threads[1]["name"]
    assert "waits for a message at line 17" in threads[2]["name"]
    sender = client.answer("2")
    assert "took {<" in sender
    assert "sent {data,error_ack}" in sender
    frames = client.do("stackTrace", threadId=threads[2]["id"])["stackFrames"]
    assert "server_fun(" in frames[-2]["name"]
    assert frames[-1]["name"] == "tcp_two:main() = error_ack"
    diagram = client.do("adebug/diagram")
    assert diagram["lines"][0] == "processes, each below the one that started it"
    assert diagram["svg"].startswith("<svg ")
    line = next(line for line in diagram["lines"] if "{syn,50,200}} to 2" in line)
    state = client.do("adebug/answer", answer=f"restart {line.split()[0]}")
    assert state["question"] is not None
