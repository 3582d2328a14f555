"""Adds a note to behaviours of code in which other processes took part, because what those did is not recorded."""

from functools import cached_property

import numpy as np
from attrs import define, evolve

from adebug_lsp.languages.python.reading.marker_index import Array, flags, places
from adebug_lsp.languages.python.reading.recorded_values import TypeInfo
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.recorder.contract import CHILD_STARTED
from adebug_lsp.model.behaviour import Behaviour

_PACKAGES = ("multiprocessing", "concurrent.futures.process", "asyncio.subprocess", "loky", "joblib", "billiard")
_CLASSES = ("subprocess.Popen",)
_EXECUTOR, _FUTURE = "concurrent.futures.process.ProcessPoolExecutor", "concurrent.futures._base.Future"
NOT_RECORDED = "what the child process did is not recorded"


@define(eq=False)
class ChildProcesses:
    """The starts of other processes in one run, and the uses of objects that communicate with them."""

    run: Run

    def noted(self, behaviour: Behaviour, first: int, last: int) -> Behaviour:
        """The behaviour of the code between two positions, with a note if other processes took part in it."""
        low, high = np.searchsorted(self._positions, [first, last + 1]).tolist()
        if low == high:
            return behaviour
        return evolve(behaviour, coarse=f"{behaviour.coarse}; {NOT_RECORDED}" if behaviour.coarse else NOT_RECORDED)

    @cached_property
    def _positions(self) -> Array:
        """Positions where a process was started, or an object that communicates with one was used; in order."""
        words = self.run.recording.words
        started = places(words, flags([CHILD_STARTED]))
        if not len(started):
            return started
        talking = self.run.recording.values.instances(_talks)
        if len(self.run.recording.values.instances(_is_executor)):
            talking = np.concatenate([talking, self.run.recording.values.instances(_is_future)])
        return np.sort(np.concatenate([started, np.flatnonzero(np.isin(words, talking))]))


def _talks(info: TypeInfo) -> bool:
    """Whether objects of a class communicate with other processes, or may."""
    in_package = any(f"{info.module}.".startswith(f"{package}.") for package in _PACKAGES)
    return in_package or info.full_name in _CLASSES


def _is_executor(info: TypeInfo) -> bool:
    return info.full_name == _EXECUTOR


def _is_future(info: TypeInfo) -> bool:
    """Whether a class is of futures; those of threads have the same class, so it counts only beside processes."""
    return info.full_name == _FUTURE
