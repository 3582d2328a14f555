"""Begins a session about a case, or resumes the one that was stopped, and holds it in the front that suits the caller.

With `--answers` nothing is stored: the same file always gives the same dialogue.
"""

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from adebug_lsp.cli import jsonlines, lines, screen
from adebug_lsp.cli.plain import complain, say
from adebug_lsp.cli.talk import Case, Talk
from adebug_lsp.model.answers import Answer, Scope, Source, SwitchGranularity, SwitchStrategy, Trust
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.command import CommandOracle
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.oracles.stored import StoredAnswers
from adebug_lsp.search.registry import DEFAULT
from adebug_lsp.session.keeping import Keeper
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.store.sessions import SavedSession, SessionState
from adebug_lsp.store.store import Store


def hold(case: Case, options: Namespace, oracles: Sequence[Oracle] = ()) -> int:
    """Ask until there is a verdict or nobody answers any more; gives the exit code."""
    with _store(options) as store, _command_oracle(options.oracle) as command:
        stored = [StoredAnswers(store.answers)] if store is not None else []
        talk = _begin(case, options, store, Chain([*stored, *oracles, *command]))
        if options.channel is not None:
            return jsonlines.hold(talk, options.channel)
        if wants_screen(options):
            return screen.hold(talk)
        return lines.hold(talk, options.answers)


@contextmanager
def _store(options: Namespace) -> Iterator[Store | None]:
    if options.answers is not None:
        yield None
        return
    with Store.open(Path(options.workspace)) as store:
        yield store


@contextmanager
def _command_oracle(text: str | None) -> Iterator[list[Oracle]]:
    if not text:
        yield []
        return
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInputError(f"--oracle: {error}") from error
    if not words:
        raise BadInputError("--oracle: which command?")
    with CommandOracle(words) as oracle:
        yield [oracle]


def _begin(case: Case, options: Namespace, store: Store | None, oracles: Chain) -> Talk:
    begun = Options(
        options.strategy or DEFAULT,
        granularity=Granularity(options.granularity or Granularity.EXPRESSION),
        root_is_wrong=not options.ask_root,
    )
    if store is None:
        return Talk(case, Session(case.subject, begun, oracles=oracles), None)
    earlier = [saved for saved in store.sessions.of_subject(case.identity) if saved.state is SessionState.OPEN]
    if earlier and not options.fresh:
        resumed = _resumed(case, earlier[0], options, oracles)
        if resumed is not None:
            answers = sum(isinstance(step, Answer) for step in earlier[0].steps)
            if not options.json:
                say(f"going on with {answers} answers from before; --fresh begins anew")
            return Talk(case, resumed, Keeper(store, earlier[0]), resumed=True)
    session = Session(case.subject, begun, oracles=oracles, steps=_trusted(case, store))
    return Talk(case, session, Keeper(store, SavedSession(case.identity, case.title)))


def _trusted(case: Case, store: Store) -> list[Trust]:
    """The trust of earlier sessions in what this run executed."""
    sites = case.subject.tree.sites
    here = {(Scope.ROUTINE, site.routine) for site in sites} | {(Scope.MODULE, site.module) for site in sites}
    return [Trust(t.scope, t.name, Source("stored trust")) for t in store.trust.all() if (t.scope, t.name) in here]


def _resumed(case: Case, saved: SavedSession, options: Namespace, oracles: Chain) -> Session | None:
    """The session as it was left, with the strategy and the granularity that are wanted now, if any are."""
    begun = Options(options.strategy or DEFAULT, root_is_wrong=not options.ask_root)
    try:
        session = Session(case.subject, begun, oracles=oracles, steps=saved.steps)
    except BadAnswerError as error:
        complain(f"the saved session cannot be resumed and is left aside: {error}")
        return None
    if options.strategy not in (None, session.state.strategy):
        session.say(SwitchStrategy(options.strategy))
    if options.granularity not in (None, session.state.granularity.value):
        session.say(SwitchGranularity(options.granularity))
    return session


def wants_screen(options: Namespace) -> bool:
    """Whether a person sits at a terminal that can draw."""
    here = sys.stdin.isatty() and sys.stdout.isatty()
    return here and options.answers is None and os.environ.get("TERM") != "dumb"
