"""Hypothesis looks at the same examples in every run, so that a newcomer sees what CI saw; `make fuzz` looks at others.

Workers of a parallel run look like ordinary runs to what they start.
"""

import atexit
import os
import shutil
import tempfile

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)  # a busy machine is no find
settings.register_profile("fuzz", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fuzz" if os.environ.get("ADEBUG_FUZZ") else "same")

# Tests do not fill the user's cache; workers share the one of the run.
if "XDG_CACHE_HOME" not in os.environ:
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="adebug-cache-")
    atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

# A test that runs pytest itself must not look like a worker of this run to it.
for name in [name for name in os.environ if name.startswith("PYTEST_XDIST")]:
    del os.environ[name]


@pytest.fixture(scope="session", autouse=True)
def plain_pytest() -> None:
    """What tests start loads no plug-ins of the developers' environment: they take seconds, and no test needs them.

    It is said when the first test begins: the workers of this run have loaded theirs by then.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
