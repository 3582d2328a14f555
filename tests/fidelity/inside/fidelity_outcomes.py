"""A pytest plugin: what happened to each test, and every warning, goes to the file named by `FIDELITY_OUTCOMES`."""

import json
import os

import pytest

outcomes = {}
warnings = []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" or report.outcome != "passed":
        kind = "" if call.excinfo is None else f" {call.excinfo.typename}: {call.excinfo.value}"
        outcomes.setdefault(item.nodeid, []).append(f"{report.when} {report.outcome}{kind}")


def pytest_collectreport(report):
    if report.outcome != "passed":
        outcomes.setdefault(report.nodeid, []).append(f"collect {report.outcome}")


def pytest_warning_recorded(warning_message, nodeid):
    warnings.append(f"{nodeid} {warning_message.category.__name__}: {warning_message.message}")


def pytest_sessionfinish():
    with open(os.environ["FIDELITY_OUTCOMES"], "w", encoding="utf-8") as file:
        json.dump({"tests": outcomes, "warnings": warnings}, file)
