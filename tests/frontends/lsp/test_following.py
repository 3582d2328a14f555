"""A server that follows the session of a debug adapter: the adapter asks, the server shows it in the text."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.frontends.dap.client import Client
from tests.frontends.lsp.editor import CART, Editor, editor, meant, shop, text_at, until

pytestmark = pytest.mark.asyncio
FAILING = "test_from_a_hundred_on"


@asynccontextmanager
async def both(folder: Path, **configuration: Any) -> AsyncIterator[tuple[Editor, Client]]:
    """An editor, and an adapter at its first question about the function of the editor's lens."""
    async with editor(shop(folder), ask="lens", projection=True) as person:
        person.open("cart.py")
        config = await person.command("adebug.configuration", person.uri("test_cart.py"), FAILING)
        with Client(folder) as client:
            launch = {**config["launch"], "python": sys.executable, "customEvents": True, **configuration}
            await asyncio.to_thread(lambda: client.launch(**launch))
            await asyncio.to_thread(client.event, "adebug/question")
            yield person, client
            client.close()


async def test_a_server_shows_what_an_adapter_asks_up_to_the_verdict(tmp_path: Path) -> None:
    async with both(tmp_path) as (person, client):
        state = client.do("adebug/nextQuestion")
        while state["question"]:
            line = await person.command("adebug.follow", client.do("adebug/session"))
            assert line["text"] == state["question"]["text"]
            assert (await person.titles("cart.py"))[0].startswith(f"{line['text']}: is th")
            assert person.projections[-1].question.text == line["text"]
            state = client.do("adebug/answer", answer=meant(line["text"]))
        line = await person.command("adebug.follow", client.do("adebug/session"))
        assert (line["type"], line["callable"]) == ("verdict", "cart.discount")
        (error,) = await until(lambda: person.errors("cart.py"))
        assert text_at(CART, error.range) == "amount > 100"
        assert error.related_information
        assert [text_at(CART, d.range) for d in person.faded("cart.py")] == ["return amount // 10"]
        assert await person.command("adebug.follow") == {"type": "stopped"}
        assert await person.titles("cart.py") == []
        assert not person.faded("cart.py")


async def test_answers_undone_and_strategies_changed_in_the_adapter_are_followed(tmp_path: Path) -> None:
    async with both(tmp_path, strategy="top-down", granularity="routine") as (person, client):
        for request, arguments in (
            ("adebug/nextQuestion", {}),
            ("adebug/answer", {"answer": "yes"}),
            ("adebug/undo", {}),
            ("adebug/strategy", {"strategy": "heaviest-first"}),
            ("adebug/zoom", {"granularity": "expression"}),
        ):
            asked = client.do(request, **arguments)["question"]
            line = await person.command("adebug.follow", client.do("adebug/session"))
            assert (line["text"], line["kind"]) == (asked["text"], asked["kind"])


async def test_the_projection_is_sent_again_after_an_edit(tmp_path: Path) -> None:
    async with both(tmp_path) as (person, client):
        await person.command("adebug.follow", client.do("adebug/session"))
        before = person.projections[-1].inQuestion[0].start.line
        person.change("cart.py", "def discount", "\n\ndef discount", CART)
        await until(lambda: person.projections[-1].inQuestion[0].start.line == before + 2)


async def test_answers_go_to_the_front_end_that_asks(tmp_path: Path) -> None:
    async with both(tmp_path) as (person, client):
        await person.command("adebug.follow", client.do("adebug/session"))
        refused = await person.command("adebug.answer", "yes")
        assert "answer there" in refused["message"]
        session = client.do("adebug/session")
        for wrong in ({**session, "session": None}, {**session, "recording": str(tmp_path / "cart.py")}, 3):
            assert (await person.command("adebug.follow", wrong))["type"] == "error"
        line = await person.command("adebug.follow", session)
        assert line["type"] == "question"


async def test_a_lens_has_a_launch_configuration(tmp_path: Path) -> None:
    async with editor(shop(tmp_path), ask="lens") as person:
        text = "def main():\n    return 3\n\n\nif __name__ == '__main__':\n    main()\n"
        (tmp_path / "tool.py").write_text(text, encoding="utf-8")
        lenses = await person.lenses("tool.py")
        configs = [await configuration(person, lens) for lens in lenses]
        tool = str(tmp_path / "tool.py")
        assert configs == [{"program": tool, "call": "main()"}, {"program": tool}]
        tests = await configuration(person, (await person.lenses("test_cart.py"))[1])
        assert tests == {"pytest": [f"{tmp_path / 'test_cart.py'}::{FAILING}"]}


async def configuration(person: Editor, lens: types.CodeLens) -> Any:
    assert lens.command is not None
    return (await person.command("adebug.configuration", *(lens.command.arguments or [])))["launch"]
