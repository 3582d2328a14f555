"""The commands of `workspace/executeCommand`, for everything that a user can do.

A command returns plain data: the question or the verdict as in the JSON protocol, or an error, which is also shown to
the user.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from lsprotocol import types

from adebug_lsp.frontends.lsp.followed_session import read_followed
from adebug_lsp.frontends.lsp.investigation import Investigation
from adebug_lsp.frontends.lsp.record import StoppedError, progress_shown, record, run_program
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.frontends.lsp.view import View
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.export import Exported, exported
from adebug_lsp.frontends.shared.json_protocol import error_line
from adebug_lsp.frontends.shared.verify import report, verify
from adebug_lsp.languages import registry
from adebug_lsp.languages.elapsed_progress import ticking
from adebug_lsp.languages.language import Language, Piece, Request
from adebug_lsp.languages.reference_tree import check_reference
from adebug_lsp.model.errors import AdebugError, BadAnswerError, BadInputError
from adebug_lsp.store.store import Store

Data = dict[str, Any]

FIND_BUG = "adebug.findBug"
CONFIGURATION = "adebug.configuration"
FOLLOW = "adebug.follow"
ANSWER = "adebug.answer"
UNDO = "adebug.undo"
WHY = "adebug.why"
REJECT = "adebug.reject"
VERIFY = "adebug.verify"
SAVE_AS_TEST = "adebug.saveAsTest"
FORGET = "adebug.forget"
STOP = "adebug.stop"

_SILENT_SECONDS = 1.0
"""Seconds of work after which progress is shown."""


def register(server: Server) -> None:
    """Register all commands."""
    handlers: dict[str, Callable[..., Awaitable[Data]]] = {
        FIND_BUG: find_bug,
        CONFIGURATION: configuration,
        FOLLOW: follow,
        ANSWER: answer,
        UNDO: undo,
        WHY: why,
        REJECT: reject,
        VERIFY: verify_fix,
        SAVE_AS_TEST: save_as_test,
        FORGET: forget,
        STOP: stop,
    }
    for name, handler in handlers.items():
        server.command(name)(_guarded(name, handler))


def _guarded(name: str, handler: Callable[..., Awaitable[Data]]) -> Callable[..., Awaitable[Data]]:
    """Return every known error as data, and show it."""
    wanted = [parameter for parameter in signature(handler).parameters.values() if parameter.name != "server"]

    async def command(ls: Server, *arguments: object) -> Data:
        ls.commands += 1
        try:
            _check(name, wanted, arguments)
            return await handler(ls, *arguments)
        except StoppedError as error:
            return error_line(error)
        except AdebugError as error:
            ls.show_message(f"adebug: {wording.error(error)}", types.MessageType.Error)
            return error_line(error)
        finally:
            ls.commands -= 1

    return command


def _check(name: str, wanted: Sequence[Parameter], arguments: Sequence[object]) -> None:
    """Raise `BadInputError` for arguments that do not fit."""
    needed = sum(parameter.default is Parameter.empty for parameter in wanted)
    if not needed <= len(arguments) <= len(wanted):
        raise BadInputError(f"{name}: takes {needed} to {len(wanted)} arguments, not {len(arguments)}")
    for parameter, value in zip(wanted, arguments, strict=False):
        if not isinstance(value, parameter.annotation):
            raise BadInputError(f"{name}: {parameter.name} cannot be {value!r}")


# Finding the bug


async def find_bug(server: Server, where: str = "", name: str | None = None) -> Data:
    """Record a piece of a document, a test by its name, or with no argument the test that failed last; then ask."""
    language, request = _target(server, where, name)
    if server.settings.reference is not None:
        suffixes = language.descriptor.reference_suffixes
        await asyncio.to_thread(check_reference, server.settings.reference, request.workspace, suffixes)
    async with progress_shown(server, "adebug") as progress:
        recording = await record(server, language, request, progress)
        problem = server.problem_handler()
        settings, root, stop = server.settings, server.root(), server.stop_oracles

        def begin() -> Investigation:
            return Investigation(recording, language, root, settings, progress=progress, problem=problem, stop=stop)

        view = await server.investigate(begin)
    return _show_result(server, view, [])


async def configuration(server: Server, where: str = "", name: str | None = None) -> Data:
    """The launch configuration with which a debug adapter records the same."""
    language, request = _target(server, where, name)
    launch: dict[str, object] = {
        "program": None if request.program is None else str(request.program),
        "call": request.call,
    }
    if language.descriptor.test_runner is not None and request.tests is not None:
        launch[language.descriptor.test_runner] = list(request.tests)
    return {"type": "configuration", "launch": {field: value for field, value in launch.items() if value is not None}}


async def follow(server: Server, session: object = None) -> Data:
    """Show the session that a debug adapter holds; None: it has ended."""
    if session is None:
        await server.follow_no_more()
        return {"type": "stopped"}
    return (await server.follow(read_followed(session))).line


def _target(server: Server, where: str, name: str | None) -> tuple[Language, Request]:
    """The language and the request for a test, or for a runnable piece of a document."""
    if name is None:
        language, test = _test(server, where)
        return language, _request(server, tests=(test,))
    document = server.documents.at(where)
    if document is None or document.outline is None:
        raise BadInputError(f"{where}: cannot be read, or has errors")
    if server.documents.root is None:
        server.use_root(document.file.parent)
    piece = next((piece for piece in document.outline.pieces if piece.runnable and piece.name == name), None)
    if piece is None:
        raise BadInputError(f"{where}: no {name!r} here can be run")
    return document.language, _request(server, document.file, piece)


def _test(server: Server, name: str) -> tuple[Language, str]:
    """The named test, or the first one that failed last time, with its language."""
    if name:
        return registry.language_of_tests(server.root(), [name]), name
    for language in registry.languages():
        failing = language.failing(server.root())
        if failing:
            return language, failing[0]
    raise BadInputError("no failed test is known; run the tests, or choose one in the editor")


def _request(
    server: Server, file: Path | None = None, piece: Piece | None = None, tests: tuple[str, ...] | None = None
) -> Request:
    """The request to run a file, a piece of it, or tests, with the settings of the server."""
    settings = server.settings
    tests = piece.tests if piece is not None else tests
    return Request(
        workspace=server.root(),
        program=file if tests is None else None,
        tests=tests,
        call=None if piece is None else piece.call,
        interpreter=None if settings.interpreter is None else Path(settings.interpreter),
        timeout=settings.timeout,
        folder=server.root(),
    )


# Answers


async def answer(server: Server, words: str, number: int | None = None) -> Data:
    """Answer the open question; with a number only if that is the open one."""
    view = server.view
    if number is not None and (view is None or view.number != number):
        raise BadAnswerError("that question is no longer open")
    answering = asyncio.ensure_future(server.answer(words))
    if not (await asyncio.wait([answering], timeout=_SILENT_SECONDS))[0]:
        async with progress_shown(server, "adebug") as progress:
            with ticking(progress, "looking for the next question"):
                await asyncio.wait([answering])
    now, messages = await answering
    return _show_result(server, now, messages)


async def undo(server: Server) -> Data:
    """Undo the last answer."""
    return await answer(server, "undo")


async def reject(server: Server) -> Data:
    """Reject the verdict."""
    return await answer(server, "reject")


async def why(server: Server) -> Data:
    """Explain the question, or list the answers behind the verdict."""
    view = server.view
    if view is not None and not view.asks:
        text = "\n".join([view.text, *(answer.text for answer in view.chain)])
        server.show_message(text)
        return {**view.line, "why": text}
    return await answer(server, "why")


def _show_result(server: Server, view: View, messages: list[str]) -> Data:
    """Show messages or the verdict after an answer; returns the result of the command."""
    if messages:
        server.show_message("\n".join(messages))
    elif not view.asks:
        server.show_message(view.text, types.MessageType.Warning)
    return {**view.line, **({"messages": messages} if messages else {})}


# After the verdict


async def verify_fix(server: Server) -> Data:
    """Run again, and show which answers hold now."""
    root, problem, recording = server.root(), server.problem_handler(), server.recording
    async with progress_shown(server, "adebug: verifying") as progress:
        verified = await run_program(
            server, lambda output, stop: verify(root, progress, problem, recording, output=output, stop=stop)
        )
    lines = report(verified)
    server.show_message("\n".join(lines), types.MessageType.Info if verified.holds else types.MessageType.Warning)
    if verified.holds and server.view is not None and not server.view.asks:
        await server.end_session()  # its verdict is outdated
    else:
        await server.refresh(force=True)
    return {"type": "verified", "holds": verified.holds, "report": lines}


async def save_as_test(server: Server, name: str | None = None) -> Data:
    """Write the answers as tests to a new file."""
    root = server.root()
    made = await server.work(lambda: _tests(root, name))
    if not made.count:
        raise BadInputError(wording.NOTHING_TO_EXPORT)
    made.write()
    server.show_message(wording.exported(name or made.file.name, made.count, made.left_out))
    return {"type": "saved", "path": str(made.file), "tests": made.count}


def _tests(root: Path, name: str | None) -> Exported:
    with Store.open(root) as store:
        return exported(store.answers.all(), root, name, root)


async def forget(server: Server, verdict: str) -> Data:
    """Dismiss a verdict."""
    if not await server.dismiss(verdict):
        raise BadInputError("there is no such verdict")
    return {"type": "forgotten"}


async def stop(server: Server) -> Data:
    """End the program being recorded, or otherwise the session; its answers are kept."""
    server.stop_oracles.set()
    if server.stop_run is not None:
        server.stop_run.set()
        while server.stop_run is not None:
            await asyncio.sleep(0.02)
    else:
        await server.end_session()
    return {"type": "stopped"}
