"""The corpus: packages, and their bugs by versions and name of a test."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("corpus.toml")
PYTEST = "pytest==8.4.2"


@frozen
class Package:
    """A package on the index, and what its tests need."""

    name: str
    modules: tuple[str, ...]
    """Import names of its code."""

    tests: tuple[str, ...] = ("tests",)
    """Patterns of the folders and files that hold its tests, relative to the source distribution."""

    requires: tuple[str, ...] = ()
    """Requirements of the tests beside pytest and those of the package."""

    collects: tuple[str, ...] = ("test_*.py", "*_test.py", "tests.py")
    """Patterns of the files that pytest collects."""


@frozen
class Bug:
    """A test of release `fixed` that fails with the code of release `buggy`."""

    package: Package
    buggy: str
    fixed: str
    later: str | None
    """A release after `fixed` with which the test passes, too."""

    test: str
    """Node id of the test."""

    @property
    def name(self) -> str:
        return f"{self.package.name} {self.buggy} -> {self.fixed}, {self.test}"


@frozen
class Corpus:
    """All packages and all bugs of a file."""

    packages: tuple[Package, ...]
    bugs: tuple[Bug, ...]

    def package(self, name: str) -> Package:
        """The package of this name; one that the file does not list is taken to have the usual layout."""
        known = {package.name: package for package in self.packages}
        return known.get(name) or Package(name, (name.replace("-", "_"),))

    def bugs_of(self, names: Iterable[str]) -> list[Bug]:
        """The bugs of these packages; all if none is named."""
        wanted = set(names)
        return [bug for bug in self.bugs if not wanted or bug.package.name in wanted]


def load(file: Path = FILE) -> Corpus:
    """Reads a corpus file."""
    data = tomllib.loads(file.read_text("utf-8"))
    packages = {one["name"]: _package(one) for one in data.get("package", ())}
    bugs = [
        Bug(packages[one["package"]], one["buggy"], one["fixed"], one.get("later"), one["test"])
        for one in data.get("bug", ())
    ]
    return Corpus(tuple(packages.values()), tuple(bugs))


def entry(bug: Bug, comment: str) -> str:
    """The text of a bug in a corpus file."""
    fields = {"package": bug.package.name, "buggy": bug.buggy, "fixed": bug.fixed, "later": bug.later, "test": bug.test}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value is not None]
    return "\n".join(["[[bug]]", f"# {comment}", *lines, ""])


def _package(data: dict[str, Any]) -> Package:
    default = Package(data["name"], (data["name"].replace("-", "_"),))
    lists = {key: tuple(data.get(key, getattr(default, key))) for key in ("modules", "tests", "requires", "collects")}
    return Package(data["name"], **lists)
