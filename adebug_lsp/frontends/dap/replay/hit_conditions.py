"""Hit conditions and log messages of breakpoints in a replay. A language parses the conditions themselves."""

import operator
import re
from collections.abc import Callable

from adebug_lsp.languages.conditions import LookUp
from adebug_lsp.model.errors import BadInputError

_HITS = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d{1,9})\s*")
_EXPRESSION = re.compile(r"\{([^{}]*)\}")


def read_hits(text: str) -> Callable[[int], bool]:
    """Parse a hit condition (`5`, `>= 5`, `% 5`) as a test of the number of executions; raises `BadInputError`."""
    match = _HITS.fullmatch(text)
    if match is None or (match[1] == "%" and not int(match[2])):
        raise BadInputError(f"a hit condition is a number, or one after ==, >=, <=, >, < or %, not {text.strip()}")
    sign, wanted = match[1] or "==", int(match[2])
    if sign == "%":
        return lambda count: count % wanted == 0
    compared = {"==": operator.eq, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}[sign]
    return lambda count: bool(compared(count, wanted))


def message_of(text: str, look_up: LookUp) -> str:
    """A log message with the values of the expressions in braces."""

    def fill(match: re.Match[str]) -> str:
        try:
            return look_up(match[1].strip()).text
        except BadInputError as error:
            return f"{{{error}}}"

    return _EXPRESSION.sub(fill, text)
