"""Begins a session about a case, or resumes the one that was stopped, with the trust that the workspace has.

Without a store nothing is kept, and nothing from before is known.
"""

from collections.abc import Sequence
from threading import Event

from attrs import frozen

from adebug_lsp.frontends.shared.json_protocol import callable_name
from adebug_lsp.frontends.shared.talk import Case, Talk
from adebug_lsp.model.answers import (
    SETTINGS,
    Answer,
    Scope,
    Source,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
)
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.plural import counted
from adebug_lsp.model.source import Site
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.search.registry import DEFAULT
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.store.saved_sessions import SavedSession, SessionState
from adebug_lsp.store.store import Store


@frozen
class Wishes:
    """How a person wants to be asked."""

    strategy: str | None = None
    granularity: str | None = None
    transform: tuple[str, ...] = ()
    """The transformations of the tree, in their order."""
    ask_root: bool = False
    """Whether to ask about the whole run too, instead of taking it as wrong."""
    fresh: bool = False
    """Whether to begin anew where an earlier session stopped."""

    def options(self, case: Case) -> Options:
        """The options of a new session."""
        granularity = Granularity(self.granularity or Granularity.EXPRESSION)
        return Options(
            self.strategy or DEFAULT,
            granularity=granularity,
            root_is_wrong=not self.ask_root,
            root_failed=case.failed,
        )


def begin(
    case: Case, wishes: Wishes, store: Store | None, oracles: Sequence[Oracle], stop: Event | None = None
) -> Talk:
    """A session that has come to its first question, or to where it was left; `stop` is for the chain of oracles."""
    if store is None:
        chain = Chain(oracles, stop=stop)
        session = Session(case.subject, wishes.options(case), oracles=chain, steps=_trust_in(case, ()))
        return Talk(case, session, None, notes=[*case.notes, *_transformed(session, wishes)])
    chain = Chain([StoredAnswers(store.answers), *oracles], stop=stop)
    notes = [*case.notes]
    earlier = [saved for saved in store.sessions.of_subject(case.identity) if saved.state is SessionState.OPEN]
    if earlier and not wishes.fresh:
        try:
            session = _resumed(case, earlier[0], wishes, chain)
        except BadAnswerError as error:
            notes.append(f"the saved session cannot be resumed and is left aside: {error}")
        else:
            answers = sum(isinstance(step, Answer) for step in earlier[0].steps)
            notes += _transformed(session, wishes)
            notes.append(f"going on with {counted(answers, 'answer')} from before")
            return Talk(case, session, SessionWriter(store, earlier[0]), resumed=True, notes=notes)
    session = Session(case.subject, wishes.options(case), oracles=chain, steps=_trust_in(case, store.trust.all()))
    notes += _transformed(session, wishes)
    return Talk(case, session, SessionWriter(store, SavedSession(case.identity, case.title)), notes=notes)


def _transformed(session: Session, wishes: Wishes) -> list[str]:
    """Apply the transformations that are wanted and not applied yet; returns why some could not be."""
    wanted = (name for name in wishes.transform if name not in session.transformations)
    return [problem for name in wanted if (problem := _transform(session, name))]


def _transform(session: Session, name: str) -> str:
    try:
        session.say(Transform(name))
    except BadAnswerError as error:
        return f"--transform {name}: {error}"
    return ""


def _trust_in(case: Case, stored: Sequence[Trust]) -> list[Trust]:
    """The trust of the workspace's settings and of earlier sessions in what this run executed."""
    sites = case.subject.tree.sites
    here = {(Scope.ROUTINE, site.routine) for site in sites} | {(Scope.MODULE, site.module) for site in sites}
    trusts = [_by_settings(site, name) for site in sites for name in case.trusted]
    earlier = [Trust(t.scope, t.name, Source("stored trust")) for t in stored if (t.scope, t.name) in here]
    return list(dict.fromkeys([*filter(None, trusts), *earlier]))


def _by_settings(site: Site, name: str) -> Trust | None:
    """What a name of a package, a module or a routine says about a place."""
    if f"{site.module}.".startswith(f"{name}."):
        return Trust(Scope.MODULE, site.module, SETTINGS)
    if name in (site.routine, callable_name(site)):
        return Trust(Scope.ROUTINE, site.routine, SETTINGS)
    return None


def _resumed(case: Case, saved: SavedSession, wishes: Wishes, oracles: Chain) -> Session:
    """The session as it was left, with the strategy and the granularity that are wanted now, if any are."""
    begun = Options(wishes.strategy or DEFAULT, root_is_wrong=not wishes.ask_root, root_failed=case.failed)
    session = Session(case.subject, begun, oracles=oracles, steps=saved.steps)
    if wishes.strategy is not None and wishes.strategy != session.state.strategy:
        session.say(SwitchStrategy(wishes.strategy))
    if wishes.granularity is not None and wishes.granularity != session.state.granularity.value:
        session.say(SwitchGranularity(wishes.granularity))
    return session
