"""The arguments of a request, read with care: what is missing or of another kind is refused by its name."""

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import frozen

from adebug_lsp.model.errors import BadInputError

T = TypeVar("T")


@frozen
class Arguments:
    """Some clients send null for no arguments, and null for what is left out."""

    given: Mapping[str, Any]

    @classmethod
    def of(cls, data: object) -> "Arguments":
        """The arguments of a request as they came."""
        if data is not None and not isinstance(data, dict):
            raise BadInputError("the arguments of a request are an object")
        return cls(data or {})

    def text(self, name: str) -> str:
        """A text that must be there."""
        return self._needed(name, self.maybe_text(name))

    def maybe_text(self, name: str) -> str | None:
        """A text, if there is one."""
        return self._checked(name, str, "a text")

    def number(self, name: str, default: int | None = None) -> int:
        """A whole number that must be there, or has a default."""
        found = self._checked(name, int, "a whole number")
        if isinstance(found, bool) or (found is not None and found < 0):
            raise BadInputError(f"{name}: this is a whole number, not {found!r}")
        return self._needed(name, default if found is None else found)

    def flag(self, name: str) -> bool:
        """A flag, false where it is left out."""
        return self._checked(name, bool, "true or false") or False

    def items(self, name: str) -> list["Arguments"]:
        """A list of objects, empty where it is left out."""
        found = self._checked(name, list, "a list") or []
        return [Arguments.of(one) for one in found]

    def texts(self, name: str) -> list[str]:
        """A list of texts, empty where it is left out."""
        found = self._checked(name, list, "a list") or []
        if not all(isinstance(one, str) for one in found):
            raise BadInputError(f"{name}: this is a list of texts, not {found!r}")
        return found

    def part(self, name: str) -> "Arguments":
        """An object in the arguments, empty where it is left out."""
        return Arguments(self._checked(name, dict, "an object") or {})

    def _checked(self, name: str, cls: type[T], wanted: str) -> T | None:
        found = self.given.get(name)
        if found is not None and not isinstance(found, cls):
            raise BadInputError(f"{name}: this is {wanted}, not {found!r}")
        return found

    @staticmethod
    def _needed(name: str, found: T | None) -> T:
        if found is None:
            raise BadInputError(f"{name}: it is missing")
        return found
