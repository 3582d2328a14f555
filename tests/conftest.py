"""Hypothesis profiles and the environment of test processes.

Hypothesis uses the same examples in every run, so that failures in CI can be reproduced; `make fuzz` uses new ones.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.warm_start import CAN_FORK, serving

settings.register_profile("same", derandomize=True, deadline=None)  # a busy machine is no find
settings.register_profile("fuzz", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fuzz" if os.environ.get("ADEBUG_FUZZ") else "same")

# Keep tests out of the user's cache; workers share one cache per run.
if "XDG_CACHE_HOME" not in os.environ:
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="adebug-cache-")
    atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

# A pytest process started by a test must not take itself for a worker of this run.
for name in [name for name in os.environ if name.startswith("PYTEST_XDIST")]:
    del os.environ[name]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: tests wait for other processes during a third of their time."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


@pytest.fixture(scope="session", autouse=True)
def plain_pytest() -> None:
    """Keeps processes started by tests from loading pytest plug-ins, which takes seconds and which no test needs.

    Set when the first test begins, because the workers of this run have loaded their own plug-ins by then.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


FEW = 100
"""For fewer tests, no server for their commands is started."""


@pytest.fixture(scope="session", autouse=True)
def warm_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lets `warm_start.COMMAND` fork from a process that has imported adebug."""
    if CAN_FORK and len(request.session.items) > FEW:
        with serving():
            yield
    else:
        yield
