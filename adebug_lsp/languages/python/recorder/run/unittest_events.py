"""Writes the start, the end and the failures of unittest's tests to the tape, whatever runner runs them.

Every runner has a `TestResult`: that of `python -m unittest`, of `unittest.main`, and of Django's `manage.py test`.
Tests have the names that pytest gives them.
"""

import os
from collections.abc import Callable
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..tape.tape import Recorder
from .pytest_events import TEST_BEGIN, TEST_END, TEST_FAILED
from .user_code import UserCode

if TYPE_CHECKING:
    from unittest import TestCase

Error = tuple[type[BaseException], BaseException, TracebackType | None]
"""What `sys.exc_info` returns."""

LAST_BEFORE = "unittest.case"
"""A module that is loaded right after the one with `TestResult`: `unittest/__init__.py`, CPython 3.10 to 3.15."""
_programs: Any = import_module("sys")
"""The program's own `sys`."""


class UnittestEvents:
    """Wraps the methods of a `TestResult` to write its tests to the tape."""

    def __init__(self, recorder: Recorder, user_code: UserCode) -> None:
        self._recorder, self._user_code = recorder, user_code
        self._running = ""
        """The name of the test that is running; empty if none is."""
        self._failed = False

    def watch(self) -> None:
        """Wrap the methods of `TestResult`, which must be loaded."""
        result = _programs.modules["unittest.result"].TestResult
        notes: dict[str, Callable[..., None]] = {
            "startTest": self._start,
            "stopTest": self._stop,
            "addError": self._fail,
            "addFailure": self._fail,
            "addSubTest": self._fail_part,
        }
        for name, note in notes.items():
            setattr(result, name, _noting(getattr(result, name), note))

    def _start(self, test: "TestCase") -> None:
        self._running, self._failed = self._name(test), False
        self._recorder.tape.extend((TEST_BEGIN, self._running))

    def _stop(self, _test: object) -> None:
        outcome = "failed" if self._failed else "passed"
        for phase in (f"call:{outcome}", "teardown:passed"):
            self._recorder.tape.extend((TEST_END, self._running, phase))
        self._running = ""

    def _fail_part(self, test: object, _part: object, error: Error | None) -> None:
        if error is not None:
            self._fail(test, error)

    def _fail(self, _test: object, error: Error) -> None:
        """Record a failure; outside of a test, such as in `setUpClass` or an import, it is one of the whole run."""
        if not self._running:
            return
        self._failed = True
        frames, trace = [], error[2]
        while trace is not None:
            frames.append((os.path.realpath(trace.tb_frame.f_code.co_filename), trace.tb_lineno))
            trace = trace.tb_next
        self._recorder.tape.extend((TEST_FAILED, self._running, _message(error), tuple(frames)))

    def _name(self, test: "TestCase") -> str:
        """`tests/test_cart.py::TestCart::test_total`, or what unittest calls it."""
        module = _programs.modules.get(type(test).__module__)
        file, method = getattr(module, "__file__", None), getattr(test, "_testMethodName", None)
        path = None if type(file) is not str else self._user_code.path(file)
        if path is None or type(method) is not str:
            return str(test.id())
        return "::".join([path, *type(test).__qualname__.split("."), method])


def _message(error: Error) -> str:
    """The first line of an exception."""
    text = str(error[1]).partition("\n")[0]
    return f"{error[0].__name__}: {text}"[:500] if text else str(error[0].__name__)


def _noting(method: Callable[..., object], note: Callable[..., None]) -> Callable[..., object]:
    """A method that makes a note first; its name, docstring and module are those of the original."""

    def noting(result: object, *args: object, **kwargs: object) -> object:
        if not kwargs:
            note(*args)
        return method(result, *args, **kwargs)

    noting.__name__, noting.__qualname__, noting.__doc__ = method.__name__, method.__qualname__, method.__doc__
    noting.__module__ = method.__module__
    return noting
