"""A whole session in three editors, from the lens on a test to the verified fix."""

from pathlib import Path

import pytest
from lsprotocol import types

from tests.frontends.lsp.editor import CART, PROFILES, Editor, editor, meant, shop, text_at, until

pytestmark = pytest.mark.asyncio
FIX = ("amount > 100", "amount >= 100")


async def answer_lenses(person: Editor) -> None:
    """Click answers over the code until there is no question."""
    titles = {"yes": "Yes", "no": "No"}
    for _ in range(20):
        shown = await person.titles("cart.py")
        if not shown or not shown[0].endswith("?"):
            return
        await person.click("cart.py", titles[meant(shown[0])])
    raise AssertionError("no verdict")


async def answer_actions(person: Editor) -> None:
    """The same by code actions."""
    for _ in range(20):
        actions = await person.actions("cart.py", 0)
        if "adebug: Yes" not in actions:
            return
        (question,) = [t for t in await person.titles("cart.py") if t.endswith("?")]
        chosen = actions["adebug: Yes" if meant(question) == "yes" else "adebug: No"]
        await person.command(chosen.command, *(chosen.arguments or []))
    raise AssertionError("no verdict")


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_failing_test_leads_to_the_wrong_expression_and_to_the_verified_fix(
    tmp_path: Path, profile: str
) -> None:
    async with editor(shop(tmp_path), profile, ask="lens") as person:
        person.open("test_cart.py")
        person.open("cart.py")
        lenses = await person.lenses("test_cart.py")
        assert [(lens.range.start.line, lens.command and lens.command.title) for lens in lenses] == [
            (5, "Find the bug"),
            (10, "Find the bug"),
        ]
        assert lenses[1].command is not None
        question = await person.command(lenses[1].command.command, *(lenses[1].command.arguments or []))
        assert question["text"] == "amount_of([('lamp', 2), ('chair', 1)]) = 100"
        assert await person.titles("cart.py") == [
            f"{question['text']}: is this result right?", "Yes", "No", "Don't know", "Bad input", "Trust", "Stop",
        ]  # fmt: skip
        assert {lens.range.start.line for lens in await person.lenses("cart.py")} == {12}
        await (answer_lenses if profile.startswith("visual") else answer_actions)(person)

        (error,) = await until(lambda: person.errors("cart.py"))
        assert text_at(CART, error.range) == "amount > 100"
        assert "the condition `amount > 100` was False, which is wrong" in error.message
        chain = [r.message for r in error.related_information or []] or error.message.split("\n- ")[1:]
        assert chain[-1] == "the condition `amount > 100` was False (answered no, by your answer)"
        assert any("by the failing test" in message for message in chain)
        assert [text_at(CART, d.range) for d in person.faded("cart.py")] == ["return amount // 10"]
        assert all(list(d.tags or []) == [types.DiagnosticTag.Unnecessary] for d in person.faded("cart.py"))

        text = person.change("cart.py", "def discount", "def other():\n    return 3\n\n\ndef discount", CART)
        await until(lambda: [e.range.start.line for e in person.errors("cart.py")] == [11])
        assert text_at(text, person.errors("cart.py")[0].range) == "amount > 100"
        text = person.change("cart.py", *FIX, text)
        await until(lambda: "changed since" in person.errors("cart.py")[0].message)
        person.save("cart.py", text)
        actions = await person.actions("cart.py", 11, 8)
        assert {f"adebug: {title}" for title in _AFTER} <= set(actions)
        verified = await person.command(actions["adebug: Verify the fix"].command)
        assert verified["holds"], verified
        await until(lambda: not person.errors("cart.py"))
        assert not person.faded("cart.py")
        assert await person.titles("cart.py") == ["Find the bug"]


_AFTER = ("Why", "Not the bug", "Undo", "Verify the fix", "Save as test", "Forget this verdict")
