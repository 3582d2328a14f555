"""`adebug run`, `adebug test` and `adebug record`: run a program under the recorder, and ask about the run.

The recording is on disk, with a note of its request, before the first question is asked.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adebug_lsp.frontends.cli import ask
from adebug_lsp.frontends.cli.arguments import call_after
from adebug_lsp.frontends.cli.render.escape import print_error, print_lines
from adebug_lsp.frontends.cli.render.progress_bar import phases_for, progress_for
from adebug_lsp.frontends.shared.last_green import last_green as find_last_green
from adebug_lsp.frontends.shared.options import interpreter_options
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.frontends.shared.recordings import record as record_and_keep
from adebug_lsp.frontends.shared.wording import run_ended
from adebug_lsp.languages import registry
from adebug_lsp.languages.builtin import BUILTIN_LANGUAGES
from adebug_lsp.languages.language import Language, NothingToAskError, Request, TestsInterruptedError
from adebug_lsp.languages.reference_tree import check_reference
from adebug_lsp.model.errors import BadInputError, MissingFileError


def run(options: Namespace) -> int:
    """Record a program or a module, then ask."""
    return _record_and_ask(*_program(options), options)


def test(options: Namespace) -> int:
    """Run the tests, record one that failed, then ask about it."""
    language = registry.language_of_tests(Path(options.workspace), options.rest)
    return _record_and_ask(language, _request(options, tests=tuple(options.rest)), options)


def record(options: Namespace) -> int:
    """Record to a file that the user names, and ask nothing."""
    out = Path(options.out)
    if options.rest[:1] == ["test"] and options.module is None and options.script is None:
        language = registry.language_of_tests(Path(options.workspace), options.rest[1:])
        request = _request(options, tests=tuple(options.rest[1:]))
    else:
        language, request = _program(options)
    if not out.absolute().parent.is_dir():
        raise MissingFileError(f"{out}: there is no folder {out.parent}")
    with progress_for(None) as progress:
        ended = language.record(request, out, progress)
    print_lines(f"{out}: {run_ended(ended)}")
    return 0


def _record_and_ask(language: Language, request: Request, options: Namespace) -> int:
    """Record a run, keep the recording, then ask about it."""
    if options.answers is not None and not os.access(options.answers, os.R_OK):
        raise MissingFileError(f"--answers {options.answers}: the file does not exist or cannot be read")
    _choose_reference(options)
    if options.reference is not None:
        check_reference(options.reference, request.workspace, language.descriptor.reference_suffixes)
    recordings = Recordings(Path(options.workspace))
    recording = recordings.new()
    if recordings.problem:
        print_error(recordings.problem)
    shown = progress_for if request.tests is None else phases_for
    whole, test = getattr(options, "whole", False), getattr(options, "test", None)
    last_green = getattr(options, "last_green", False)
    try:
        with shown(options.channel) as progress, input_apart(options):
            recorded = record_and_keep(recordings, recording, language, request, progress, test=test, whole=whole)
    except NothingToAskError as error:
        return ask.nothing_to_ask(error, options)
    except TestsInterruptedError as error:
        ask.nothing_to_ask(error, options)
        return 130
    if options.channel is None and not recorded.request.selected:
        print_lines(run_ended(recorded.ended))
    if last_green:
        with progress_for(options.channel) as progress:
            revision = find_last_green(language, recorded.request, options.since, progress)
        options.reference = f"git:{revision}"
        if options.channel is None:
            print_lines(f"the test passes in {revision[:12]}, which is the reference")
    return ask.about_recording(recording, language, options, recorded.entry)


def _choose_reference(options: Namespace) -> None:
    """Resolve the ways to name a reference; raises `BadInputError` if there are two."""
    last_green = getattr(options, "last_green", False)
    if options.reference is not None and (options.since is not None or last_green):
        raise BadInputError("name one reference: --reference, or --since and --last-green")
    if options.since is not None and not last_green:
        options.reference = f"git:{options.since}"


def _program(options: Namespace) -> tuple[Language, Request]:
    """The request for `PROGRAM [ARGS]`, `-m MODULE [ARGS]` or `--script NAME [ARGS]`."""
    rest = list(options.rest)
    default = registry.DEFAULT_LANGUAGE
    if options.script is not None:
        return registry.language(default), _request(options, script=options.script, args=tuple(rest))
    if options.module is not None:
        call, rest = call_after(rest)
        request = _request(options, module=options.module, call=options.call or call, args=tuple(rest))
        return registry.language(default), request
    if not rest:
        raise BadInputError("name a program: adebug run PROGRAM, adebug run -m MODULE, or adebug run --script NAME")
    program = Path(rest[0])
    if not program.is_file():
        raise MissingFileError(f"{program}: {'is not a file' if program.exists() else 'there is no such file'}")
    call, rest = call_after(rest[1:])
    return registry.language_of(program), _request(
        options, program=program, call=options.call or call, args=tuple(rest)
    )


def _request(
    options: Namespace,
    *,
    program: Path | None = None,
    module: str | None = None,
    script: str | None = None,
    tests: tuple[str, ...] | None = None,
    call: str | None = None,
    args: tuple[str, ...] = (),
) -> Request:
    return Request(
        workspace=Path(options.workspace).absolute(),
        program=program,
        module=module,
        script=script,
        tests=tests,
        call=call,
        args=args,
        interpreter=next((_named(text) for text in _interpreters(options)), None),
        level=options.level,
        timeout=options.timeout,
    )


def _interpreters(options: Namespace) -> list[str]:
    """The interpreters that options name."""
    names = [option.name for option in interpreter_options(BUILTIN_LANGUAGES)]
    return [text for name in names if (text := vars(options)[name]) is not None]


def _named(python: str) -> Path:
    """An interpreter as typed: `./python` is a file and `python` a command; `Path` would make them equal."""
    return Path(os.path.abspath(python) if os.path.dirname(python) else python)


@contextmanager
def input_apart(options: Namespace) -> Iterator[None]:
    """Give the program an empty input if answers are piped in; it would read them otherwise."""
    sys.stdout.flush()
    if options.json or options.answers is not None or sys.stdin is None or sys.stdin.isatty():
        yield
        return
    kept, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)
