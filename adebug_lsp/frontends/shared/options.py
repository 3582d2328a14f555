"""Every option, declared once: for the command line, launch configurations, LSP settings and settings of VS Code.

The fields for a language's test runner and interpreter come from its descriptor. `manifest` generates the parts of
`editor/vscode` that follow from the declaration.
"""

import argparse
from collections.abc import Callable, Iterable
from enum import Enum, Flag, auto
from math import isfinite

from attrs import frozen

from adebug_lsp.languages.builtin import BUILTIN_LANGUAGES
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.transformations import ORIGINAL, TRANSFORMATIONS
from adebug_lsp.oracles.oracle import ORACLE_SECONDS

CONSOLES = ("internalConsole", "integratedTerminal", "externalTerminal")
GRANULARITIES = tuple(granularity.value for granularity in Granularity)
LEVELS = ("full", "calls")


class Kind(Enum):
    """The type of an option's value; the value describes it in errors."""

    TEXT = "a text"
    FLAG = "true or false"
    SECONDS = "a number of seconds"
    CHOICE = "one of {choices}"
    CHOICES = "a list of {choices}"
    STRATEGY = "the name of a strategy"
    TEXTS = "a list of strings"
    TEXT_OR_TEXTS = "a string or a list of strings"
    ENVIRONMENT = "an object that maps names (without =) to strings"


class Where(Flag):
    """The places in which an option can be set."""

    CLI = auto()
    LAUNCH = auto()
    """A field of a launch configuration."""
    LSP = auto()
    """A key of `initializationOptions`."""
    VSCODE = auto()
    """A setting `adebug.NAME`."""


class Group(Enum):
    """The groups of `--help`."""

    SESSION = "the session"
    RUN = "the run"
    PROGRAM = "what to run"
    TESTS = "the tests"
    WORKSPACE = "options"


@frozen
class Option:
    """One option. Its name is that of the launch field and the setting; `flags` are those of the command line."""

    name: str
    kind: Kind
    help: str
    """A phrase without a capital letter and a full stop."""
    where: Where
    choices: tuple[str, ...] = ()
    default: object = None
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    group: Group = Group.SESSION
    details: str = ""
    """Sentences that editors show after the help."""
    scope: str = "resource"
    """The scope of the setting in VS Code."""
    setting_default: object = ""
    """The value of the setting in VS Code that means "not set"."""
    choice_help: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """The help as sentences, for editors."""
        return " ".join(filter(None, [f"{self.help[0].upper()}{self.help[1:]}.", self.details]))

    @property
    def wanted(self) -> str:
        """A description of a valid value, for errors."""
        return self.kind.value.format(choices=", ".join(self.choices))

    def problem(self, value: object) -> str:
        """Why a value from JSON is invalid; empty if it is valid."""
        if self.kind is Kind.CHOICE:
            valid = value in self.choices
        elif self.kind is Kind.CHOICES:
            valid = isinstance(value, list) and all(item in self.choices for item in value)
        else:
            valid = _CHECKS[self.kind](value)
        if not valid:
            return f"{self.name}: must be {self.wanted}, not {value!r}"
        return _unknown_strategy(str(value)) if self.kind is Kind.STRATEGY else ""


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_environment(value: object) -> bool:
    """Whether a value maps names of environment variables to strings, or to None to remove one."""
    return isinstance(value, dict) and all(
        name and "=" not in name and isinstance(item, str | None) for name, item in value.items()
    )


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value > 0


def _unknown_strategy(name: str) -> str:
    from adebug_lsp.search.strategies import strategy  # noqa: PLC0415 (takes long, and `--help` should not)

    try:
        strategy(name)
    except AdebugError as error:
        return f"strategy: {error}"
    return ""


_CHECKS: dict[Kind, Callable[[object], bool]] = {
    Kind.TEXT: _is_text,
    Kind.FLAG: lambda value: isinstance(value, bool),
    Kind.SECONDS: _is_time,
    Kind.STRATEGY: _is_text,
    Kind.TEXTS: _are_texts,
    Kind.TEXT_OR_TEXTS: lambda value: _is_text(value) or _are_texts(value),
    Kind.ENVIRONMENT: _is_environment,
}


def runner_fields(languages: Iterable[LanguageDescriptor]) -> list[Option]:
    """The launch fields for the arguments of the languages' test runners."""
    return [
        Option(
            language.test_runner,
            Kind.TEXT_OR_TEXTS,
            language.test_arguments,
            Where.LAUNCH,
            details="Questions are about the first test that fails.",
        )
        for language in languages
        if language.test_runner is not None
    ]


