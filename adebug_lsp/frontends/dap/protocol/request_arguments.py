"""Typed access to the arguments of a request; a missing or mistyped field raises an error with its name."""

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import frozen

from adebug_lsp.model.errors import BadInputError

T = TypeVar("T")


@frozen
class Arguments:
    """The arguments of a request. Some clients send null for missing arguments and omitted fields."""

    fields: Mapping[str, Any]

    @classmethod
    def of(cls, data: object) -> "Arguments":
        """Wrap the arguments of a request."""
        if data is not None and not isinstance(data, dict):
            raise BadInputError("the arguments of a request must be an object")
        return cls(data or {})

    def text(self, name: str) -> str:
        """A required string."""
        return self._needed(name, self.maybe_text(name))

    def maybe_text(self, name: str) -> str | None:
        """An optional string."""
        return self._checked(name, str, "a text")

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number, required unless there is a default."""
        value = self._checked(name, int, "a whole number")
        if isinstance(value, bool) or (value is not None and value < 0):
            raise BadInputError(f"{name}: must be a whole number, not {value!r}")
        return self._needed(name, default if value is None else value)

    def flag(self, name: str) -> bool:
        """A flag, false if omitted."""
        return self._checked(name, bool, "true or false") or False

    def items(self, name: str) -> list["Arguments"]:
        """A list of objects, empty if omitted."""
        value = self._checked(name, list, "a list") or []
        return [Arguments.of(item) for item in value]

    def texts(self, name: str) -> list[str]:
        """A list of strings, empty if omitted."""
        value = self._checked(name, list, "a list") or []
        if not all(isinstance(item, str) for item in value):
            raise BadInputError(f"{name}: must be a list of strings, not {value!r}")
        return value

    def part(self, name: str) -> "Arguments":
        """An object in the arguments, empty if omitted."""
        return Arguments(self._checked(name, dict, "an object") or {})

    def _checked(self, name: str, cls: type[T], wanted: str) -> T | None:
        value = self.fields.get(name)
        if value is not None and not isinstance(value, cls):
            raise BadInputError(f"{name}: must be {wanted}, not {value!r}")
        return value

    @staticmethod
    def _needed(name: str, value: T | None) -> T:
        if value is None:
            raise BadInputError(f"{name}: missing")
        return value
