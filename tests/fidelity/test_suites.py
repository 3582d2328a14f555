"""A recorded run behaves as the bare one: whole test suites, and programs that use all of the language.

All of it runs in every version of the interpreter that the machine has, or in the one that `FIDELITY_PYTHON` names.
Suites that take more than a few seconds, other versions than the first, and most programs recorded at the level
`calls` are marked as `suites`: `make test-fidelity` runs those. What has to be downloaded may be missing on a machine
without a network; under CI it may not.
"""

import os
import signal
from collections.abc import Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from tests.fidelity.compare import (
    EXIT_CODES,
    NoTestsError,
    compare,
    constructs,
    differences,
    passed,
)
from tests.fidelity.fetch import FetchError
from tests.fidelity.interpreters import interpreters
from tests.fidelity.running import BARE, CALLS, CARELESS, FULL, UNCHANGED, How, Seen
from tests.fidelity.suites import PACKAGES, STANDARD, Package, Standard

PYTHONS = interpreters()
VERSION = next(iter(PYTHONS))
QUICK = ("itsdangerous", "test_grammar", "test_scope", "test_unpack_ex")
"""Suites that cover much of the language in a second or two."""

NOT_PURE = {
    "deep": "at the very limit of recursion there is no room for the frame that writes the tape away",
    "recursion": "Python code puts words on the tape, so that the limit is reached up to three calls earlier",
}
"""Constructs that sometimes behave differently when recorded without the C part, with the reason."""
PURE = os.environ.get("ADEBUG_PURE") == "1"

CHECKED = [pytest.param("semver", marks=pytest.mark.suites), "test_fractions", "statements"]
"""A package, a part of the standard library and a construct: with them it is checked that differences are seen."""

LEAST_PASSED = {("test_calendar", (3, 15)): 0.8}
"""Parts of a suite that pass bare, where that is less than usual: 17 of these 98 tests need locales that we lack."""

CONSTRUCTS = [
    pytest.param(
        path.stem,
        how,
        version,
        id=f"{path.stem}-{how.name}-{version[0]}.{version[1]}",
        marks=[] if version == VERSION and (how is FULL or number % 4 == 0) else pytest.mark.suites,
    )
    for version in PYTHONS
    for how in ((FULL, CALLS) if version == VERSION else (FULL,))
    for number, path in enumerate(constructs(version))
    if not (PURE and path.stem in NOT_PURE)
]


def in_each(suites: Sequence[Package | Standard]) -> list[ParameterSet]:
    """Each suite in each version that can run it; the long ones and other versions than this are marked."""
    return [
        pytest.param(
            suite.name,
            version,
            id=f"{suite.name}-{version[0]}.{version[1]}",
            marks=[] if suite.name in QUICK and version == VERSION else pytest.mark.suites,
        )
        for version in PYTHONS
        for suite in suites
        if not suite.slow and suite.since <= version
    ]


def compared(name: str, how: How, version: tuple[int, int] = VERSION) -> tuple[Seen, Seen, list[str]]:
    try:
        return compare(name, PYTHONS[version], how)
    except (FetchError, NoTestsError) as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"not on this machine: {error}")


def shown(differing: list[str]) -> str:
    return "\n".join(differing[:20])


@pytest.mark.parametrize(("name", "version"), in_each(PACKAGES))
def test_a_package_passes_its_tests_alike(name: str, version: tuple[int, int]) -> None:
    bare, recorded, differing = compared(name, FULL, version)
    assert not differing, shown(differing)
    assert bare.code == 0, bare.output[-2000:]
    assert passed(bare) > 100
    assert recorded.recording > 10_000


@pytest.mark.parametrize(("name", "version"), in_each(STANDARD))
def test_a_part_of_the_standard_library_passes_its_tests_alike(name: str, version: tuple[int, int]) -> None:
    bare, recorded, differing = compared(name, FULL, version)
    assert not differing, shown(differing)
    assert bare.code == 0, bare.errors[-2000:]
    assert passed(bare) >= LEAST_PASSED.get((name, version), 0.85) * len(bare.tests) > 0
    assert recorded.recording > 0


@pytest.mark.parametrize(("name", "how", "version"), CONSTRUCTS)
def test_a_program_shows_the_same_to_the_byte(name: str, how: How, version: tuple[int, int]) -> None:
    bare, recorded, differing = compared(name, how, version)
    assert not differing, shown(differing)
    ends = -signal.SIGTERM if name == "terminated" and os.name == "posix" else EXIT_CODES.get(name, 0)
    assert bare.code == ends, bare.errors[-2000:]
    assert bare.output
    assert recorded.recording > 0


@pytest.mark.parametrize(
    "version",
    [
        pytest.param(version, id=f"{version[0]}.{version[1]}", marks=[] if version == VERSION else pytest.mark.suites)
        for version in PYTHONS
    ],
)
def test_patches_of_the_standard_library_affect_only_the_program(version: tuple[int, int]) -> None:
    bare, recorded, differing = compared("fakes", FULL, version)
    assert not differing, shown(differing)
    assert bare.code == 0, bare.errors[-2000:]
    assert recorded.recording > 10_000


@pytest.mark.parametrize("name", CHECKED)
def test_a_changed_comparison_in_each_module_is_noticed(name: str) -> None:
    _bare, _other, differing = compared(name, CARELESS)
    assert differing


@pytest.mark.parametrize("how", [BARE, UNCHANGED], ids=lambda how: how.name)
@pytest.mark.parametrize("name", CHECKED)
def test_unchanged_objects_give_no_differences(name: str, how: How) -> None:
    _bare, _other, differing = compared(name, how)
    assert not differing, shown(differing)


def seen(**changes: Any) -> Seen:
    plain: dict[str, Any] = {
        "code": 0,
        "output": "a\nb\n",
        "errors": "",
        "tests": {"t": ["passed"]},
        "warnings": ["w"],
        "recording": 0,
    }
    return Seen(**{**plain, **changes})


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"code": 1}, "exit code 0 became 1"),
        ({"tests": {"t": ["failed"]}}, "t: ['passed'] became ['failed']"),
        ({"tests": {}}, "t: ['passed'] became None"),
        ({"tests": {"t": ["passed"], "u": ["passed"]}}, "u: None became ['passed']"),
        ({"warnings": []}, "warning gone: w"),
        ({"warnings": ["w", "w"]}, "new warning: w"),
        ({"output": "a\nc\n"}, "stdout differs from line 2 on: 'b\\n' became 'c\\n'"),
        ({"output": "a\n"}, "stdout differs from line 2 on: 'b\\n' became 'the end'"),
        ({"errors": "x"}, "stderr differs from line 1 on: 'the end' became 'x'"),
    ],
)
def test_each_kind_of_difference_is_named(changes: dict[str, object], named: str) -> None:
    (difference,) = differences(seen(), seen(**changes), whole_output=True)
    assert difference.startswith(named)


def test_equal_runs_do_not_differ_and_output_is_compared_on_request() -> None:
    assert not differences(seen(), seen(recording=5), whole_output=True)
    assert not differences(seen(), seen(output="other"), whole_output=False)
