"""Evaluates rules that a person typed, such as `lists:sort(Result) =:= Result`, on the recorded values of calls.

Names in a rule: the parameters of the entered clause, `Argument1` and so on, `Result`, and for an exception `Class` and
`Reason`. A rule may call pure functions of OTP only, and nothing of a recording is executed. A rule has no result for a
call whose values belong to one run (funs, processes, references) or are incomplete.
"""

from typing import Any

from attrs import define, field

from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised
from adebug_lsp.languages.erlang.reading.term_text import is_complete
from adebug_lsp.languages.erlang.reading.terms import Term, is_run_specific
from adebug_lsp.languages.erlang.sandbox.encode_values import PURE_BIFS, PURE_MODULES
from adebug_lsp.languages.erlang.sandbox.vm import Vm, encode_request
from adebug_lsp.model.errors import BadAnswerError, BadInputError, OracleError

TIMEOUT = 2.0
"""Seconds that a rule may take for one call."""
_START_TIMEOUT = 20.0
_MAX_RESTARTS = 3
"""How often a VM that did not answer is started again."""


@define(eq=False)
class RuleEvaluator:
    """Evaluates rules in a VM that starts with the first rule; a context manager."""

    run: ErlangRun
    timeout: float = TIMEOUT
    _vm: Vm | None = None
    _restarts: int = 0
    _names: dict[str, frozenset[str]] = field(factory=dict)
    """Variables of each rule that was parsed."""
    _known: dict[tuple[str, int], bool | None] = field(factory=dict)

    def holds(self, rule: str, frame: int | None) -> bool | None:
        """Whether a rule holds for a call; None if unknown. Raises `BadAnswerError` if the rule cannot be parsed."""
        names = self._variables(rule)
        if frame is None:
            return None
        if (rule, frame) not in self._known:
            self._known[rule, frame] = self._holds(rule, frame, names)
        return self._known[rule, frame]

    def _variables(self, rule: str) -> frozenset[str]:
        """The variables that a rule uses; raises `BadAnswerError` for an invalid rule."""
        if rule not in self._names:
            match self._ask({"rule": rule}):
                case ("read", [*names]):
                    self._names[rule] = frozenset(name.decode() for name in names)
                case ("bad", bytes(problem)):
                    raise BadAnswerError(f"the rule {rule!r} cannot be used: {problem.decode()}")
                case _:
                    raise BadAnswerError(f"the rule {rule!r} cannot be used: the VM for rules does not answer")
        return self._names[rule]

    def _holds(self, rule: str, frame: int, names: frozenset[str]) -> bool | None:
        arguments = {name: value for name, value in self._values(frame).items() if name in names}
        if is_run_specific(list(arguments.values())) or not is_complete(list(arguments.values())):
            return None
        try:
            answer = self._ask({"rule": rule, "bindings": list(arguments.items()), "limit": int(1000 * self.timeout)})
        except RecursionError:  # a value may be very deep
            return None
        return answer[1] == "true" if isinstance(answer, tuple) and answer[0] == "value" else None

    def _values(self, frame: int) -> dict[str, Term]:
        """Values of the names that a rule may use; a name without a value makes the result unknown."""
        run = self.run
        values = {f"Argument{number}": value for number, value in enumerate(run.arguments(frame), 1)}
        values |= {name: value for name, value in run.parameters(frame) if not name.startswith("argument ")}
        returned, outcome = run.outcome(frame)
        if returned:
            values["Result"] = outcome
        elif isinstance(outcome, Raised):
            values |= {"Class": outcome.term[0], "Reason": outcome.reason}
        return values

    def _ask(self, request: dict[str, Any]) -> Any:
        """Returns the VM's answer, or None if there is none."""
        if self._restarts >= _MAX_RESTARTS:
            return None
        allowed = {"modules": sorted(PURE_MODULES), "functions": sorted(PURE_BIFS)}
        message = encode_request(request | allowed)
        try:
            if self._vm is None:
                self._vm = Vm.start("the VM for rules")
            return self._vm.ask(message, self.timeout + _START_TIMEOUT)
        except BadInputError as error:
            raise BadAnswerError(f"rules are evaluated by Erlang: {error}") from error
        except OracleError:
            self._restarts += 1
            self.close()
            return None

    def close(self) -> None:
        """End the VM; a later rule starts it again."""
        if self._vm is not None:
            self._vm.close()
            self._vm = None

    def __enter__(self) -> "RuleEvaluator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
