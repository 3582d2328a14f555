"""Profiles one run of a program by the cost semantics, or by its instrumented version."""

from __future__ import annotations

import time

from adebug_lsp.languages.cost_profile import CostCentre, CostKind, CostProfile, ProfileRequest
from adebug_lsp.languages.haskell.core.entities import Program
from adebug_lsp.languages.haskell.engine.load import ModuleError
from adebug_lsp.languages.haskell.engine.machine import ExitError, HaskellError
from adebug_lsp.languages.haskell.engine.program_sources import read_sources
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.cost_centres import MEANING, Centre, Kind
from adebug_lsp.languages.haskell.profile.cost_semantics import Machine, StoppedError
from adebug_lsp.languages.haskell.profile.instrumentation import InstrumentedMachine
from adebug_lsp.languages.haskell.profile.normalise import Rules
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.model.errors import BadInputError

KINDS = tuple(CostKind(kind.name, MEANING[kind]) for kind in Kind)


def profile(request: ProfileRequest) -> CostProfile:
    """Run `main` and charge its costs to centres; raises `BadInputError` for a program that cannot run."""
    _, program = read_sources(request.program.absolute(), request.workspace)
    if "Main.main" not in program.binds:
        raise BadInputError(f"{request.program}: there is no main in it; a program is a module Main with a main")
    named = names_centres(program)
    rules = Rules(program, request.per_function or not named)
    if request.instrumented:
        machine = InstrumentedMachine(rules, request.write, request.read)
        exit_code, message = _run(machine, request.timeout)
        return CostProfile(KINDS, _centres(machine.costs), exit_code, message)
    plain = Machine(rules, request.write, request.read)
    exit_code, message = _run(plain, request.timeout)
    return CostProfile(KINDS, _centres(plain.root), exit_code, message)


def names_centres(program: Program) -> bool:
    """Whether the user's functions contain a cost centre; raises `BadInputError` for one without a literal name."""
    rules, is_named = Rules(program), False
    for name, module in program.owners.items():
        if not module.trusted and name in program.binds:
            try:
                body = rules.rule(name).body
            except HaskellSyntaxError as problem:
                place = ModuleError(module.path, module.text, problem).place
                raise BadInputError(f"{place}: {problem.message}") from None
            is_named = is_named or any(isinstance(e, f.Scc) for e in f.all_inside(body))
    return is_named


def _centres(root: Centre) -> tuple[CostCentre, ...]:
    return tuple(CostCentre(centre.path, tuple(centre.counts)) for centre in root.all())


def _run(machine: Machine, timeout: float | None) -> tuple[int, str]:
    """Run `main` on a machine; returns the exit code, and why the run was stopped."""
    if timeout is not None:
        machine.deadline = time.monotonic() + timeout
    try:
        machine.run("Main.main")
    except HaskellError as error:
        return 1, f"main failed: {error.message}"
    except ExitError as ending:
        return ending.code, f"main ended with exit code {ending.code}" if ending.code else ""
    except StoppedError:
        return 1, f"main did not end within {timeout:g} seconds"
    except KeyboardInterrupt:
        return 130, "interrupted"
    return 0, ""
