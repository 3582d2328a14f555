"""A pytest plugin for the environment of a package: writes how each test ended, and which lines it executed.

Standard library only. `RELEASES_OUT` names the file, `RELEASES_TRACE` (optional) the folder whose lines are traced.
"""

import json
import os
import sys
import threading

import pytest

_FOLDER = os.environ.get("RELEASES_TRACE", "")
_executed = {}


def pytest_configure():
    if _FOLDER:
        sys.settrace(_trace)
        threading.settrace(_trace)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if item.session.testscollected and not getattr(item.session, "release_imports", False):
        item.session.release_imports = True
        _write({"test": "", "phase": "import", "executed": _lines()})
    _executed.clear()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    row = {"test": item.nodeid, "phase": report.when, "outcome": report.outcome, "seconds": call.duration}
    if call.excinfo is not None:
        last = call.excinfo.traceback[-1]
        row["exception"] = call.excinfo.typename
        row["message"] = str(call.excinfo.value)[:400]
        row["path"], row["line"] = str(last.path), last.lineno + 1
    if _FOLDER and report.when == "call":
        row["executed"] = _lines()
    _write(row)


def _trace(frame, _event, _arg):
    name = frame.f_code.co_filename
    if not name.startswith(_FOLDER):
        return None
    lines = _executed.setdefault(name, set())

    def local(frame, _event, _arg):
        lines.add(frame.f_lineno)
        return local

    lines.add(frame.f_lineno)
    return local


def _lines():
    return {os.path.relpath(name, _FOLDER).replace(os.sep, "/"): sorted(lines) for name, lines in _executed.items()}


def _write(row):
    with open(os.environ["RELEASES_OUT"], "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
