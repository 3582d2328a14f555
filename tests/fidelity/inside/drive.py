"""`python drive.py TEST [MODULE...]`: runs a test module of the standard library from the folder that this is in.

The modules under test are dropped if they are loaded already, so that they too come from this folder, whatever was
imported to get here. What happened to each test goes to the file named by `FIDELITY_OUTCOMES`.
"""

import doctest
import importlib.util
import io
import json
import os
import pkgutil
import sys
import unittest

import test
from test import support

HERE = os.path.dirname(os.path.abspath(__file__))


class Outcomes(unittest.TextTestResult):
    """Writes down every outcome under the test's name."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.found = {}

    def note(self, case, text, error=None):
        kind = "" if error is None else f" {error[0].__name__}: {error[1]}"
        self.found.setdefault(case.id(), []).append(text + kind)

    def addSuccess(self, case):
        super().addSuccess(case)
        self.note(case, "passed")

    def addError(self, case, err):
        super().addError(case, err)
        self.note(case, "error", err)

    def addFailure(self, case, err):
        super().addFailure(case, err)
        self.note(case, "failed", err)

    def addSkip(self, case, reason):
        super().addSkip(case, reason)
        self.note(case, f"skipped: {reason}")

    def addExpectedFailure(self, case, err):
        super().addExpectedFailure(case, err)
        self.note(case, "expected failure", err)

    def addUnexpectedSuccess(self, case):
        super().addUnexpectedSuccess(case)
        self.note(case, "unexpected success")

    def addSubTest(self, case, subtest, err):
        super().addSubTest(case, subtest, err)
        if err is not None:
            self.note(subtest, "failed", err)


def forget(modules):
    for name in list(sys.modules):
        if any(name == module or name.startswith(module + ".") for module in modules):
            del sys.modules[name]


def load(name):
    loader = unittest.defaultTestLoader
    folder = os.path.join(HERE, "test", name)
    if not os.path.isdir(folder):
        suite = loader.loadTestsFromName(f"test.{name}")
        # Before 3.11 some modules hold nothing but doctests, and do not say so to unittest.
        return suite if suite.countTestCases() else doctest.DocTestSuite(sys.modules[f"test.{name}"])
    inner = sorted(module.name for module in pkgutil.iter_modules([folder]) if module.name.startswith("test_"))
    return loader.loadTestsFromNames([f"test.{name}.{module}" for module in inner] or [f"test.{name}.__init__"])


def main():
    name, *modules = sys.argv[1:]
    support.use_resources = []
    test.__path__.insert(0, os.path.join(HERE, "test"))
    forget(modules)
    runner = unittest.TextTestRunner(io.StringIO(), resultclass=Outcomes, verbosity=0)
    result = runner.run(load(name))
    origins = {module: importlib.util.find_spec(module).origin for module in (f"test.{name}", *modules)}
    strangers = [module for module, origin in origins.items() if not origin.startswith(HERE)]
    if strangers:
        sys.exit(f"not loaded from the workspace: {', '.join(strangers)}")
    with open(os.environ["FIDELITY_OUTCOMES"], "w", encoding="utf-8") as file:
        json.dump({"tests": result.found, "warnings": []}, file)


if __name__ == "__main__":
    main()
