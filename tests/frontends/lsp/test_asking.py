"""Answers in every form: messages for clients without lenses, words, undo, why, rejecting, stopping."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound

from tests.frontends.dap.test_waiting import SECONDS, SLOW, SUMS
from tests.frontends.lsp.editor import CART, Editor, editor, meant, shop, text_at, until, within

pytestmark = pytest.mark.asyncio
PROGRAM = """\
def double(number):
    return number + number


def area(width, height):
    return double(width) * height


def main():
    print("Content-Length: 3\\r\\n\\r\\n{}", flush=True)
    return area(2, 5)


if __name__ == "__main__":
    main()
"""


async def test_a_client_without_lenses_is_asked_by_message_and_can_ask_why(tmp_path: Path) -> None:
    async with editor(shop(tmp_path), "emacs") as person:
        replies: list[str] = ["Why"]

        def reply(params: types.ShowMessageRequestParams) -> str | None:
            if replies:
                return replies.pop()
            return {"yes": "Yes", "no": "No"}[meant(params.message)] if "right?" in params.message else None

        person.reply = reply
        await person.find()
        await until(lambda: person.errors("cart.py"))
        await until(lambda: person.asked[-1].message.startswith("cart.py:8:8: Bug found in cart.discount"))
        assert person.asked[0].message == person.asked[1].message
        assert any(message.message.startswith("Asked because") for message in person.client.messages)
        assert [action.title for action in person.asked[-1].actions or []] == ["Why", "Not the bug", "Undo", "Stop"]


async def test_a_command_is_answered_before_anything_is_asked_by_message(tmp_path: Path) -> None:
    """Emacs drops its prompt when the response to the previous command arrives."""
    async with editor(shop(tmp_path), "emacs") as person:
        order: list[str] = []

        def reply(params: types.ShowMessageRequestParams) -> str | None:
            order.append(params.message.split(":")[0])
            return None

        person.reply = reply
        for name in (person.find(), person.command("adebug.answer", "yes"), person.command("adebug.undo")):
            await name
            order.append("answered")
            await until(lambda: order[-1] != "answered")
        assert order == ["answered", "cart.py"] * 3
        assert person.asked[0].message.startswith("cart.py:13:1: amount_of(")


@pytest.mark.parametrize("options", [{}, {"ask": "notice"}])
async def test_a_client_without_buttons_gets_a_notice_and_answers_by_code_actions(
    tmp_path: Path, options: dict[str, str]
) -> None:
    """Helix rejects the request; Kate ignores it silently, which is why there is a setting."""
    async with editor(shop(tmp_path), "emacs", **options) as person:

        def reply(_params: types.ShowMessageRequestParams) -> str | None:
            raise JsonRpcMethodNotFound

        person.reply = reply
        person.open("test_cart.py")
        await person.find()
        shown = ["cart.py:13:1: amount_of([('lamp', 2), ('chair', 1)]) = 100", "cart.py:6:1: discount(100) = 0"]
        for title, text in zip(("adebug: Yes", "adebug: No"), shown, strict=True):

            def is_shown(text: str = text) -> bool:
                return any(text in message.message for message in person.client.messages[-1:])

            await until(is_shown)
            answer = (await person.actions("test_cart.py", 0))[title]
            await person.command(answer.command, *(answer.arguments or []))
        assert bool(person.asked) is not bool(options)


async def test_answers_to_a_dismissed_message_are_in_the_code(tmp_path: Path) -> None:
    async with editor(shop(tmp_path), "emacs") as person:

        def reply(_params: types.ShowMessageRequestParams) -> str | None:
            raise RuntimeError("quit")

        person.reply = reply
        await person.find()
        await until(lambda: person.asked)
        person.open("cart.py")
        yes = (await person.actions("cart.py", 0))["adebug: Yes"]
        assert (await person.command(yes.command, *(yes.arguments or [])))["text"] == "discount(100) = 0"


async def test_a_runnable_function_is_asked_about_and_answers_can_be_undone(tmp_path: Path) -> None:
    (tmp_path / "area.py").write_text(PROGRAM, encoding="utf-8")
    async with editor(tmp_path, projection=True) as person:
        person.open("area.py")
        assert await person.titles("area.py") == ["Find the bug", "Find the bug"]
        question = await person.command("adebug.findBug", person.uri("area.py"), "main")
        assert question["type"] == "question", question
        assert any("Content-Length: 3" in message.message for message in person.client.log_messages)

        stale = await person.command("adebug.answer", "no", 17)
        assert "no longer open" in stale["message"]
        for words in ("maybe", "quit"):
            assert (await person.command("adebug.answer", words))["type"] == "error"
        assert (await person.command("adebug.answer"))["type"] == "error"
        assert (await person.command("adebug.reject"))["message"] == "there is no verdict to reject"

        first = question["text"]
        assert "Asked because" in (await person.command("adebug.why"))["messages"][0]
        await person.command("adebug.answer", "strategy top-down")
        second = await person.command("adebug.answer", "yes")
        assert second.get("text") != first
        await person.command("adebug.undo")
        question = await person.command("adebug.undo")
        assert question["text"] == first
        while question["type"] == "question":
            wrong = "area(" in question["text"] or "double(width) * height" in question["text"]
            question = await person.command("adebug.answer", "no" if wrong else "yes")
        assert question["buggy"][0]["text"] == "double(width) * height"
        assert "answered no" in (await person.command("adebug.why"))["why"]
        again = await person.command("adebug.reject")
        assert again["type"] == "question"
        shown = person.client.shown_documents[-1]
        assert shown.uri == person.uri("area.py")
        assert person.projections[-1].uri == person.uri("area.py")
        assert (await person.command("adebug.stop"))["type"] == "stopped"
        assert person.projections[-1].uri is None
        assert await person.titles("area.py") == ["Find the bug", "Find the bug"]
        assert "no session" in (await person.command("adebug.answer", "yes"))["message"]


async def test_values_of_the_asked_call_are_shown(tmp_path: Path) -> None:
    text = PROGRAM.replace(
        "return double(width) * height", 'name = "ä𝒳" * width; got = double(width) * height\n    return got'
    )
    (tmp_path / "area.py").write_text(text, encoding="utf-8")
    async with editor(tmp_path) as person:
        uri = person.open("area.py")
        await person.command("adebug.findBug", uri, "main")
        question = await person.command("adebug.answer", "strategy top-down")
        assert question["text"] == "area(2, 5) = 20"
        document = types.TextDocumentIdentifier(uri)
        text = person.change("area.py", "def double", "# a new line\n\n\ndef double", text)
        line = next(i for i, content in enumerate(text.split("\n")) if "got = " in content)
        column = text.split("\n")[line].index("double(width)") + 1  # one wide character stands before it
        client = person.client
        hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(line, column + 8)))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value == "width = 2"
        hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(line, column + 1)))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value == "double(width) = 4"
        assert hover.range == types.Range(types.Position(line, column), types.Position(line, column + 13))
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        labels = {hint.position.line: hint.label for hint in hints or []}
        assert labels == {line: "name = 'ä𝒳ä𝒳', got = 20", line + 1: "= 20"}
        assert {hint.position.character for hint in hints or []} == {len(text.split("\n")[line]) + 1, 14}
        context = types.InlineValueContext(1, whole)
        inline = await client.text_document_inline_value_async(types.InlineValueParams(document, whole, context))
        assert [value.text for value in inline or [] if isinstance(value, types.InlineValueText)] == list(
            labels.values()
        )
        place = types.DocumentHighlightParams(document, types.Position(line, 5))
        marked = await client.text_document_document_highlight_async(place)
        assert [text_at(text, highlight.range) for highlight in marked or []][-1] == "return got"
        person.change("area.py", "return got", "return got + 1", text)
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        assert [hint.position.line for hint in hints or []] == [line]


async def test_a_long_run_is_cancelled_from_its_progress(tmp_path: Path) -> None:
    text = "import time\n\n\ndef wait():\n    while True:\n        time.sleep(0.01)\n"
    (tmp_path / "slow.py").write_text(text, encoding="utf-8")
    async with editor(tmp_path) as person:
        uri = person.open("slow.py")
        running = asyncio.create_task(person.command("adebug.findBug", uri, "wait"))

        def reported() -> types.ProgressToken | None:
            reports = person.client.progress_reports
            return next((token for token in reports if len(reports[token]) > 1), None)

        token: types.ProgressToken = await until(reported)
        assert "already" in (await person.command("adebug.findBug", uri, "wait"))["message"]
        person.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        assert (await running)["message"] == "stopped"
        await until(lambda: isinstance(person.client.progress_reports[token][-1], types.WorkDoneProgressEnd))
        assert [m.message for m in person.client.messages] == [
            "adebug: a program is already being recorded; adebug.stop ends it [bad-input]"
        ]


ENDING = "import time\n\n\ndef wait():\n    return 1\n"
ENDLESS = ENDING.replace("    return 1\n", "    while True:\n        time.sleep(0.01)\n")


async def verifying(person: Editor) -> tuple["asyncio.Task[Any]", types.ProgressToken]:
    """A fix that does not end is being verified; gives that, and the token of its progress."""
    (person.folder / "slow.py").write_text(ENDING, encoding="utf-8")
    question = await person.command("adebug.findBug", person.open("slow.py"), "wait")
    assert question["type"] == "question"
    await person.command("adebug.answer", "no")
    person.save("slow.py", ENDLESS)
    running = asyncio.create_task(person.command("adebug.verify"))
    return running, await goes_on(person, "recording")


async def test_verifying_is_cancelled_from_its_progress(tmp_path: Path) -> None:
    async with editor(tmp_path, ask="lens") as person:
        running, token = await verifying(person)
        person.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        assert (await within(running, SECONDS))["message"] == "stopped"


async def test_a_client_can_leave_while_a_fix_is_verified(tmp_path: Path) -> None:
    async with editor(tmp_path, ask="lens") as person:
        running, _token = await verifying(person)
        response: Awaitable[object] = person.client.shutdown_async(None)
        assert await within(response, SECONDS) is None
        with pytest.raises(JsonRpcException):
            await running
        person.client.exit(None)
        server = person.client._server
        assert server is not None
        await within(server.wait(), SECONDS)
        person.client.capabilities = None  # the client is gone and cannot be notified of the end


def slow(folder: Path) -> dict[str, str]:
    """A workspace, and settings with which an oracle looks at call after call for half a minute."""
    (folder / "sums.py").write_text(SUMS + "\n\ndef start():\n    return main()\n", encoding="utf-8")
    (folder / "right").mkdir()
    (folder / "right/sums.py").write_text(SLOW, encoding="utf-8")
    return {"reference": "right", "strategy": "single-stepping"}


async def test_a_run_that_is_right_by_the_reference_has_no_bug_and_nothing_to_reject(tmp_path: Path) -> None:
    (tmp_path / "area.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "right").mkdir()
    (tmp_path / "right/area.py").write_text(PROGRAM, encoding="utf-8")
    async with editor(tmp_path, "emacs", reference="right") as person:
        result = await person.command("adebug.findBug", person.open("area.py"), "main")
        assert (result["kind"], result["buggy"]) == ("none", [])
        await until(lambda: person.asked)
        assert person.asked[-1].message.startswith("No bug found: all of this run is right by the reference")
        assert [action.title for action in person.asked[-1].actions or []] == ["Why", "Stop"]
        assert not person.errors("area.py")


async def goes_on(person: Editor, doing: str) -> types.ProgressToken:
    """Wait until an operation has reported progress for a second; returns the token."""

    def find() -> types.ProgressToken | None:
        for token, reports in person.client.progress_reports.items():
            last = getattr(reports[-1], "message", None) if reports else None
            if last is not None and last.startswith(f"{doing}: "):
                return token
        return None

    return await until(find)


async def test_cancelling_skips_a_slow_oracle_until_the_next_answer(tmp_path: Path) -> None:
    async with editor(tmp_path, **slow(tmp_path)) as person:
        uri = person.open("sums.py")
        asking = asyncio.create_task(person.command("adebug.findBug", uri, "start"))
        token = await goes_on(person, "looking for the first question")
        person.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        assert (await within(asking, SECONDS))["type"] == "question"
        asking = asyncio.create_task(person.command("adebug.answer", "yes"))
        await goes_on(person, "looking for the next question")
        await within(person.command("adebug.stop"), SECONDS)
        assert (await within(asking, SECONDS))["type"] == "question"


async def test_a_server_with_a_slow_oracle_ends_when_its_client_vanishes(tmp_path: Path) -> None:
    async with editor(tmp_path, **slow(tmp_path)) as person:
        uri = person.open("sums.py")
        asking = asyncio.create_task(person.command("adebug.findBug", uri, "start"))
        await goes_on(person, "looking for the first question")
        server = person.client._server
        assert server is not None
        assert server.stdin is not None
        server.stdin.close()
        await within(server.wait(), SECONDS)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        person.client.capabilities = None  # the client is gone and cannot be notified of the end


async def test_a_test_is_found_by_the_name_that_its_runner_has_for_it(tmp_path: Path) -> None:
    async with editor(shop(tmp_path)) as person:
        name = "test_cart.py::test_from_a_hundred_on"
        assert (await person.command("adebug.configuration", name))["launch"] == {"pytest": [name]}
        assert (await person.command("adebug.findBug", name))["path"] == "cart.py"


async def test_invalid_arguments_and_documents_are_refused(tmp_path: Path) -> None:
    async with editor(shop(tmp_path)) as person:
        for name, *arguments in (
            ("adebug.findBug", 1, 2),
            ("adebug.answer",),
            ("adebug.answer", "yes", "1"),
            ("adebug.answer", "yes", 1, 2),
            ("adebug.saveAsTest", 5),
            ("adebug.forget", {"a": 1}),
            ("adebug.stop", 1),
        ):
            reply = await person.command(name, *arguments)
            assert (reply["type"], reply["message"].partition(":")[0]) == ("error", name)
        for uri in ("untitled:Untitled-1", "http://[", "file:///nowhere.py", ""):
            document = types.TextDocumentIdentifier(uri)
            assert not await within(person.client.text_document_code_lens_async(types.CodeLensParams(document)))


async def test_a_text_with_errors_keeps_its_lenses(tmp_path: Path) -> None:
    async with editor(shop(tmp_path)) as person:
        person.open("test_cart.py")
        text = (tmp_path / "test_cart.py").read_text(encoding="utf-8")
        before = await person.titles("test_cart.py")
        text = person.change("test_cart.py", "def test_one_lamp():", "def test_one_lamp(:", text)
        assert await person.titles("test_cart.py") == before
        person.change("test_cart.py", "def test_one_lamp(:", "def one_lamp(count):", text)
        assert await person.titles("test_cart.py") == ["Find the bug"]


async def test_the_test_that_failed_last_comes_first_and_is_the_default(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    cache = shop(tmp_path / "real") / ".pytest_cache/v/cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text('{"test_cart.py::test_from_a_hundred_on": true}', encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "real")  # a workspace may be reached by a link
    async with editor(tmp_path / "link") as person:
        person.open("test_cart.py")
        assert await person.titles("test_cart.py") == ["Find the bug (failed last time)", "Find the bug"]
        assert "adebug: Find the bug (failed last time)" in await person.actions("test_cart.py", 12)
        question = await person.command("adebug.findBug")
        assert question["path"] == "cart.py"
        person.open("cart.py")
        assert "Yes" in await person.titles("cart.py")
        saved = await person.command("adebug.saveAsTest")
        assert "no answer states" in saved["message"]
        await person.command("adebug.answer", "yes")
        await person.command("adebug.answer", "expected 10")
        assert (await person.command("adebug.saveAsTest"))["tests"] == 2
        assert "not overwritten" in (await person.command("adebug.saveAsTest"))["message"]


async def test_what_a_result_depends_on_is_shown_by_fading_the_rest(tmp_path: Path) -> None:
    async with editor(shop(tmp_path), ask="lens") as person:
        person.open("test_cart.py")
        person.open("cart.py")
        await person.find()
        show = (await person.actions("cart.py", 12))["adebug: Show what the result depends on"]
        shown = await person.command(show.command, *(show.arguments or []))
        assert shown["messages"][0].startswith("what result depends on: ")
        faded = await until(lambda: person.faded("cart.py"))
        assert {d.message for d in faded} == {"not in the slice that is shown"}
        shown_as_faded = "".join(text_at(CART, d.range) for d in faded)
        assert "return amount // 10" in shown_as_faded
        assert "PRICES[name] * count" not in shown_as_faded
        answer = (await person.actions("cart.py", 12))["adebug: Yes"]
        await person.command(answer.command, *(answer.arguments or []))
        await until(lambda: all("slice" not in d.message for d in person.faded("cart.py")))
