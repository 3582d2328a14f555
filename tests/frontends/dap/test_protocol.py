"""The protocol of a real adapter: malformed and premature requests are rejected, and no process is left behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adebug_lsp.frontends.dap.protocol.framing import BadMessageError, Parser, frame
from adebug_lsp.frontends.shared.recordings import Recordings
from tests.frontends.dap.client import LIMIT, Client, Message
from tests.frontends.dap.conftest import Start

ENDLESS = """\
import os, time
turns = 0
while True:
    turns += 1
    if turns == 5:
        print(os.getpid(), flush=True)
    time.sleep(0.01)
"""


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def started(client: Client, workspace: Path) -> int:
    """Launch a program without an end; gives its process."""
    (workspace / "endless.py").write_text(ENDLESS, encoding="utf-8")
    client.launch(program="endless.py")
    output = client.wait(lambda m: m.get("event") == "output" and m["body"]["category"] == "stdout")
    return int(output["body"]["output"])


def test_malformed_messages_are_rejected_and_the_session_continues(start: Start) -> None:
    client = start()
    client.send_bytes(b"Content-Length: 1\r\n\r\n{")
    assert "not JSON" in client.wait(lambda m: m["type"] == "response")["message"]
    client.send_bytes(b"X: 1\r\n\r\n")
    assert "Content-Length" in client.wait(lambda m: m["type"] == "response")["message"]
    client.send({"type": "event", "event": "stopped"})
    assert "request" in client.wait(lambda m: m["type"] == "response")["message"]
    for command in (5, None, ["threads"], {"a": 1}):
        client.send({"type": "request", "command": command})
        assert "command" in client.wait(lambda m: m["type"] == "response")["message"]
    client.send({"type": "request", "command": "initialize", "arguments": [1]})
    assert "object" in client.wait(lambda m: m["type"] == "response")["message"]
    client.do("initialize", adapterID="adebug")
    for seq in (None, "1", [1]):
        client.send({"type": "request", "command": "threads", "seq": seq})
        assert client.wait(lambda m: m["type"] == "response")["message"] == "threads: launch comes first"
    client.send({"type": "response", "request_seq": [1], "success": True, "command": "runInTerminal"})
    client.send({"type": "request", "command": "dance"})
    assert "launch comes first" in client.wait(lambda m: m["type"] == "response")["message"]
    assert client.close() == 0
    assert client.errors == b""


def test_requests_out_of_order_are_refused_and_change_nothing(start: Start) -> None:
    client = start()
    assert "initialize comes first" in client.refused("launch", program="prime.py")
    client.do("initialize", adapterID="adebug")
    assert "already" in client.refused("initialize", adapterID="adebug")
    assert "launch comes first" in client.refused("configurationDone")
    assert "launch comes first" in client.refused("stackTrace", threadId=1)
    assert "use launch" in client.refused("attach")
    assert client.refused("launch", program="missing.py").startswith("program: ")
    client.do("launch", program="prime.py")
    assert "already" in client.refused("launch", program="prime.py")
    assert "no recording yet" in client.refused("next", threadId=1)
    client.do("configurationDone")
    assert client.question() == "the loop `while i < lim` (line 25): i: 2 -> 3?"
    assert "already" in client.refused("configurationDone")
    assert "frameId" in client.refused("scopes", frameId=99)
    assert "variablesReference" in client.refused("variables", variablesReference=99)
    client.send({"type": "request", "command": "dance"})
    assert "dance" in client.wait(lambda m: m["type"] == "response")["message"]
    for command, field, value in [
        ("variables", "variablesReference", "x"),
        ("stackTrace", "startFrame", -1),
        ("setBreakpoints", "source", "prime.py"),
        ("setBreakpoints", "breakpoints", 5),
        ("setExceptionBreakpoints", "filters", [1]),
        ("evaluate", "expression", 5),
        ("adebug/answer", "answer", None),
        ("goto", "targetId", True),
    ]:
        client.send({"type": "request", "command": command, "arguments": {field: value}})
        assert client.wait(lambda m: m["type"] == "response")["message"].startswith(f"{field}: ")
    assert client.close() == 0
    assert client.errors == b""


def test_a_client_that_terminates_first_can_still_disconnect(start: Start) -> None:
    client = start()
    client.launch(program="prime.py")
    client.question()
    client.do("terminate")
    assert client.events()[-2:] == ["exited", "terminated"]
    assert "launch comes first" in client.refused("threads")
    assert client.close() == 0


def test_a_client_that_vanishes_leaves_no_process_and_a_recording(start: Start, workspace: Path) -> None:
    client = start()
    program = started(client, workspace)
    assert is_alive(program)
    client.end()
    assert not is_alive(program)
    assert len(Recordings(workspace).newest_first()) == 1
    assert client.errors == b""


@pytest.mark.skipif(os.name != "posix", reason="there are no signals like these")
def test_a_terminated_adapter_ends_the_program(start: Start, workspace: Path) -> None:
    client = start()
    program = started(client, workspace)
    client.process.send_signal(signal.SIGTERM)
    client.process.wait(LIMIT)
    assert not is_alive(program)


def test_a_client_that_disconnects_while_the_program_runs_ends_it(start: Start, workspace: Path) -> None:
    client = start()
    program = started(client, workspace)
    assert client.close() == 0
    assert client.events()[-2:] == ["exited", "terminated"]
    assert not is_alive(program)


def test_clients_connect_to_a_port(workspace: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "adebug_lsp", "dap", "--port", "0"], cwd=workspace, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert address is not None
        port = int(address[1])
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", port), LIMIT) as connection:
                connection.sendall(frame({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}))
                messages: list[Message | BadMessageError] = []
                parser, end = Parser(), time.monotonic() + LIMIT
                while not messages and time.monotonic() < end:
                    messages += parser.feed(connection.recv(1 << 16))
                response = messages[0]
                assert not isinstance(response, BadMessageError)
                assert response["success"]
                assert response["body"]["supportsConfigurationDoneRequest"]
    finally:
        process.terminate()
        process.communicate(timeout=LIMIT)


def test_the_command_explains_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "adebug_lsp", "dap", "--help"], capture_output=True, text=True, timeout=LIMIT, check=True
    )
    assert "Debug Adapter Protocol" in done.stdout
    assert "--port" in done.stdout
