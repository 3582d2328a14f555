"""Erlang through a language server: symbols, lenses, a session, and the verdict on the expression."""

from pathlib import Path

import pytest

from tests.frontends.lsp.editor import PROFILES, editor, text_at, until
from tests.languages.erlang.beam import needs_erlang
from tests.languages.erlang.test_eunit import CART, TESTS, lay_out
from tests.support import ROOT

pytestmark = [pytest.mark.asyncio, needs_erlang]
STOCK = (ROOT / "tests" / "programs_erlang" / "stock" / "stock.erl").read_text(encoding="utf-8")


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_call_leads_to_the_wrong_expression(tmp_path: Path, profile: str) -> None:
    (tmp_path / "stock.erl").write_text(STOCK, encoding="utf-8")
    async with editor(tmp_path, profile, ask="lens", strategy="top-down") as person:
        person.open("stock.erl")
        (lens,) = await person.lenses("stock.erl")
        assert lens.command is not None
        assert (lens.range.start.line, lens.command.title) == (4, "Find the bug")
        question = await person.command(lens.command.command, *(lens.command.arguments or []))
        assert question["text"].startswith("check_orders(")
        for word in ("No", "Yes", "No", "No", "No", "No", "No"):
            actions = await person.actions("stock.erl", 0)
            chosen = actions[f"adebug: {word}"]
            await person.command(chosen.command, *(chosen.arguments or []))
        (error,) = await until(lambda: person.errors("stock.erl"))
        assert text_at(STOCK, error.range) == "lists:keyfind(Name, 1, Stock)"


async def test_the_lens_over_a_test_leads_to_the_wrong_guard(tmp_path: Path) -> None:
    lay_out(tmp_path)
    async with editor(tmp_path, "visual_studio_code", ask="lens", strategy="top-down") as person:
        person.open("test/cart_tests.erl")
        lenses = {lens.range.start.line: lens for lens in await person.lenses("test/cart_tests.erl")}
        lens = lenses[TESTS.splitlines().index("hundred_test() ->")]
        assert lens.command is not None
        question = await person.command(lens.command.command, *(lens.command.arguments or []))
        assert question["text"] == "cart:discount(100) = 0"
        person.open("src/cart.erl")
        for _ in range(3):
            chosen = (await person.actions("src/cart.erl", 6))["adebug: No"]
            await person.command(chosen.command, *(chosen.arguments or []))
        (error,) = await until(lambda: person.errors("src/cart.erl"))
        assert text_at(CART, error.range) == "(Amount) when Amount > 100"
