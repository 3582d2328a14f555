"""The command `adebug`: parses the arguments, runs one command, and prints every known error as one line.

Exit codes: 0 done, 1 no verdict, 2 bad usage or bad input, 130 interrupted.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from adebug_lsp import __version__
from adebug_lsp.frontends.cli.arguments import (
    add_asking,
    add_program,
    add_recording,
    add_tests,
    add_workspace,
    split,
    split_tests,
)
from adebug_lsp.frontends.cli.render.escape import print_error, tolerate_encodings
from adebug_lsp.frontends.shared.options import add_argument
from adebug_lsp.model.errors import AdebugError, MissingFileError

EPILOG = """\
examples:
  adebug run shop.py 3 4                           find the bug in a run of a program, by answering questions
  adebug test tests/test_shop.py                   find the bug behind a failing test
  adebug open examples/sqrtest.json                find the bug in a hand-made tree
  adebug simulate examples/sqrtest.json --all      compare all strategies on that tree
  adebug slice --at pay.py:12 --variable total     show what a value of the newest recording depends on
  adebug doctor                                    check the installation

Strategies: {names}.
Settings go after a colon: combined:heaviest-first=2,divide-by-yes=5 or divide-and-query-biased:loop=2,lambda=0.
"""

_COLLECTING = 200_000, 20, 20
"""Thresholds of the garbage collector. With Python's defaults, collecting what imports have created and keep takes a
tenth of the time to the first question.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    gc.set_threshold(*_COLLECTING)
    tolerate_encodings()
    options = _parsed(list(sys.argv[1:] if arguments is None else arguments))
    try:
        if getattr(options, "asks", False) and options.json:
            from adebug_lsp.frontends.cli.modes.json_lines import Channel  # noqa: PLC0415 (takes long, and a bad option should not)

            options.channel = Channel()
        if not Path(getattr(options, "workspace", ".")).is_dir():
            raise MissingFileError(f"{options.workspace}: there is no such folder")
        code = int(options.run(options))
        sys.stdout.flush()
    except AdebugError as error:
        print_error(f"{error} [{error.slug}]")
        if getattr(options, "channel", None) is not None:
            options.channel.fail(error)
        return 2
    except KeyboardInterrupt:
        print_error("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of our output is gone; keep the interpreter from reporting this when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """The options; for a command that runs a program, `rest` has the program's arguments."""
    parser, running = _parser()
    command = running.get(arguments[0]) if arguments else None
    if command is None:
        return parser.parse_args(arguments)
    parts = (split_tests if arguments[0] == "test" else split)(arguments[1:], command)
    options = parser.parse_args([arguments[0], *parts.own])
    options.rest = parts.rest
    return options


def _command(module: str, name: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command; its module is imported when it is called, so that `--help` is fast."""

    def run(options: argparse.Namespace) -> int:
        return int(getattr(import_module(f"adebug_lsp.frontends.cli.commands.{module}"), name)(options))

    return run


class _Parser(argparse.ArgumentParser):
    """Imports the strategies only for the help text, because that is slow."""

    def format_help(self) -> str:
        from adebug_lsp.search.strategies import names  # noqa: PLC0415 (takes long)

        self.epilog = EPILOG.format(names=", ".join(names()))
        return super().format_help()


def _parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser, and those of the commands that run a program."""
    parser = _Parser(
        prog="adebug",
        description="Finds a bug by asking: is this what the code should have done?",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"adebug {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser)
    running_commands = {"run": _add_run(commands), "test": _add_test(commands), "record": _add_record(commands)}
    _add_open(commands)
    _add_verify(commands)
    _add_diagram(commands)
    _add_profile(commands)
    _add_time_equations(commands)
    _add_slice(commands)
    _add_trace(commands)
    _add_answers(commands)
    _add_simulate(commands)
    _add_doctor(commands)
    _add_dap(commands)
    _add_lsp(commands)
    return parser, running_commands


def _add_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    command = commands.add_parser(
        "run",
        usage="adebug run [OPTIONS] PROGRAM [--call EXPR] [ARGS]\n       adebug run [OPTIONS] -m MODULE [ARGS]\n"
        "       adebug run [OPTIONS] --script NAME [ARGS]",
        help="record a program, and find its bug by answering questions",
        description="Records one run of a program, then asks about it until the bug is found.",
        allow_abbrev=False,
    )
    add_program(command)
    add_recording(command)
    add_asking(command)
    command.set_defaults(run=_command("run", "run"))
    return command


def _add_test(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    command = commands.add_parser(
        "test",
        usage="adebug test [OPTIONS] [PYTEST ARGS]\n       adebug test [OPTIONS] [FILE.erl | MODULE:TEST ...]",
        help="run the tests, and find the bug behind a failing one",
        description="Runs pytest at full speed, then records the first test that failed, alone, and asks about it "
        "until the bug is found. Where there is a rebar.config, or Erlang files are named, EUnit's tests are recorded.",
        allow_abbrev=False,
    )
    add_tests(command)
    add_recording(command)
    add_asking(command)
    command.set_defaults(run=_command("run", "test"))
    return command


def _add_record(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    command = commands.add_parser(
        "record",
        usage="adebug record [OPTIONS] -o FILE PROGRAM [ARGS]\n"
        "       adebug record [OPTIONS] -o FILE -m MODULE [ARGS]\n"
        "       adebug record [OPTIONS] -o FILE --script NAME [ARGS]\n"
        "       adebug record [OPTIONS] -o FILE test [PYTEST ARGS]",
        help="record a run to a file, for adebug open",
        description="Records one run to a file, and asks nothing.",
        allow_abbrev=False,
    )
    command.add_argument("-o", dest="out", metavar="FILE", required=True, help="the file to write")
    add_program(command)
    add_recording(command)
    add_workspace(command)
    command.set_defaults(run=_command("run", "record"))
    return command


def _add_open(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "open",
        help="find the bug in a recording or in a hand-made tree",
        description="Asks about a recorded run, or about the nodes of a hand-made tree, until the bug is found.",
    )
    command.add_argument(
        "file", metavar="FILE", help="a recording, or a tree as docs/reference/tree-json.md describes it"
    )
    add_asking(command)
    command.set_defaults(run=_command("open", "run"))


def _add_verify(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "verify",
        help="after a fix: run again, and check your answers against the new run",
        description="Runs the program of the workspace's last session again, and replays its answers.",
    )
    add_workspace(command)
    command.set_defaults(run=_command("verify", "run"))


def _add_diagram(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "diagram",
        help="show which process started which, and their messages",
        description="Shows the creation tree and the sequence of messages of a recorded run. The number in front is "
        "that of a node: in a session about the run, `restart NUMBER` looks for the bug from there.",
    )
    command.add_argument("file", metavar="FILE", nargs="?", help="a recording (default: the newest of the workspace)")
    command.add_argument("--svg", metavar="FILE", help="write a picture instead")
    add_workspace(command)
    command.set_defaults(run=_command("diagram", "run"))


def _add_profile(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "profile",
        help="count the symbolic costs of a lazy program by cost centre",
        description="Runs a program, and counts unfoldings, lookups, updates, allocations and cases for each cost "
        'centre `scc "name" e`, or for each function if there is none. See docs/reference/haskell.md.',
    )
    command.add_argument("program", metavar="PROGRAM", help="the program (FILE.hs)")
    command.add_argument(
        "--per-function", action="store_true", help="a cost centre for each function, also where the program names some"
    )
    command.add_argument(
        "--instrumented",
        action="store_true",
        help="count in an instrumented version of the program, to check the interpreter; centres have no paths",
    )
    command.add_argument("--json", action="store_true", help="one JSON object; the program's output goes to stderr")
    command.add_argument("--speedscope", metavar="FILE", help="also write a file for https://www.speedscope.app")
    command.add_argument("--html", metavar="FILE", help="also write a page with a flame graph")
    command.add_argument("--timeout", metavar="SECONDS", type=float, help="stop then, and show the costs up to then")
    add_workspace(command)
    command.set_defaults(run=_command("profile", "run"))


def _add_time_equations(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "time-equations",
        help="show the cost of functions of a lazy program as equations and in closed form",
        description="Transforms each first-order function to one that also returns its number of function unfoldings, "
        "runs it on growing inputs, and compares the costs with those in comments (-- cost: 2n + 3).",
    )
    command.add_argument("program", metavar="PROGRAM", help="the program (FILE.hs)")
    command.add_argument(
        "--call",
        metavar="EXPR",
        action="append",
        default=[],
        help="a call whose cost is wanted, such as 'nth n (from Z)': names that the program does not define are inputs "
        "of growing sizes; may be repeated (default: each function)",
    )
    command.add_argument("--json", action="store_true", help="one JSON object")
    add_workspace(command)
    command.set_defaults(run=_command("time_equations", "run"))


def _add_slice(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "slice",
        usage="adebug slice --at FILE:LINE [--variable NAME] [--nth N] [OPTIONS] [RECORDING]\n"
        "       adebug slice --of ROUTINE [--part ADDRESS] [--nth N] [OPTIONS] [RECORDING]\n"
        "       adebug slice --of 'CALL = PATTERN' [--also 'CALL = PATTERN'] [OPTIONS] [RECORDING]    (Haskell)",
        help="show what a value of a recorded run depends on",
        description="Shows the code that a value of a recorded run depends on, with the rest greyed out: the "
        "operations that computed it, the conditions that they were under, and the conditions that left it as it was.",
    )
    command.add_argument(
        "file", metavar="RECORDING", nargs="?", help="a recording (default: the newest of the workspace)"
    )
    value = command.add_argument_group("the value").add_mutually_exclusive_group(required=True)
    value.add_argument("--at", metavar="FILE:LINE", help="a line that ran, counted from 1: the value after it")
    value.add_argument("--of", metavar="ROUTINE", help="a routine that was called: a part of what it took or gave")
    which = command.add_argument_group("which one")
    which.add_argument(
        "--variable", metavar="NAME", help="with --at: the variable (default: all that the line computed)"
    )
    which.add_argument("--part", metavar="ADDRESS", help="with --of: such as result[2].name (default: result)")
    which.add_argument(
        "--also", metavar="CALL", action="append", default=[], help="Haskell: another call; the slices are united"
    )
    which.add_argument("--nth", metavar="N", type=int, help="the time that it ran, from 1 (default: the last)")
    kind = command.add_argument_group("the slice").add_mutually_exclusive_group()
    kind.add_argument("--forward", action="store_true", help="what depends on the value, instead of what it depends on")
    kind.add_argument("--chop", metavar="FILE:LINE[:NAME]", help="only the ways by which that value affects this one")
    kind.add_argument("--dice", metavar="FILE:LINE[:NAME]", help="leave out what that value, a right one, depends on")
    kind.add_argument(
        "--executable",
        metavar="FILE",
        help="write a program that computes the value and leaves out the rest; it is run first, to check that it does "
        "(a folder, if the program has several files)",
    )
    output = command.add_argument_group("output").add_mutually_exclusive_group()
    output.add_argument("--steps", action="store_true", help="the executed statements in order, instead of the source")
    output.add_argument("--json", action="store_true", help="one JSON object")
    output.add_argument("--html", metavar="FILE", help="write a page of HTML")
    output.add_argument("--latex", metavar="FILE", help="write a document for LaTeX")
    add_workspace(command)
    command.set_defaults(run=_command("slice", "run"))


def _add_trace(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "trace",
        help="show how a lazy program computed its values, call by call",
        description="Shows the trail of a Haskell program in rows `value = call`: after each call comes the one that "
        "its body ends in. An argument opens the trail that made it. In a terminal it is browsed with keys.",
    )
    command.add_argument("file", metavar="FILE", help="a recording, or a program, which is recorded first")
    value = command.add_argument_group("the trail").add_mutually_exclusive_group()
    value.add_argument("--of", metavar="CALL", help="that of a call, such as 'minmax [4, 1, 7]' (default: main)")
    value.add_argument("--open", metavar="ADDRESS", help="that of an argument, by its address in another trail")
    command.add_argument("--nth", metavar="N", type=int, help="with --of: which such call, from 1 (default: the first)")
    command.add_argument("--backwards", action="store_true", help="the value first")
    command.add_argument("--timeout", metavar="SECONDS", type=float, help="stop a program after this time")
    command.add_argument("--json", action="store_true", help="one JSON object")
    add_workspace(command)
    command.set_defaults(run=_command("trace", "run"))


def _add_answers(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("answers", help="list, forget or export the stored answers")
    parts = command.add_subparsers(metavar="WHAT", required=True)
    listing = parts.add_parser("list", help="every answer, with its number")
    listing.set_defaults(run=_command("answers", "show"))
    forgetting = parts.add_parser("forget", help="remove answers and trust")
    which = forgetting.add_mutually_exclusive_group(required=True)
    which.add_argument("what", metavar="NUMBER|NAME", nargs="?", help="one answer, or all about a routine or module")
    which.add_argument("--all", action="store_true", help="everything")
    forgetting.set_defaults(run=_command("answers", "forget"))
    exporting = parts.add_parser("export", help="write the answers as tests to a new file")
    exporting.add_argument(
        "-o", dest="out", metavar="FILE", help="the new file (default: test_answers.py, or answers_tests.erl for EUnit)"
    )
    exporting.set_defaults(run=_command("answers", "export"))
    for part in (listing, forgetting, exporting):
        add_workspace(part)


def _add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "simulate",
        help="run strategies on a tree with known wrong nodes",
        description="Runs a strategy on a tree whose wrong nodes are known, and shows its questions.",
    )
    command.add_argument("tree", metavar="TREE.json", help="the tree; docs/reference/tree-json.md describes the format")
    which = command.add_mutually_exclusive_group()
    which.add_argument("--strategy", metavar="NAME", help="the strategy to run (default: that of a session)")
    which.add_argument("--all", action="store_true", help="run all strategies")
    add_argument(command, "transform")
    command.add_argument(
        "--ask-root", action="store_true", help="ask about the root too, instead of assuming that it is wrong"
    )
    command.add_argument("--stop-at-rule", action="store_true", help="stop when all candidates execute the same rule")
    command.add_argument("--json", action="store_true", help="one JSON object for each strategy, instead of a table")
    command.set_defaults(run=_command("simulate", "run"))


def _add_doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser("doctor", help="check the installation, with advice on anything missing")
    command.add_argument("--json", action="store_true", help="one JSON object, instead of text")
    command.set_defaults(
        run=lambda options: import_module("adebug_lsp.frontends.cli.commands.doctor").run(json_output=options.json)
    )


def _add_dap(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "dap",
        help="serve an editor as a debug adapter",
        description="Speaks the Debug Adapter Protocol on standard input and output. See docs/reference/dap.md.",
    )
    command.add_argument("--port", metavar="N", type=int, help="serve clients that connect to this local port (0: any)")
    command.set_defaults(run=_command("serve", "dap"))


def _add_lsp(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    command = commands.add_parser(
        "lsp",
        help="serve an editor over the Language Server Protocol",
        description="A language server: questions, verdicts and values in any editor that speaks LSP.",
    )
    command.add_argument("--stdio", action="store_true", help="serve on standard input and output (the default)")
    command.add_argument("--tcp", metavar="PORT", type=int, help="serve one client on this port of 127.0.0.1")
    command.set_defaults(run=_command("serve", "lsp"))