def interpreter_options(languages: Iterable[LanguageDescriptor]) -> list[Option]:
    """The options that name the interpreters of languages."""
    return [
        Option(
            language.interpreter_field,
            Kind.TEXT,
            "the interpreter that runs the program",
            Where.CLI | Where.LAUNCH,
            flags=(f"--{language.interpreter_field}",),
            metavar="PATH",
            group=Group.RUN,
        )
        for language in languages
        if language.interpreter_field is not None
    ]


_FOLDER = "${workspaceFolder}"
_TRANSFORMATIONS = tuple(name for name in TRANSFORMATIONS if name != ORIGINAL)
_ALL = Where.CLI | Where.LAUNCH | Where.LSP | Where.VSCODE
OPTIONS = (
    # What to run
    Option("program", Kind.TEXT, "the file to run", Where.LAUNCH),
    Option(
        "module",
        Kind.TEXT,
        "the module to run, as python -m does",
        Where.CLI | Where.LAUNCH,
        flags=("-m",),
        metavar="MODULE",
        group=Group.PROGRAM,
    ),
    *runner_fields(BUILTIN_LANGUAGES),
    Option("recording", Kind.TEXT, "a recording to open; nothing is run", Where.LAUNCH),
    Option(
        "call",
        Kind.TEXT,
        "load the program, then evaluate this expression and ask about it",
        Where.CLI | Where.LAUNCH,
        flags=("--call",),
        metavar="EXPR",
        group=Group.PROGRAM,
    ),
    Option("args", Kind.TEXTS, "arguments for the program or the module", Where.LAUNCH),
    Option("env", Kind.ENVIRONMENT, "environment variables; null removes one", Where.LAUNCH),
    Option("cwd", Kind.TEXT, "working directory of the program", Where.LAUNCH, default=_FOLDER),
    Option(
        "workspace",
        Kind.TEXT,
        "the folder of your code, with the store in it",
        Where.CLI | Where.LAUNCH,
        default=_FOLDER,
        flags=("--workspace",),
        metavar="DIR",
        group=Group.WORKSPACE,
    ),
    *interpreter_options(BUILTIN_LANGUAGES),
    Option(
        "console",
        Kind.CHOICE,
        "where the program's input and output go",
        Where.LAUNCH,
        choices=CONSOLES,
        default=CONSOLES[0],
    ),
    # The run
    Option(
        "timeout",
        Kind.SECONDS,
        "stop the program after this many seconds, and ask about what it did",
        _ALL,
        flags=("--timeout",),
        metavar="S",
        group=Group.RUN,
        setting_default=0,
    ),
    Option(
        "level",
        Kind.CHOICE,
        "what is recorded: every sub-expression (full, the default), or calls only, which is faster",
        Where.CLI,
        choices=LEVELS,
        default=LEVELS[0],
        flags=("--level",),
        group=Group.RUN,
    ),
    Option("stopOnEntry", Kind.FLAG, "stop at the first line", Where.LAUNCH, default=False),
    Option("justMyCode", Kind.FLAG, "breakpoints and steps skip library code", Where.LAUNCH, default=True),
    Option(
        "test",
        Kind.TEXT,
        "the failing test to ask about, with a test runner or a recording (default: the first)",
        Where.CLI | Where.LAUNCH,
        flags=("--test",),
        metavar="NAME",
        group=Group.TESTS,
    ),
    Option(
        "whole",
        Kind.FLAG,
        "with a test runner: record all tests, instead of the failing one alone",
        Where.CLI | Where.LAUNCH,
        default=False,
        flags=("--whole",),
        group=Group.TESTS,
    ),
    # The session
    Option("json", Kind.FLAG, "JSON lines, so that a program can answer", Where.CLI, default=False, flags=("--json",)),
    Option(
        "answers",
        Kind.TEXT,
        "read the answers from a file, one per line; store nothing",
        Where.CLI,
        flags=("--answers",),
        metavar="FILE",
    ),
    Option(
        "oracle",
        Kind.TEXT,
        "a program that answers what it can, in JSON lines",
        Where.CLI,
        flags=("--oracle",),
        metavar="COMMAND",
    ),
    Option(
        "reference",
        Kind.TEXT,
        "a version known to be right, laid out like this one: a folder, a file, or git:REV",
        _ALL,
        flags=("--reference",),
        metavar="PATH|git:REV",
        details="It answers what it can; its code is run.",
    ),
    Option(
        "since",
        Kind.TEXT,
        "a revision of git in which the program was right: short for --reference git:REV",
        Where.CLI,
        flags=("--since",),
        metavar="REV",
    ),
    Option(
        "lastGreen",
        Kind.FLAG,
        "take the newest revision of git in which the test passes as reference, with --since at most back to that one",
        Where.CLI,
        default=False,
        flags=("--last-green",),
        group=Group.TESTS,
    ),
    Option(
        "oracleTime",
        Kind.SECONDS,
        "stop executing code of the reference after this many seconds, and ask you",
        _ALL,
        flags=("--oracle-time",),
        metavar="S",
        setting_default=ORACLE_SECONDS,
        details=f"Default: {ORACLE_SECONDS}.",
    ),
    Option(
        "strategy",
        Kind.STRATEGY,
        "strategy that picks the next question",
        _ALL,
        flags=("--strategy",),
        metavar="NAME",
        details="The default, expected-cost, asks what narrows the search most for the least reading.",
    ),
    Option(
        "transform",
        Kind.CHOICES,
        f"transform the execution tree first, in the order given: {', '.join(_TRANSFORMATIONS)}",
        Where.CLI | Where.LAUNCH,
        choices=_TRANSFORMATIONS,
        default=(),
        flags=("--transform",),
        metavar="NAME",
    ),
    Option(
        "granularity",
        Kind.CHOICE,
        "the finest code that questions are about (default: expression)",
        _ALL,
        choices=GRANULARITIES,
        flags=("--granularity",),
        setting_default="expression",
    ),
    Option(
        "askRoot",
        Kind.FLAG,
        "ask about the whole run too, instead of assuming that it is wrong",
        Where.CLI,
        default=False,
        flags=("--ask-root",),
    ),
    Option(
        "fresh",
        Kind.FLAG,
        "start over instead of resuming the saved session",
        Where.CLI | Where.LAUNCH,
        default=False,
        flags=("--fresh",),
    ),
    # Clients
    Option("noDebug", Kind.FLAG, "run without a debugger; clients set it themselves", Where.LAUNCH),
    Option("customEvents", Kind.FLAG, "send the events that are not part of the protocol", Where.LAUNCH),
    Option(
        "ask",
        Kind.CHOICE,
        "where questions are asked",
        Where.LSP,
        choices=("auto", "lens", "message", "notice"),
        default="auto",
    ),
    Option("projection", Kind.FLAG, "send adebug/projection notifications", Where.LSP, default=False),
    Option("inlayHints", Kind.FLAG, "show recorded values as inlay hints", Where.LSP, default=True),
    Option(
        "interpreter",
        Kind.TEXT,
        "the Python interpreter (3.10 or newer) that runs adebug and your programs",
        Where.LSP | Where.VSCODE,
        details="Empty: the one that the Python extension has selected, otherwise `python3`.",
        scope="machine-overridable",
    ),
    Option(
        "importStrategy",
        Kind.CHOICE,
        "the adebug to run",
        Where.VSCODE,
        choices=("useBundled", "fromEnvironment"),
        choice_help=("The adebug of this extension.", "The adebug that is installed for the interpreter."),
        scope="machine-overridable",
        setting_default="useBundled",
    ),
    Option(
        "offerOnException",
        Kind.FLAG,
        "offer to find the bug when an ordinary debug session of a Python program stops at an uncaught exception",
        Where.VSCODE,
        setting_default=True,
    ),
)
CLIENT_FIELDS = ("noDebug", "customEvents")
"""Launch fields that clients set; editors do not offer them to users."""


