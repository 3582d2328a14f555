"""Reads launch configurations. The error for an invalid one names the field.

Fields for the arguments of a test runner (`pytest`) and for an interpreter (`python`) come from the languages.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from adebug_lsp.frontends.shared.open_session import SessionOptions
from adebug_lsp.frontends.shared.options import (
    CONSOLES,
    Option,
    Where,
    interpreter_options,
    options_of,
    runner_fields,
)
from adebug_lsp.frontends.shared.recordings import Note, note_of, with_changes
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Language, Request
from adebug_lsp.languages.reference_tree import check_reference
from adebug_lsp.model.errors import BadInputError, BadOptionError


@frozen
class Launch:
    """A valid launch configuration."""

    cwd: Path
    workspace: Path
    program: Path | None = None
    module: str | None = None
    runner: str | None = None
    """The test runner, which is also the name of its field."""
    tests: tuple[str, ...] | None = None
    """Its arguments."""
    recording: Path | None = None
    call: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str | None] = {}
    interpreter: str | None = None
    console: str = CONSOLES[0]
    reference: str | None = None
    timeout: float | None = None
    test: str | None = None
    """The failing test to ask about; None: the first."""
    whole: bool = False
    """Whether all tests are recorded."""
    stop_on_entry: bool = False
    no_debug: bool = False
    just_my_code: bool = True
    custom_events: bool = False
    options: SessionOptions = SessionOptions()

    @property
    def target_name(self) -> str:
        """The name of the program, module, recording or test runner."""
        return str(self.program or self.module or self.recording or self.runner)

    @property
    def needs_terminal(self) -> bool:
        """Whether the client runs the program in a terminal of its own, as debugpy requests it."""
        has_debugger = self.language().descriptor.debugger is not None
        return self.recording is None and self.console != CONSOLES[0] and has_debugger

    def language(self) -> Language:
        """The language of the program, tests or recording; raises `BadInputError` if there is none."""
        if self.recording is not None:
            language = registry.language_of_recording(self.recording)
            if language is None:
                raise BadInputError(f"recording: {self.recording} is not a recording of adebug")
            return language
        if self.runner is not None:
            return registry.language_of_runner(self.runner)
        if self.program is not None:
            return registry.language_of(self.program)
        return registry.language(registry.DEFAULT_LANGUAGE)

    def request(self) -> Request:
        """The run to record."""
        return Request(
            self.workspace,
            program=self.program,
            module=self.module,
            tests=self.tests,
            call=self.call,
            args=self.args,
            interpreter=None if self.interpreter is None else Path(self.interpreter),
            timeout=self.timeout,
            folder=self.cwd,
            environment=with_changes(self.env),
        )

    def note(self, seconds: float) -> Note:
        """The note that is stored next to the recording of a run that took this long."""
        return evolve(note_of(self.language().name, self.request(), seconds), folder=str(self.cwd))


def read_launch(arguments: object) -> Launch:
    """Read and check the configuration of a launch request; raises `BadInputError`. Unknown fields are ignored."""
    if not isinstance(arguments, dict):
        raise BadInputError("launch: the configuration is an object")
    config = {name: value for name, value in arguments.items() if value is not None}
    for name, option in fields().items():
        problem = option.problem(config[name]) if name in config else ""
        if problem:
            raise BadOptionError(problem)
        if any("\0" in text for text in _texts_in(config.get(name))):
            raise BadInputError(f"{name}: contains a null byte, which cannot be passed to a program")
    _check_target(config)
    cwd = _folder("cwd", config.get("cwd", "."), Path())
    workspace = _folder("workspace", config.get("workspace", "."), cwd)
    runner = next((name for name in test_runners() if name in config), None)
    interpreter_field = next((name for name in interpreter_fields() if name in config), None)
    tests = None if runner is None else config[runner]
    launch = Launch(
        cwd=cwd,
        workspace=workspace,
        program=_file(config, "program", cwd),
        module=config.get("module"),
        runner=runner,
        tests=(tests,) if isinstance(tests, str) else None if tests is None else tuple(tests),
        recording=_file(config, "recording", cwd),
        call=config.get("call"),
        args=tuple(config.get("args", ())),
        env=config.get("env", {}),
        interpreter=None if interpreter_field is None else _interpreter(interpreter_field, config, cwd),
        console=config.get("console", CONSOLES[0]),
        reference=_reference(config.get("reference"), cwd, workspace),
        timeout=config.get("timeout"),
        test=config.get("test"),
        whole=config.get("whole", False),
        stop_on_entry=config.get("stopOnEntry", False),
        no_debug=config.get("noDebug", False),
        just_my_code=config.get("justMyCode", True),
        custom_events=config.get("customEvents", False),
        options=_session_options(config),
    )
    _check_layout(launch)
    return launch


def _check_layout(launch: Launch) -> None:
    """Raise `BadInputError` for a reference that has no file in common with the workspace."""
    if launch.reference is None or launch.recording is not None:
        return
    try:
        check_reference(launch.reference, launch.workspace, launch.language().descriptor.reference_suffixes)
    except BadInputError as error:
        raise BadInputError(f"reference: {error}") from error


def _check_target(config: Mapping[str, Any]) -> None:
    """Raise `BadOptionError` unless exactly one program, module, recording or test runner is named."""
    choices = ("program", "module", *test_runners(), "recording")
    named = [name for name in choices if name in config]
    if not named:
        raise BadInputError(f"program: set one of {', '.join(choices)}")
    if len(named) > 1:
        raise BadInputError(f"{named[1]}: set either {named[0]} or {named[1]}, not both")
    if "call" in config and named[0] not in ("program", "module"):
        raise BadInputError(f"call: only valid with program or module, not with {named[0]}")
    if "args" in config and named[0] not in ("program", "module"):
        raise BadInputError(f"args: only valid with program or module, not with {named[0]}")


def _session_options(config: Mapping[str, Any]) -> SessionOptions:
    return SessionOptions(
        config.get("strategy"),
        config.get("granularity"),
        fresh=config.get("fresh", False),
        transform=tuple(config.get("transform", ())),
        oracle_seconds=config.get("oracleTime"),
    )


def _folder(name: str, text: str, above: Path) -> Path:
    folder = _path(name, text, above).absolute()
    if not folder.is_dir():
        raise BadInputError(f"{name}: {folder} is not a folder")
    return folder


def _file(config: Mapping[str, Any], name: str, cwd: Path) -> Path | None:
    if name not in config:
        return None
    file = _path(name, config[name], cwd)
    if not file.is_file():
        raise BadInputError(f"{name}: {file} {'is not a file' if file.exists() else 'is not there'}")
    return file


def _path(name: str, text: str, above: Path) -> Path:
    """A path relative to a folder; raises `BadInputError` for text that cannot be a path."""
    try:
        path = above / Path(text).expanduser()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInputError(f"{name}: not a valid path: {reason}") from error
    return path


def _interpreter(field: str, config: Mapping[str, Any], cwd: Path) -> str:
    """A command stays as it is; a path is relative to the program's working directory."""
    text = str(config[field])
    command = text if Path(text).name == text else str(_path(field, text, cwd))
    if shutil.which(command) is None:
        raise BadInputError(f"{field}: {text} cannot be run")
    return command


