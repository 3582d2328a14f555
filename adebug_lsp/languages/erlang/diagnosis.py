"""Erlang's probe for `adebug doctor`: OTP's programs and the applications that recording and EUnit need."""

import shutil
from pathlib import Path

from adebug_lsp.languages.diagnosis import Finding, Probe, Status, install_command, output_of

OLDEST_ERLANG = 25
_ABOUT_ERLANG = (
    'Parts = [P || {P, F} <- [{runtime_tools, "ebin/dbg.beam"}, {eunit, "include/eunit.hrl"}], '
    "D <- [code:lib_dir(P)], is_list(D), filelib:is_regular(filename:join(D, F))], "
    '[io:format("~s ", [T]) || T <- [erlang:system_info(otp_release) | Parts]], halt().'
)
_ERLANG_PARTS = (
    ("runtime_tools", "nothing can be recorded without it", "erlang-runtime-tools"),
    ("eunit", "for debugging a failing test", "erlang-eunit erlang-dev"),
)


def probes(_workspace: Path) -> list[Probe]:
    """See `LanguageDescriptor.diagnosis`."""
    return [_erlang]


def _erlang() -> list[Finding]:
    erl, erlc = shutil.which("erl"), shutil.which("erlc")
    advice = "to debug Erlang: " + install_command(
        apt="erlang-base erlang-runtime-tools", brew="erlang", winget="Erlang.ErlangOTP"
    )
    missing = [name for name, path in (("erl", erl), ("erlc", erlc)) if path is None]
    if erl is None or missing:
        return [Finding("erlang", "Erlang/OTP", Status.MISSING, f"no {' and no '.join(missing)} on PATH", advice)]
    output = (output_of([erl, "-noshell", "-eval", _ABOUT_ERLANG]) or "").split()
    if not output or not output[0].isdigit():
        return [Finding("erlang", "Erlang/OTP", Status.BROKEN, f"{erl} does not run", advice)]
    detail = f"{output[0]}, {erl}"
    if int(output[0]) < OLDEST_ERLANG:
        return [Finding("erlang", "Erlang/OTP", Status.OLD, detail, f"use Erlang/OTP {OLDEST_ERLANG} or newer")]
    lacking = [
        Finding(
            "erlang",
            name,
            Status.MISSING,
            purpose,
            install_command(apt=packages, brew="erlang", winget="Erlang.ErlangOTP"),
        )
        for name, purpose, packages in _ERLANG_PARTS
        if name not in output
    ]
    return [Finding("erlang", "Erlang/OTP", Status.OK, detail), *lacking]
