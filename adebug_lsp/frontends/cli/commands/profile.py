"""`adebug profile`: runs a program and shows its symbolic costs by cost centre."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from adebug_lsp.frontends.cli.render.escape import print_error, print_lines
from adebug_lsp.frontends.shared.flame_graph import as_html, as_json, as_speedscope, as_table
from adebug_lsp.languages import registry
from adebug_lsp.languages.cost_profile import CostProfile, ProfileRequest
from adebug_lsp.model.errors import BadInputError


def run(options: Namespace) -> int:
    """Run the program; its output goes to standard error if standard output is for JSON."""
    program = Path(options.program)
    output = sys.stderr if options.json else sys.stdout

    def write(text: str) -> None:
        output.write(text)
        output.flush()

    request = ProfileRequest(
        program,
        Path(options.workspace),
        write,
        sys.stdin.readline,
        options.per_function,
        options.instrumented,
        options.timeout,
    )
    profile = registry.language_of(program).profile(request)
    if profile.message:
        print_error(profile.message)
    if options.json:
        print(as_json(profile), flush=True)
    else:
        print_lines(*as_table(profile))
    _write(options.speedscope, profile, lambda: as_speedscope(profile, program.name))
    _write(options.html, profile, lambda: as_html(profile, program.name))
    return profile.exit_code


def _write(file: str | None, profile: CostProfile, text: Callable[[], str]) -> None:
    if file is None:
        return
    try:
        Path(file).write_text(text(), encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{file}: cannot be written: {error.strerror}") from error
    print_error(f"wrote {file}: {len(profile.centres)} cost centres")
