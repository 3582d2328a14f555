"""Asking about a recording: which part of the run to start from, with which oracles, under which identity."""

import hashlib
from argparse import Namespace
from pathlib import Path

from attrs import frozen

from adebug_lsp.cli import asking
from adebug_lsp.cli.jsonlines import Channel
from adebug_lsp.cli.plain import complain, say
from adebug_lsp.cli.progress import progress_for
from adebug_lsp.cli.protocol import error_line
from adebug_lsp.cli.talk import Case
from adebug_lsp.languages.language import Entry, Language, Opened, RecordedSubject


@frozen
class Inquiry:
    """One part of an opened recording, ready to be asked about."""

    opened: Opened
    entry: Entry
    subject: RecordedSubject
    case: Case
    options: Namespace

    @classmethod
    def open(cls, recording: Path, language: Language, options: Namespace) -> "Inquiry | None":
        """Open a recording; None, and a message, where there is nothing to ask about."""
        with progress_for(options.channel) as progress:
            opened = language.open(recording, progress)
            if opened.problem:
                complain(opened.problem)
            entry = _chosen(opened, options.channel)
            if entry is None:
                return None
            subject = opened.subject(entry)
        identity = f"{digest(recording)} {entry.name}".strip()
        case = Case(subject, identity, entry.name or recording.name)
        return cls(opened, entry, subject, case, options)

    def hold(self) -> int:
        """Ask until there is a verdict or nobody answers any more; gives the exit code."""
        with self.opened.oracles(self.subject, self.options.reference, complain) as oracles:
            return asking.hold(self.case, self.options, oracles)


def digest(file: Path) -> str:
    """A name for the content of a file."""
    found = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def _chosen(opened: Opened, channel: Channel | None) -> Entry | None:
    """The first failing test, or the whole run; a run of tests of which none failed has nothing to ask about."""
    entries = list(opened.entries)
    failed = [entry for entry in entries if entry.failed]
    whole = [entry for entry in entries if not entry.name]
    chosen = next(iter([*failed, *whole]), None)
    if chosen is None:
        message = f"no test failed, so there is nothing to find ({len(entries)} recorded)"
        complain(message)
        if channel is not None:
            channel.send(error_line(message))
    elif channel is None and chosen.name:
        say(f"asking about {chosen.name}: {chosen.message}")
        others = [entry.name for entry in failed[1:]]
        if others:
            say(f"failed too: {', '.join(others)}")
    return chosen
