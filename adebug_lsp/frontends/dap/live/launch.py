"""What a launch configuration asks for. One that cannot be understood is refused with the name of the field."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from adebug_lsp.frontends.shared.open_session import SessionOptions
from adebug_lsp.frontends.shared.options import CONSOLES, Where, options_of
from adebug_lsp.frontends.shared.recordings import Note, note_of, with_changes
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Language, Request
from adebug_lsp.languages.reference_tree import check_reference
from adebug_lsp.model.errors import BadInputError, BadOptionError

DEFAULT_LANGUAGE = "python"
"""The language of modules, which no file name tells."""
_RUNNERS = ("pytest", "eunit")
_WHAT = ("program", "module", *_RUNNERS, "recording")


@frozen
class Launch:
    """A configuration that was understood."""

    cwd: Path
    workspace: Path
    program: Path | None = None
    module: str | None = None
    runner: str | None = None
    """What runs the tests, by the name of its field."""
    tests: tuple[str, ...] | None = None
    """Its arguments."""
    recording: Path | None = None
    call: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str | None] = {}
    python: str | None = None
    console: str = CONSOLES[0]
    reference: str | None = None
    timeout: float | None = None
    test: str | None = None
    """Which failing test to ask about; None: the first."""
    stop_on_entry: bool = False
    no_debug: bool = False
    just_my_code: bool = True
    custom_events: bool = False
    options: SessionOptions = SessionOptions()

    @property
    def what(self) -> str:
        """The name of what is run."""
        return str(self.program or self.module or self.recording or self.runner)

    @property
    def needs_terminal(self) -> bool:
        """Whether the client is to run the program in a terminal, as debugpy asks it to."""
        has_debugger = self.language().debugger is not None
        return self.recording is None and self.console != CONSOLES[0] and has_debugger

    def language(self) -> Language:
        """The language of what is launched; raises `BadInputError` where there is none."""
        if self.recording is not None:
            found = registry.language_of_recording(self.recording)
            if found is None:
                raise BadInputError(f"recording: {self.recording} is no recording")
            return found
        if self.runner is not None:
            return registry.language_of_runner(self.runner)
        return registry.language(DEFAULT_LANGUAGE) if self.program is None else registry.language_of(self.program)

    def request(self) -> Request:
        """The run to record."""
        return Request(
            self.workspace,
            program=self.program,
            module=self.module,
            tests=self.tests,
            call=self.call,
            args=self.args,
            interpreter=None if self.python is None else Path(self.python),
            timeout=self.timeout,
            folder=self.cwd,
            environment=with_changes(self.env),
        )

    def note(self, seconds: float) -> Note:
        """What is written down about the run, which took so long."""
        return evolve(note_of(self.language().name, self.request(), seconds), folder=str(self.cwd))


def read_launch(arguments: object) -> Launch:
    """The configuration in a launch request; raises `BadInputError`. Fields that are not ours are the client's own."""
    if not isinstance(arguments, dict):
        raise BadInputError("launch: the configuration is an object")
    given = {name: value for name, value in arguments.items() if value is not None}
    for name, option in FIELDS.items():
        problem = option.problem(given[name]) if name in given else ""
        if problem:
            raise BadOptionError(problem)
        if any("\0" in text for text in _texts_in(given.get(name))):
            raise BadInputError(f"{name}: there is a zero byte in it, which no program can be given")
    _exactly_one(given)
    cwd = _folder("cwd", given.get("cwd", "."), Path())
    workspace = _folder("workspace", given.get("workspace", "."), cwd)
    runner = next((name for name in _RUNNERS if name in given), None)
    tests = None if runner is None else given[runner]
    launch = Launch(
        cwd=cwd,
        workspace=workspace,
        program=_file(given, "program", cwd),
        module=given.get("module"),
        runner=runner,
        tests=(tests,) if isinstance(tests, str) else None if tests is None else tuple(tests),
        recording=_file(given, "recording", cwd),
        call=given.get("call"),
        args=tuple(given.get("args", ())),
        env=given.get("env", {}),
        python=_interpreter(given.get("python"), cwd),
        console=given.get("console", CONSOLES[0]),
        reference=_reference(given.get("reference"), cwd, workspace),
        timeout=given.get("timeout"),
        test=given.get("test"),
        stop_on_entry=given.get("stopOnEntry", False),
        no_debug=given.get("noDebug", False),
        just_my_code=given.get("justMyCode", True),
        custom_events=given.get("customEvents", False),
        options=_session_options(given),
    )
    _check_layout(launch)
    return launch


def _check_layout(launch: Launch) -> None:
    """Refuse a reference that has nothing of what is to be run."""
    if launch.reference is None or launch.recording is not None:
        return
    try:
        check_reference(launch.reference, launch.workspace, launch.language().laid_out)
    except BadInputError as error:
        raise BadInputError(f"reference: {error}") from error


def _exactly_one(given: Mapping[str, Any]) -> None:
    named = [name for name in _WHAT if name in given]
    if not named:
        raise BadInputError(f"program: what is to be run? One of {', '.join(_WHAT)} is needed")
    if len(named) > 1:
        raise BadInputError(f"{named[1]}: set either {named[0]} or {named[1]}, not both")
    if "call" in given and named[0] not in ("program", "module"):
        raise BadInputError(f"call: it goes with program or module, not with {named[0]}")
    if "args" in given and named[0] not in ("program", "module"):
        raise BadInputError(f"args: they go with program or module, not with {named[0]}")


def _session_options(given: Mapping[str, Any]) -> SessionOptions:
    return SessionOptions(given.get("strategy"), given.get("granularity"), fresh=given.get("fresh", False))


def _folder(name: str, text: str, above: Path) -> Path:
    found = _path(name, text, above).absolute()
    if not found.is_dir():
        raise BadInputError(f"{name}: {found} is not a folder")
    return found


def _file(given: Mapping[str, Any], name: str, cwd: Path) -> Path | None:
    if name not in given:
        return None
    found = _path(name, given[name], cwd)
    if not found.is_file():
        raise BadInputError(f"{name}: {found} {'is not a file' if found.exists() else 'is not there'}")
    return found


def _path(name: str, text: str, above: Path) -> Path:
    """A path from a folder on; raises where the system cannot even look for it."""
    try:
        found = above / Path(text).expanduser()
        found.exists()
    except (OSError, RuntimeError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else error
        raise BadInputError(f"{name}: this cannot be a path: {told}") from error
    return found


def _interpreter(text: str | None, cwd: Path) -> str | None:
    """A command as it is, a path from where the program runs."""
    if text is None:
        return None
    named = text if Path(text).name == text else str(_path("python", text, cwd))
    if shutil.which(named) is None:
        raise BadInputError(f"python: {text} is no program that can be run")
    return named


def _reference(spec: str | None, cwd: Path, workspace: Path) -> str | None:
    """A revision of git as it is, anything else as a path, which must be there."""
    if spec is None:
        return None
    if spec.startswith("git:"):
        return spec
    places = [_path("reference", spec, folder) for folder in (cwd, workspace)]
    found = next((place for place in places if place.exists()), None)
    if found is None:
        raise BadInputError(f"reference: {places[0]} is not there; give a folder, a file or git:REVISION")
    return str(found)


def _texts_in(value: object) -> Iterator[str]:
    """The texts that a value of a field has in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        parts = value if isinstance(value, list) else [*value, *value.values()]
        yield from (part for part in parts if isinstance(part, str))


FIELDS = options_of(Where.LAUNCH)
