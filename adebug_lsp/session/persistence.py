"""Saves a session after every step: its answers, trust, steps and verdict.

Undone and revoked answers are deleted, so that the store always agrees with the session.
"""

from attrs import Factory, define, evolve

from adebug_lsp.model.answers import SETTINGS, Answer, Judgement, Trust
from adebug_lsp.model.verdicts import Verdict
from adebug_lsp.session.outcome import Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.saved_sessions import SavedSession, SessionState
from adebug_lsp.store.saved_verdicts import SavedVerdict
from adebug_lsp.store.store import Store


@define
class SessionWriter:
    """Writes one session to one store."""

    store: Store
    saved: SavedSession
    """The session as last saved; its id never changes."""
    _answers: dict[str, SavedAnswer] = Factory(dict)
    _trusted: set[Trust] = Factory(set)
    _verdict: SavedVerdict | None = None
    _described: dict[tuple[int, Answer], SavedAnswer | None] = Factory(dict)
    """A cache of saved answers by `id` of the subject and answer, because describing a behaviour is slow."""

    def save(self, session: Session) -> None:
        """Update the store; raises `StoreError` if it cannot be written, and can then be called again."""
        ended = isinstance(session.outcome, Found)
        state = SessionState.ENDED if ended else SessionState.OPEN
        self.saved = SavedSession(self.saved.subject, self.saved.title, session.steps, state, id=self.saved.id)
        self.store.sessions.save(self.saved)
        self._save_answers(session)
        self._save_trust(session)
        self._save_verdict(session.outcome.verdict if isinstance(session.outcome, Found) else None)

    def _save_answers(self, session: Session) -> None:
        """Save new answers, and delete those that no longer stand."""
        standing = [(level.subject, a) for level in session.levels.all() for a in level.answers.values()]
        saved = [self._saved(subject, answer) for subject, answer in standing if answer.source.is_person]
        now = {answer.identity: answer for answer in saved if answer is not None}
        for identity in self._answers.keys() - now.keys():
            self.store.answers.forget(identity)
        for identity, answer in now.items():
            earlier = self._answers.get(identity)
            if earlier is None or evolve(earlier, answered=answer.answered) != answer:
                self.store.answers.save(answer)
        self._answers = now

    def _save_trust(self, session: Session) -> None:
        elsewhere = {(s.scope, s.name) for s in session.steps if isinstance(s, Trust) and s.source == SETTINGS}
        now = {Trust(scope, name) for scope, name in session.state.trusted - elsewhere}
        for trust in self._trusted - now:
            self.store.trust.forget(trust.scope, trust.name)
        for trust in now - self._trusted:
            self.store.trust.save(trust)
        self._trusted = now

    def _save_verdict(self, verdict: Verdict | None) -> None:
        """Save the verdict, or delete the one that no longer stands."""
        if self._verdict is not None and (verdict is None or verdict.text != self._verdict.text):
            self.store.verdicts.forget(self._verdict.id)
            self._verdict = None
        if verdict is not None and verdict.node is not None and self._verdict is None:
            location = verdict.code[0] if verdict.code else None
            saved = SavedVerdict(self.saved.id, verdict.kind, verdict.text, location, verdict.explanation)
            self.store.verdicts.save(saved)
            self._verdict = saved

    def _saved(self, subject: Subject, answer: Answer) -> SavedAnswer | None:
        key = (id(subject), answer)
        if key not in self._described:
            self._described[key] = _to_saved(subject, answer)
        return self._described[key]


def _to_saved(subject: Subject, answer: Answer) -> SavedAnswer | None:
    """An answer as it is stored; None if it cannot apply to another run."""
    behaviour = subject.behaviour(answer.node)
    if not behaviour.identity or answer.judgement is Judgement.UNKNOWN or not answer.is_of_behaviour:
        return None
    site = subject.tree.site_of(answer.node)
    return SavedAnswer(
        identity=behaviour.identity,
        judgement=answer.judgement,
        routine=site.routine,
        module=site.module,
        text=behaviour.text,
        expected=answer.expected,
        code_hash=behaviour.code_hash,
    )
