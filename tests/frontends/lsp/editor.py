"""An editor for tests: a client with the capabilities of a real one, a workspace, and waits that end."""

import ast
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from tests.support import ROOT
from tests.warm_start import COMMAND

T = TypeVar("T")
Handler = TypeVar("Handler", bound=Callable[..., object])
PROFILES = ("neovim@v0.7.0", "emacs", "visual_studio_code")
PATIENCE = 60.0
CART = (ROOT / "examples/shop/cart.py").read_text(encoding="utf-8")
TESTS = (ROOT / "examples/shop/test_cart.py").read_text(encoding="utf-8")
SERVER = [*COMMAND, "lsp"]
MEANT = {
    "PRICES[name] * count": "yes",
    "amount_of(": "yes",
    "iteration ": "yes",
    "the loop": "yes",
    "discount(100) = 0": "no",
    "amount > 100` was False": "no",
    "if amount > 100": "no",
    "module ": "yes",
}
"""The right answers, for a discount from 100 on, by a part of the question."""


def shop(folder: Path) -> Path:
    """A workspace with a bug."""
    (folder / "cart.py").write_text(CART, encoding="utf-8")
    (folder / "test_cart.py").write_text(TESTS, encoding="utf-8")
    return folder


class Editor:
    """The actions of a person in an editor."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder = client, folder
        self.asked: list[types.ShowMessageRequestParams] = []
        self.reply: Callable[[types.ShowMessageRequestParams], str | None] = lambda _params: None
        self.projections: list[Any] = []
        self._versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None, language: str = "python") -> str:
        text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return self.uri(name)

    def change(self, name: str, old: str, new: str, text: str) -> str:
        """Replace a part of a text, and send only that part; returns the new text."""
        before = text[: text.index(old)]
        line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
        removed = old.split("\n")
        end = (line + len(removed) - 1, len(removed[-1]) + (column if len(removed) == 1 else 0))
        version = self._versions[name] = self._versions.get(name, 1) + 1
        replaced = types.Range(types.Position(line, column), types.Position(*end))
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, self.uri(name)),
                [types.TextDocumentContentChangePartial(replaced, new)],
            )
        )
        return text.replace(old, new, 1)

    def save(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def symbols(self, name: str) -> list[types.DocumentSymbol]:
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(self.uri(name)))
        symbols = await within(self.client.text_document_document_symbol_async(params)) or []
        return [symbol for symbol in symbols if isinstance(symbol, types.DocumentSymbol)]

    async def lenses(self, name: str) -> list[types.CodeLens]:
        document = types.TextDocumentIdentifier(self.uri(name))
        lenses = await within(self.client.text_document_code_lens_async(types.CodeLensParams(document)))
        return list(lenses or [])

    async def titles(self, name: str) -> list[str]:
        return [lens.command.title for lens in await self.lenses(name) if lens.command]

    async def click(self, name: str, title: str) -> Any:
        """Execute the command of a code lens."""
        lens = next(lens for lens in await self.lenses(name) if lens.command and lens.command.title.startswith(title))
        assert lens.command is not None
        return await self.command(lens.command.command, *(lens.command.arguments or []))

    async def actions(self, name: str, line: int, character: int = 0) -> dict[str, types.Command]:
        cursor = types.Position(line, character)
        document = types.TextDocumentIdentifier(self.uri(name))
        params = types.CodeActionParams(document, types.Range(cursor, cursor), types.CodeActionContext([]))
        actions = await within(self.client.text_document_code_action_async(params)) or []
        return {action.title: _command(action) for action in actions}

    async def command(self, name: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(name, arguments=list(arguments))
        return await within(self.client.workspace_execute_command_async(params))

    async def find(self) -> Any:
        """The first question about the failing test."""
        return await self.command("adebug.findBug", self.uri("test_cart.py"), "test_from_a_hundred_on")

    async def answer_all(self, question: Any, most: int = 20) -> Any:
        """Answer from `MEANT`, up to the verdict."""
        for _ in range(most):
            if question["type"] != "question":
                return question
            question = await self.command("adebug.answer", meant(question["text"]))
        raise AssertionError(f"no verdict after {most} answers")

    def diagnostics(self, name: str, severity: types.DiagnosticSeverity) -> list[types.Diagnostic]:
        diagnostics = self.client.diagnostics.get(self.uri(name), [])
        return [diagnostic for diagnostic in diagnostics if diagnostic.severity == severity]

    def errors(self, name: str) -> list[types.Diagnostic]:
        return self.diagnostics(name, types.DiagnosticSeverity.Error)

    def faded(self, name: str) -> list[types.Diagnostic]:
        return self.diagnostics(name, types.DiagnosticSeverity.Hint)


def _command(action: types.Command | types.CodeAction) -> types.Command:
    """The command of an action. lsprotocol parses an action with a command as a `Command` whose fields are text."""
    if isinstance(action, types.CodeAction):
        assert action.command is not None
        return action.command
    return types.Command(**ast.literal_eval(action.command))


def meant(text: str) -> str:
    return next(answer for part, answer in MEANT.items() if part in text)


def text_at(text: str, place: types.Range) -> str:
    """The part of a text, without wide characters, in a range."""
    lines = text.split("\n")
    if place.start.line == place.end.line:
        return lines[place.start.line][place.start.character : place.end.character]
    first, last = lines[place.start.line][place.start.character :], lines[place.end.line][: place.end.character]
    return "\n".join([first, *lines[place.start.line + 1 : place.end.line], last])


async def within(waited: Awaitable[T], seconds: float = PATIENCE) -> T:
    return await asyncio.wait_for(waited, seconds)


async def until(condition: Callable[[], T | None], seconds: float = PATIENCE) -> T:
    """Poll until a condition is true; returns its value."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not (value := condition()):
        assert asyncio.get_running_loop().time() < deadline, "it did not happen in time"
        await asyncio.sleep(0.02)
    return value


def feature(client: LanguageClient, name: str) -> Callable[[Handler], Handler]:
    """Registers a handler of a server message. Typed: `feature` of pygls 2.1 has no return type."""
    return cast("Callable[[Handler], Handler]", client.feature(name))


async def stop(client: LanguageClient) -> None:
    """Stop a client. Typed: `stop` of pytest-lsp 1.0 has no annotations."""
    await within(client.stop())  # type: ignore[no-untyped-call]


@asynccontextmanager
async def editor(folder: Path, profile: str = PROFILES[2], *packages: Path, **options: Any) -> AsyncIterator[Editor]:
    """A running editor with a server of its own, which also finds what is installed in the folders of packages."""
    client = make_test_lsp_client()
    person = Editor(client, folder)

    @feature(client, types.WINDOW_SHOW_MESSAGE_REQUEST)
    def asked(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        person.asked.append(params)
        title = person.reply(params)
        return None if title is None else types.MessageActionItem(title)

    @feature(client, types.WORKSPACE_CODE_LENS_REFRESH)
    def refreshed(_params: None) -> None:
        return None

    @feature(client, "adebug/projection")
    def projection(params: Any) -> None:
        person.projections.append(params)

    path = os.pathsep.join(map(str, (*packages, ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    await client.start_io(*SERVER, cwd=str(ROOT), env=environment)
    try:
        params = types.InitializeParams(
            capabilities=client_capabilities(profile),
            root_uri=folder.as_uri(),
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
            initialization_options={"interpreter": sys.executable, **options},
        )
        await within(client.initialize_session(params))
        yield person
        await within(client.shutdown_session())
    finally:
        if client._server is not None and client._server.returncode is None:
            client._server.kill()  # the test has failed already
        await stop(client)
