"""Errors that are shown to the user: the message says what happened, where, and what to do.

Each class has a slug and a code, which front ends show and protocols carry; `docs/messages.md` is generated from the
docstrings, causes and remedies. Any other exception is a bug in adebug.
"""

from typing import ClassVar


class AdebugError(Exception):
    """Something outside adebug is wrong: an input, a file or an answer."""

    slug: ClassVar[str] = "error"
    """Identifies the class in messages, and its section in `docs/messages.md`."""
    code: ClassVar[int] = 1
    """Identifies the class in protocols that need a number (DAP's `Message.id`); never reused."""
    cause: ClassVar[str] = "No class below fits better."
    remedy: ClassVar[str] = "The message says what to do."


class BadInputError(AdebugError):
    """A file, a command or a line of JSON is invalid."""

    slug = "bad-input"
    code = 2
    cause = "A file is damaged or has another format, an argument is missing, or two arguments exclude each other."
    remedy = "The message names the file, the field or the option; correct it and try again."


class MissingFileError(BadInputError):
    """A file or a folder does not exist, or cannot be read or written."""

    slug = "missing-file"
    code = 3
    cause = "The path is misspelled, is relative to another folder, or its permissions forbid access."
    remedy = "Check the path in the message, and the folder in which the command was started."


class BadOptionError(BadInputError):
    """A launch field or an option has an invalid value, or conflicts with another one."""

    slug = "bad-option"
    code = 4
    cause = "The message names the option first, then what is valid."
    remedy = "Correct the launch configuration; `docs/reference/dap.md` lists all fields."


class NothingToVerifyError(BadInputError):
    """There is no session with answers to check a new run against."""

    slug = "nothing-to-verify"
    code = 5
    cause = "No session was held in this workspace, it was not stored, or its recording is gone."
    remedy = "Find the bug with `adebug run` or `adebug test` first, in the same workspace."


class StaleReferenceError(BadInputError):
    """A client refers to a frame or a variable, but the replay has moved on."""

    slug = "stale"
    code = 6
    cause = "The replay moved on between the client's requests."
    remedy = "Nothing: editors ask again. In a client of your own, drop references after each `stopped` event."


class NoSuchValueError(BadInputError):
    """The recording has no such value to take a slice of."""

    slug = "no-such-value"
    code = 9
    cause = "The line did not run, or not so often; or the variable or part does not exist there."
    remedy = "The message says what there is; line numbers are those of the source as it was when it ran."


class BadAnswerError(AdebugError):
    """An answer does not fit the question; the session is unchanged."""

    slug = "bad-answer"
    code = 20
    cause = "The word is unknown, the part that it marks is not shown, or the question is no longer open."
    remedy = "Type `h` (in a debug console `?`) for all answers."


class UnknownNameError(AdebugError):
    """No strategy, kind of node or language has this name."""

    slug = "unknown-name"
    code = 21
    cause = "The name is misspelled, or the package that registers it is not installed."
    remedy = "The message lists similar names, or all of them."


class StoreError(AdebugError):
    """The store in `.adebug/` could not be read or written; the session continues in memory."""

    slug = "store"
    code = 22
    cause = "The disk is full, the folder is read-only, or another process held a lock for too long."
    remedy = "Run `adebug doctor`, which examines the store of the current folder."


class OracleError(AdebugError):
    """An oracle failed, took too long or sent something invalid; its answer is not used."""

    slug = "oracle"
    code = 23
    cause = "The program behind `--oracle`, or the code of the reference version, raised or hung."
    remedy = "You are asked instead; fix the oracle to be asked less."
