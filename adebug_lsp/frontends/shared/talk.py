"""One session as every front end holds it: it takes words and steps, keeps them, and collects reports.

The front ends only read and show.
"""

from collections.abc import Sequence

from attrs import Factory, define, frozen

from adebug_lsp.model.answers import Answer, Judgement, Source, Step
from adebug_lsp.model.behaviour import Reason
from adebug_lsp.model.errors import BadAnswerError, StoreError
from adebug_lsp.oracles.external_command import CommandOracle
from adebug_lsp.session import transformation
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.phrases import HELP, Asked, Command, parse
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject


@frozen
class Case:
    """Something to ask about, and what it is called."""

    subject: Subject
    identity: str
    """The same for the same recording or tree, and for no other."""
    title: str
    trusted: tuple[str, ...] = ()
    """Packages, modules and routines that the workspace's settings trust."""
    failed: bool = False
    """Whether it is known to be wrong because something failed: a test, or an exception that nobody caught."""
    ids: Sequence[object] | None = None
    """The names of the nodes of the run; None: people do not call them by name."""
    notes: tuple[str, ...] = ()
    """What there is to tell about how it was recorded."""


@define
class Talk:
    """A session and where it is kept."""

    case: Case
    session: Session
    keeper: SessionWriter | None
    resumed: bool = False
    notes: list[str] = Factory(list)
    """What there was to tell about the beginning."""

    @property
    def has_verdict(self) -> bool:
        """Whether the search has come to an end."""
        return not isinstance(self.session.outcome, Ask)

    def names(self) -> Sequence[object] | None:
        """What the nodes are called that the session asks about now."""
        return None if self.session.levels.path or self.case.ids is None else self.session.names(self.case.ids)

    def answer(self, line: str, asked: Asked | None = None) -> list[str] | None:
        """Take a line of words; gives what there is to tell, or None where the person wants to stop.

        It is about the open question, unless `asked` gives another one.
        """
        said = parse(line, self.session, self.node_named, asked)
        match said:
            case Command.QUIT:
                return None
            case Command.HELP:
                return HELP.splitlines()
            case Command.TRANSFORMATIONS:
                return transformation.listed()
            case Command.WHY:
                return [reason(self.session.why())]
            case Command.UNDO:
                self.session.undo()
            case Command.REDO:
                self.session.redo()
            case _:
                return self.say(said)
        self.keep()
        return []

    def say(self, step: Step) -> list[str]:
        """Take a step; gives what there is to tell about it."""
        state = self.session.state
        followed = len(state.space.traces)
        self.session.say(step)
        self.keep()
        if isinstance(step, Answer) and step.mark and len(state.space.traces) == followed:
            return ["adebug: where that value came from is not known; the answer counts without the mark"]
        return []

    def give_up(self) -> None:
        """Nobody answers: what is left counts as not known, so that there are candidates at least."""
        while isinstance(self.session.outcome, Ask):
            node = self.session.outcome.question.node
            self.session.say(Answer(node, Judgement.UNKNOWN, source=Source("nobody", "there was no answer")))

    def keep(self) -> None:
        """Write the session to the store; what goes wrong there is reported later and stops nothing."""
        if self.keeper is None:
            return
        try:
            self.keeper.save(self.session)
        except StoreError as error:
            self.keeper.store.database.report(str(error))

    def reports(self) -> list[str]:
        """What oracles and the store had to report since they were asked last."""
        chain = self.session.oracles
        sources = [chain.problems, *(oracle.problems for oracle in chain.oracles if isinstance(oracle, CommandOracle))]
        if self.keeper is not None:
            sources.append(self.keeper.store.problems)
        found = [problem for problems in sources for problem in problems]
        for problems in sources:
            problems.clear()
        return found

    def node_named(self, name: str) -> int:
        """The node that goes by this name now, or by its number where nodes have no names."""
        for node, known in enumerate(self.names() or range(len(self.session.subject.tree))):
            if str(known) == name:
                return node
        raise BadAnswerError(f"there is no node {name!r}")


def reason(why: Reason) -> str:
    """The reply to "why"."""
    return (
        f"Asked because {why.because}. {why.candidates} candidates are left: "
        f"yes would leave {why.yes_leaves}, no would leave {why.no_leaves}."
    )
