"""`adebug doctor`: reports which tools are installed, which are missing, and how to get them.

Only a missing part of adebug itself is an error; any other finding is advice. Languages have their own probes.
"""

import importlib.metadata
import json
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from attrs import asdict

from adebug_lsp import __version__
from adebug_lsp.languages import registry
from adebug_lsp.languages.descriptor import LanguageDescriptor
from adebug_lsp.languages.diagnosis import Finding, Probe, Status, dotted, install_command, output_of, version_in
from adebug_lsp.model.json import to_json
from adebug_lsp.store.integrity import FILE_NAME, FOLDER_NAME, DamagedError, NewerError, examine

NEEDED = "adebug"
"""The topic whose findings must all be ok."""


def report() -> list[Finding]:
    """All findings for this installation and the current directory, in the order of topics."""
    workspace = Path.cwd()
    probes: list[Probe] = [
        _adebug_and_its_libraries,
        *_language_probes(workspace),
        _git,
        *(partial(_editor, program) for program in _EDITORS),
        partial(_store, workspace),
    ]
    with ThreadPoolExecutor(len(probes)) as pool:
        return [finding for findings in pool.map(lambda probe: probe(), probes) for finding in findings]


def _language_probes(workspace: Path) -> list[Probe]:
    """The probes of every language; a language whose package is broken is a finding and does not affect the others."""
    return [probe for descriptor in registry.descriptors().values() for probe in _probes_of(descriptor, workspace)]


def _probes_of(language: LanguageDescriptor, workspace: Path) -> list[Probe]:
    try:
        return language.probes(workspace)
    except Exception as error:  # the code of another package may raise anything
        detail = f"cannot be loaded: {type(error).__name__}: {error}"
        finding = Finding(language.name, language.name, Status.BROKEN, detail, "reinstall the package that provides it")
        return [lambda: [finding]]


def render(findings: Sequence[Finding]) -> str:
    """The findings as text for people: a block for each topic, a line for each thing, advice below it."""
    width = max((len(finding.name) for finding in findings), default=0)
    lines: list[str] = []
    topic = ""
    for finding in findings:
        if finding.topic != topic:
            topic = finding.topic
            lines += ["", topic] if lines else [topic]
        lines.append(f"  {finding.status.value:<8} {finding.name:<{width}}  {finding.detail}".rstrip())
        if finding.advice:
            lines.append(f"  {'':<8} {'':<{width}}  -> {finding.advice}")
    return "\n".join(lines)


def run(json_output: bool) -> int:
    """Print the report; the exit code is 0 unless adebug itself cannot work."""
    findings = report()
    works = all(finding.status is Status.OK for finding in findings if finding.topic == NEEDED)
    if json_output:
        text = json.dumps({"ok": works, "findings": [to_json(finding) for finding in findings]})
    else:
        text = render(findings)
    encoding = sys.stdout.encoding or "utf-8"  # a path may have characters that the terminal's encoding lacks
    print(text.encode(encoding, "backslashreplace").decode(encoding))
    return 0 if works else 1


def _adebug_and_its_libraries() -> list[Finding]:
    python = f"Python {dotted(sys.version_info[:3])}, {sys.executable}"
    return [
        Finding(NEEDED, "adebug", Status.OK, f"{__version__}, on {python}"),
        *(
            _needed_package(name)
            for name in ("attrs", "cattrs", "debugpy", "numpy", "platformdirs", "pygls", "wcwidth")
        ),
        Finding(NEEDED, "SQLite", Status.OK, sqlite3.sqlite_version),
    ]


def _needed_package(name: str) -> Finding:
    try:
        return Finding(NEEDED, name, Status.OK, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        advice = f"{sys.executable} -m pip install {name}"
        return Finding(NEEDED, name, Status.MISSING, f"not installed for {sys.executable}", advice)


# Other programs


def _git() -> list[Finding]:
    path = shutil.which("git")
    advice = "to compare with an earlier version: " + install_command(apt="git", brew="git", winget="Git.Git")
    if path is None:
        return [Finding("git", "git", Status.MISSING, "", advice)]
    version = version_in(output_of([path, "--version"]))
    if version is None:
        return [Finding("git", "git", Status.BROKEN, f"{path} does not run", advice)]
    return [Finding("git", "git", Status.OK, f"{version}, {path}")]


_EDITORS = {
    "code": "VS Code",
    "code-server": "code-server",
    "nvim": "Neovim",
    "emacs": "Emacs",
    "hx": "Helix",
    "kate": "Kate",
}
"""Each editor's program on PATH, and its name."""


def _editor(program: str) -> list[Finding]:
    path = shutil.which(program)
    if path is None:
        return [Finding("editors", _EDITORS[program], Status.MISSING, f"no {program} on PATH", _editor_advice(program))]
    # Some editors cannot print their version without a display; they still count as installed.
    version = version_in(output_of([path, "--version"]))
    return [Finding("editors", _EDITORS[program], Status.OK, f"{version}, {path}" if version else path)]


def _editor_advice(program: str) -> str:
    if program == "code":
        return "if you have it, run 'Shell Command: Install code command in PATH' in it; else see code.visualstudio.com"
    return (
        "if you want it: "
        + {
            "code-server": "npm install --global code-server",
            "nvim": install_command(apt="neovim", brew="neovim", winget="Neovim.Neovim"),
            "emacs": install_command(apt="emacs", brew="emacs", winget="GNU.Emacs"),
            "hx": "see docs.helix-editor.com/install.html",
            "kate": "see kate-editor.org/get-it",
        }[program]
    )


# The store


def _store(workspace: Path) -> list[Finding]:
    file = str(workspace / FOLDER_NAME / FILE_NAME)
    name = "store"
    try:
        contents = examine(workspace)
    except NewerError as error:
        return [Finding(name, name, Status.OLD, f"{file}: {error}", "upgrade adebug: pip install --upgrade adebug-lsp")]
    except DamagedError as error:
        advice = "nothing to do: the next session sets it aside and creates a new one"
        return [Finding(name, name, Status.BROKEN, f"{file}: {error}", advice)]
    except (OSError, sqlite3.Error) as error:
        advice = "check its permissions; until then sessions save nothing"
        return [Finding(name, name, Status.BROKEN, f"{file}: {error}", advice)]
    if contents is None:
        return [Finding(name, name, Status.OK, "none here yet; the first session creates it")]
    counts = ", ".join(f"{count} {kind}" for kind, count in asdict(contents).items())
    return [Finding(name, name, Status.OK, f"{counts}; {file}")]
