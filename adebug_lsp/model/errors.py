"""Errors that a person may see: each says what happened, where, and what to do.

Anything else that is raised is a defect of adebug.
"""


class AdebugError(Exception):
    """Base of every error that is the fault of some input, file or answer rather than of adebug."""


class BadInputError(AdebugError):
    """A file or a line of JSON does not have the form that it should have."""


class BadAnswerError(AdebugError):
    """An answer that does not fit the question; the session is unchanged."""


class UnknownNameError(AdebugError):
    """A strategy, node kind or component that nobody registered."""


class StoreError(AdebugError):
    """The store under `.adebug/` could not be read or written; what was in memory is still there."""


class OracleError(AdebugError):
    """An oracle failed, was too slow or spoke nonsense; its answer is not used."""