def _reference(spec: str | None, cwd: Path, workspace: Path) -> str | None:
    """A git revision as it is; anything else is a path, which must exist."""
    if spec is None:
        return None
    if spec.startswith("git:"):
        return spec
    places = [_path("reference", spec, folder) for folder in (cwd, workspace)]
    existing = next((place for place in places if place.exists()), None)
    if existing is None:
        raise BadInputError(f"reference: {places[0]} does not exist; give a folder, a file or git:REVISION")
    return str(existing)


def _texts_in(value: object) -> Iterator[str]:
    """The strings in the value of a field."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        parts = value if isinstance(value, list) else [*value, *value.values()]
        yield from (part for part in parts if isinstance(part, str))


def fields() -> dict[str, Option]:
    """Every field of a launch configuration, those of installed languages among them."""
    languages = registry.descriptors().values()
    of_languages = [*runner_fields(languages), *interpreter_options(languages)]
    return {**{option.name: option for option in of_languages}, **options_of(Where.LAUNCH)}


def test_runners() -> list[str]:
    """The fields that hold the arguments of a language's test runner."""
    return [option.name for option in runner_fields(registry.descriptors().values())]


def interpreter_fields() -> list[str]:
    """The fields that name a language's interpreter."""
    return [option.name for option in interpreter_options(registry.descriptors().values())]