def options_of(where: Where) -> dict[str, Option]:
    """The options that can be set in a place, by name."""
    return {option.name: option for option in OPTIONS if where & option.where}


def add_arguments(parser: argparse.ArgumentParser, group: Group) -> None:
    """Add the options of a group to the parser of a command."""
    target: argparse._ActionsContainer = parser
    if group is not Group.WORKSPACE:
        target = parser.add_argument_group(group.value)
    for option in OPTIONS:
        if Where.CLI in option.where and option.group is group:
            _add_argument(target, option)


def add_argument(parser: argparse._ActionsContainer, name: str) -> None:
    """Add one option to the parser of a command."""
    _add_argument(parser, options_of(Where.CLI)[name])


def _add_argument(parser: argparse._ActionsContainer, option: Option) -> None:
    if option.kind is Kind.CHOICES:
        parser.add_argument(
            *option.flags, action="append", default=[], metavar=option.metavar, choices=option.choices, help=option.help
        )
    elif option.kind is Kind.FLAG:
        parser.add_argument(*option.flags, action="store_true", help=option.help)
    elif option.group is Group.WORKSPACE:
        help_text = f"{option.help} (default: the current one)"
        parser.add_argument(*option.flags, metavar=option.metavar, default=".", help=help_text)
    else:
        # A strategy is checked when the session begins, with a list of all names.
        parser.add_argument(
            *option.flags,
            dest=option.name,
            metavar=option.metavar,
            type=_seconds if option.kind is Kind.SECONDS else str,
            choices=option.choices or None,
            default=option.default,
            help=option.help,
        )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not _is_time(seconds):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds
