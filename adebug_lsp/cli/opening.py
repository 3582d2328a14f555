"""`adebug open`: a session in the terminal, one line for each answer, with or without a terminal.

Everything said is in the store after every step, so that an interrupted session goes on where it stopped. With
`--answers` nothing is stored: the same file always gives the same dialogue.
"""

import hashlib
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from attrs import define

from adebug_lsp.cli import dialogue
from adebug_lsp.cli.plain import complain, say
from adebug_lsp.cli.trees import load_handmade
from adebug_lsp.model.answers import Answer, Source, Step, Trust
from adebug_lsp.model.errors import BadAnswerError, BadInputError, StoreError, UnknownNameError
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.command import CommandOracle
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.oracles.stored import StoredAnswers
from adebug_lsp.session.handmade import HandmadeSubject
from adebug_lsp.session.keeping import Keeper
from adebug_lsp.session.outcome import Found
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.session.words import HELP, Command, parse
from adebug_lsp.store.sessions import SavedSession, SessionState
from adebug_lsp.store.store import Store
from adebug_lsp.tree.handmade import HandmadeTree


def run(options: Namespace) -> int:
    """Ask until there is a verdict or nobody answers any more."""
    handmade = load_handmade(options.tree)
    lines = _lines(options.answers)
    with ExitStack() as closing:
        store = closing.enter_context(Store.open(Path.cwd())) if options.answers is None else None
        oracles: list[Oracle] = []
        if store is not None:
            oracles.append(StoredAnswers(store.answers))
        if options.oracle:
            oracles.append(closing.enter_context(CommandOracle(_command(options.oracle))))
        talk = _begin(handmade, options, store, Chain(oracles))
        return talk.hold(lines)


@define
class Talk:
    """One dialogue: a session, where it is kept, and how its nodes are called."""

    handmade: HandmadeTree
    session: Session
    keeper: Keeper | None
    interactive: bool
    resumed: bool

    def hold(self, lines: Iterator[tuple[str, str]]) -> int:
        """Question and answer, line by line."""
        self._keep()
        if not self.resumed:
            say(dialogue.introduction(self.session))
        self._show()
        for where, line in lines:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if not self.interactive:
                say(f"> {line.strip()}")
            try:
                if not self._answer(line):
                    break
            except (BadAnswerError, UnknownNameError) as error:
                if where:
                    raise BadInputError(f"{where}: {error}") from error
                say(f"adebug: {error}")
        self._tell()
        return 0 if isinstance(self.session.outcome, Found) else 1

    def _answer(self, line: str) -> bool:
        said = parse(line, self.session, self._node_named)
        match said:
            case Command.QUIT:
                return False
            case Command.HELP:
                print(HELP)
            case Command.WHY:
                say(dialogue.reason(self.session.why()))
            case Command.UNDO:
                self.session.undo()
                self._after()
            case Command.REDO:
                self.session.redo()
                self._after()
            case _:
                followed = len(self.session.state.space.traces)
                self.session.say(said)
                if isinstance(said, Answer) and said.mark and len(self.session.state.space.traces) == followed:
                    print("adebug: where that value came from is not known; the answer counts without the mark")
                self._after()
        return True

    def _after(self) -> None:
        self._keep()
        self._show()

    def _keep(self) -> None:
        if self.keeper is None:
            return
        try:
            self.keeper.keep(self.session)
        except StoreError as error:
            complain(str(error))

    def _show(self) -> None:
        self._tell()
        say(*dialogue.outcome(self.session, self.handmade.ids))

    def _tell(self) -> None:
        """Say once what oracles and the store had to report."""
        chain = self.session.oracles
        reports = [chain.problems, *(oracle.problems for oracle in chain.oracles if isinstance(oracle, CommandOracle))]
        if self.keeper is not None:
            reports.append(self.keeper.store.problems)
        for problems in reports:
            while problems:
                complain(problems.pop(0))

    def _node_named(self, name: str) -> int:
        for node, known in enumerate(self.handmade.ids):
            if str(known) == name:
                return node
        raise BadAnswerError(f"there is no node {name!r}")


def _begin(handmade: HandmadeTree, options: Namespace, store: Store | None, oracles: Chain) -> Talk:
    subject = HandmadeSubject(handmade)
    settings = Options(options.strategy, root_is_wrong=not options.ask_root)
    identity = hashlib.sha256(Path(options.tree).read_bytes()).hexdigest()
    saved = SavedSession(identity, options.tree)
    steps: list[Step] = []
    resumed = False
    if store is not None:
        routines = {site.routine for site in handmade.tree.sites}
        steps = [Trust(t.scope, t.name, Source("stored trust")) for t in store.trust.all() if t.name in routines]
        earlier = [session for session in store.sessions.of_subject(identity) if session.state is SessionState.OPEN]
        if earlier and not options.fresh:
            saved, steps, resumed = earlier[0], list(earlier[0].steps), True
            print(f"going on with {len(steps)} answers from before; --fresh begins anew")
    try:
        session = Session(subject, settings, oracles=oracles, steps=steps)
    except BadAnswerError as error:
        complain(f"the saved session cannot be resumed and is left aside: {error}")
        saved = SavedSession(identity, options.tree)
        session = Session(subject, settings, oracles=oracles)
    keeper = None if store is None else Keeper(store, saved)
    interactive = options.answers is None and sys.stdin.isatty()
    return Talk(handmade, session, keeper, interactive, resumed)


def _lines(answers: str | None) -> Iterator[tuple[str, str]]:
    """Answers with the place they come from; typed ones have none."""
    if answers is None:
        return _typed()
    try:
        text = Path(answers).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{answers}: cannot be read: {error}") from error
    return ((f"{answers}:{number}", line) for number, line in enumerate(text.splitlines(), start=1))


def _typed() -> Iterator[tuple[str, str]]:
    while True:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield "", line


def _command(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInputError(f"--oracle: {error}") from error
    if not words:
        raise BadInputError("--oracle: which command?")
    return words
