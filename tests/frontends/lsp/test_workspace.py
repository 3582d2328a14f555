"""Several programs on one workspace, verdicts from elsewhere, and clients that come and go."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities, make_test_lsp_client

from adebug_lsp.store.store import Store
from tests.frontends.lsp.editor import CART, SERVER, editor, meant, shop, stop, text_at, until, within
from tests.support import ROOT
from tests.warm_start import COMMAND

pytestmark = pytest.mark.asyncio
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
TERMINAL = [*COMMAND, "test", "--python", sys.executable, "-q"]
ANSWERS = "yes\nno\nno\nno\n"


async def in_terminal(folder: Path) -> str:
    """A whole session in a terminal beside the editors."""
    process = await asyncio.create_subprocess_exec(
        *TERMINAL, cwd=folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    output, _ = await within(process.communicate(ANSWERS.encode()))
    return str(output.decode())


async def test_a_verdict_from_the_terminal_appears_with_its_chain(tmp_path: Path) -> None:
    async with editor(shop(tmp_path)) as person:
        person.open("cart.py")
        assert not (tmp_path / ".adebug").exists()
        said = await in_terminal(tmp_path)
        assert "Bug found" in said
        (error,) = await until(lambda: person.errors("cart.py"))
        assert text_at(CART, error.range) == "amount > 100"
        drawn = "the condition `amount > 100` was False (answered no, by your answer)"
        assert (error.related_information or [])[-1].message == drawn
        actions = await person.actions("cart.py", error.range.start.line, error.range.start.character)
        assert "adebug: Not the bug" not in actions  # it is not this editor's session
        assert set(actions) == set(await person.actions("cart.py", error.range.start.line))
        assert "adebug: Verify the fix" not in await person.actions("cart.py", error.range.start.line + 1)
        person.client.diagnostics.clear()
        person.open(
            "cart.py"
        )  # diagnostics are sent again for an opened document: some editors drop those of closed ones
        await until(lambda: person.errors("cart.py"))
        forget = actions["adebug: Forget this verdict"]
        assert (await person.command(forget.command, *(forget.arguments or [])))["type"] == "forgotten"
        await until(lambda: not person.errors("cart.py"))


async def test_two_editors_and_a_terminal_lose_no_answer(tmp_path: Path) -> None:
    async with editor(shop(tmp_path)) as first_editor, editor(tmp_path, "emacs", ask="lens") as second_editor:
        first, second, said = await asyncio.gather(first_editor.find(), second_editor.find(), in_terminal(tmp_path))
        assert "Bug found" in said
        verdicts = await asyncio.gather(first_editor.answer_all(first), second_editor.answer_all(second))
        assert [verdict["buggy"][0]["text"] for verdict in verdicts] == ["amount > 100"] * 2
        await until(lambda: len(first_editor.errors("cart.py")) == 3 and len(second_editor.errors("cart.py")) == 3)
        text = CART.replace("amount > 100", "amount >= 100")
        (tmp_path / "cart.py").write_text(text, encoding="utf-8")
        verified = await second_editor.command("adebug.verify")
        assert verified.get("holds"), verified
        await until(lambda: not first_editor.errors("cart.py") and not second_editor.errors("cart.py"))
        for person in (first_editor, second_editor):
            assert not [m for m in person.client.messages if "lock" in m.message or "saved" in m.message]
    with Store.open(tmp_path) as store:
        judged = {answer.text: answer.judgement.value for answer in store.answers.all()}
        assert judged == {"amount_of([('lamp', 2), ('chair', 1)]) = 100": "yes", "discount(100) = 0": "no"}
        assert len(store.sessions.all()) == 3
        assert {meant(text) for text in judged} == {"yes", "no"}


async def test_a_client_that_vanishes_leaves_no_process_behind(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    text = (
        f"import os, pathlib, time\n\n\ndef wait():\n"
        f"    pathlib.Path({str(marker)!r}).write_text(str(os.getpid()))\n    time.sleep(600)\n"
    )
    (tmp_path / "slow.py").write_text(text, encoding="utf-8")
    async with editor(tmp_path) as person:
        uri = person.open("slow.py")
        running = asyncio.create_task(person.command("adebug.findBug", uri, "wait"))
        await until(lambda: marker.exists() and marker.read_text())
        server = person.client._server
        assert server is not None
        assert server.stdin is not None
        server.stdin.close()
        await within(server.wait())
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await until(lambda: not alive(int(marker.read_text())))
        person.client.capabilities = None  # the client is gone and cannot be notified of the end


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_it_serves_one_client_on_a_port(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(*SERVER, "--tcp", str(port), cwd=ROOT, env=ENVIRONMENT)
    client = make_test_lsp_client()
    try:
        for _ in range(600):
            try:
                await client.start_tcp("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.1)
        params = types.InitializeParams(client_capabilities("neovim@v0.7.0"), root_uri=shop(tmp_path).as_uri())
        result = await within(client.initialize_session(params))
        assert result.server_info is not None
        assert result.server_info.name == "adebug"
        assert result.capabilities.execute_command_provider is not None
        assert "adebug.findBug" in result.capabilities.execute_command_provider.commands
        await within(client.shutdown_async(None))
        client.exit(None)
        assert await within(process.wait()) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        await stop(client)


async def test_bad_settings_are_named(tmp_path: Path) -> None:
    wrong: dict[str, Any] = {"ask": "never", "granularity": "line", "strategy": "guess", "timeout": 0}
    async with editor(shop(tmp_path), colour=3, reference="nowhere", **wrong) as person:
        await until(lambda: len(person.client.messages) == 5)
        messages = sorted(message.message for message in person.client.messages)
        assert [message.partition(":")[0] for message in messages[:4]] == [f"setting {name}" for name in wrong]
        assert "'never'" in messages[0]
        assert messages[4].startswith("there is no setting 'colour'; only ")
        assert (await person.find())["message"].startswith("reference nowhere does not exist")
        assert not (tmp_path / ".adebug").exists(), "nothing was run"
