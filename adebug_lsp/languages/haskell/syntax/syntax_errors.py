"""Errors in Haskell source, each with its range."""

from attrs import frozen


class HaskellSyntaxError(Exception):
    """The text is not Haskell, or not in the part that adebug supports; offsets count characters."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


@frozen
class Problem:
    """One diagnostic of a module."""

    message: str
    start: int
    end: int
    is_error: bool = True
