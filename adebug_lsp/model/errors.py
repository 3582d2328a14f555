"""Errors that a person may see. Each says what happened, where, and what to do, and has a slug that docs can explain.

Anything else that is raised is a defect of adebug.
"""


class AdebugError(Exception):
    """Base of every error that is the fault of some input, file or answer rather than of adebug."""

    slug = "error"


class BadInputError(AdebugError):
    """A file or a line of JSON does not have the form that it should have."""

    slug = "bad-input"


class BadAnswerError(AdebugError):
    """An answer that does not fit the question; the session is unchanged."""

    slug = "bad-answer"


class UnknownNameError(AdebugError):
    """A strategy, node kind or component that nobody registered."""

    slug = "unknown-name"


class StoreError(AdebugError):
    """The store under `.adebug/` could not be read or written; what was in memory is still there."""

    slug = "store"


class OracleError(AdebugError):
    """An oracle failed, was too slow or spoke nonsense; its answer is not used."""

    slug = "oracle"
