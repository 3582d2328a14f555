"""Options are declared once, and all front ends offer what is declared."""

import argparse
import json

import pytest
from _pytest.config.argparsing import Parser
from attrs import fields

from adebug_lsp.frontends.cli.arguments import add_asking, add_program, add_recording, add_tests
from adebug_lsp.frontends.dap.live.launch import fields as launch_fields
from adebug_lsp.frontends.lsp.settings import Settings
from adebug_lsp.frontends.pytest_plugin import pytest_addoption
from adebug_lsp.frontends.shared import manifest
from adebug_lsp.frontends.shared.options import OPTIONS, Where, options_of
from tests.support import ROOT


def test_the_manifest_is_up_to_date() -> None:
    text = (ROOT / manifest.MANIFEST).read_text(encoding="utf-8")
    assert manifest.with_options(text) == text, "run make docs"
    json.loads(text)


def test_a_stale_manifest_is_rewritten_in_its_generated_parts_only() -> None:
    text = (ROOT / manifest.MANIFEST).read_text(encoding="utf-8")
    stale = text.replace('"Stop at the first line."', '"Stale."').replace('"default": "useBundled"', '"default": "x"')
    assert stale != text
    assert manifest.with_options(stale) == text


def test_names_and_flags_are_unique() -> None:
    names = [option.name for option in OPTIONS]
    flags = [flag for option in OPTIONS for flag in option.flags]
    assert len(set(names)) == len(names)
    assert len(set(flags)) == len(flags)


def test_every_option_of_the_command_line_has_a_flag_and_a_help() -> None:
    parser = argparse.ArgumentParser()
    add_program(parser)
    add_tests(parser)
    add_recording(parser)
    add_asking(parser)
    offered = {flag: action.help for action in parser._actions for flag in action.option_strings}
    for option in options_of(Where.CLI).values():
        assert option.flags, option.name
        assert all(option.help in str(offered[flag]) for flag in option.flags)


def test_settings_of_the_language_server_have_the_declared_names_and_defaults() -> None:
    declared = {name: option.default for name, option in options_of(Where.LSP).items()}
    assert {field.name: field.default for field in fields(Settings)} == declared


def test_launch_fields_are_the_declared_ones() -> None:
    assert set(launch_fields()) == set(options_of(Where.LAUNCH))


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
    [
        ("program", "a.py", ""),
        ("pytest", ["-q"], [1]),
        ("env", {"A": None}, {"A=B": "c"}),
        ("timeout", 0.5, True),
        ("timeout", 3, float("inf")),
        ("granularity", "routine", "finer"),
        ("fresh", True, "yes"),
        ("strategy", "top-down", "best"),
        ("transform", ["halving", "compression"], ["halving", "best"]),
        ("transform", [], "halving"),
    ],
)
def test_values_are_checked_by_kind(name: str, valid: object, invalid: object) -> None:
    option = options_of(Where.LAUNCH)[name]
    assert option.problem(valid) == ""
    assert option.problem(invalid).startswith(f"{name}: ")


def test_the_pytest_plug_in_offers_the_declared_levels() -> None:
    """It declares them itself, because it must import nothing of adebug without its option."""
    parser = Parser(_ispytest=True)
    pytest_addoption(parser)
    (level,) = [option for option in parser.getgroup("adebug").options if option.dest == "adebug_level"]
    declared = options_of(Where.CLI)["level"]
    assert (tuple(level.attrs()["choices"]), level.default) == (declared.choices, declared.default)
