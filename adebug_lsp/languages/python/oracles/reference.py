"""A reference version as an oracle: the same code run from the same values should give the same result.

It answers "no" only if the recorded version, executed in the sandbox twice, reproduces the recording, and the reference
differs there or in its callees. Otherwise the run depended on something that cannot be rebuilt (time, randomness,
input), and the oracle abstains.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from attrs import evolve

from adebug_lsp.languages.python.oracles.changed_code import ChangedCode
from adebug_lsp.languages.python.oracles.code_identity import CodeIdentity
from adebug_lsp.languages.python.oracles.twin import Twin
from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.recorded_values import Opaque
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.sandbox.fragment import Fragment
from adebug_lsp.languages.python.sandbox.generator_steps import from_beginning
from adebug_lsp.languages.python.sandbox.requests import fragment_request, open_request
from adebug_lsp.languages.python.sandbox.sandbox_process import Sandbox
from adebug_lsp.languages.python.sandbox.streams import Streams
from adebug_lsp.languages.python.sandbox.value_descriptions import Origins
from adebug_lsp.languages.reference_tree import reference_tree
from adebug_lsp.model.answers import Confine, Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.oracle import ORACLE_SECONDS, Opinion

_SAME = "the reference gives the same result"
_OTHER = "the reference gives another result"
_NEVER_ENDS = "the reference ends here"
_UNRECORDED = ("output", "how", "returned", "unknown")
"""Facts that are not recorded, so that they are compared between two runs in the sandbox."""
_SEVERAL = 2
"""Changed routines from which on the test is run with the reference; a single one is the bug."""
_MOST_FIRST = 30
"""Calls judged before the strategy chooses."""
_LAZY = frozenset({"generator", "map", "filter", "zip", "coroutine", "async_generator"})
_DRIFTED = "the reference differs in so much code that ran that another result there is only a suggestion"
_SPANS = ("routine", "loop", "iteration")


class Reference:
    """Compares with a reference version. Close it, or use it in a `with` statement."""

    name = "reference"

    def __init__(
        self,
        run: Run,
        reference: Sandbox,
        recorded: Sandbox,
        fragment_of: Callable[[Question], Fragment | None],
        problem: Callable[[str], None],
    ) -> None:
        """Takes the run, a sandbox for each version, the fragment of a question, and a callback for problems."""
        self._run = run
        self._reference = reference
        self._recorded = recorded
        self._fragment_of = fragment_of
        self._problem = problem
        self.identity = CodeIdentity((), {})
        self.changed: ChangedCode | None = None
        """Answers from the code alone; None if there are none."""
        self.twin: Twin | None = None
        """The same test in the reference; None if it cannot be run."""
        self.root: tuple[Path, str | None] | None = None
        """The folder of the reference, and its file if it is a single one."""
        self.seconds_left = float(ORACLE_SECONDS)
        """See `Executing`."""
        self._right: set[int] = set()
        """The nodes of the run that gave the same result in the reference."""
        self._unreported: set[str] = set()
        self._reported: set[str] = set()
        self._behaviours = BehaviourBuilder(run)
        self._origins = Origins.of(run)
        self._streams = Streams(run, self._origins.generators)
        self._closing = ExitStack()
        self._closing.enter_context(reference)
        self._closing.enter_context(recorded)

    @classmethod
    def open(  # noqa: PLR0917 (all of them are needed, and none has a default)
        cls,
        spec: str,
        workspace: Path,
        interpreter: Path,
        run: Run,
        fragment_of: Callable[[Question], Fragment | None],
        problem: Callable[[str], None],
    ) -> "Reference":
        """Open a reference: a folder laid out like the workspace, one file, or `git:REV`."""
        with ExitStack() as stack:
            root, single = stack.enter_context(reference_tree(spec, workspace))
            opening = open_request(run, workspace)
            paths = [path for path, _name, _text in opening["modules"]]
            texts = _texts(root, single, paths)
            if not texts:
                recorded = ", ".join(paths[:3]) + (", ..." if len(paths) > 3 else "")
                raise BadInputError(f"the reference {spec} has none of the recorded files: {recorded}")
            made = cls(
                run,
                Sandbox(interpreter, {**opening, "reference": str(root), "texts": texts}),
                Sandbox(interpreter, opening),
                fragment_of,
                problem,
            )
            made.identity = CodeIdentity(run.program.modules, texts)
            made.root = root, single
            made._closing.push(stack.pop_all())
            return made

    def close(self) -> None:
        """End the processes and delete unpacked files."""
        self._closing.close()

    def closes(self, close: Callable[[], None]) -> None:
        """Also call this at the end."""
        self._closing.callback(close)

    def __enter__(self) -> "Reference":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def confined(self) -> Confine | None:
        """See `Comparer`."""
        return None if self.changed is None else self.changed.confined

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`: the code is compared first, and executed only where it differs."""
        known = None if self.changed is None else self.changed.opinion(question)
        if known is not None:
            return known
        opinion = self._in_time(question)
        if opinion is not None and opinion.judgement is Judgement.NO and self._is_only_suggested(question):
            return evolve(opinion, sure=False)
        if opinion is not None and opinion.judgement is Judgement.YES and self._returns_unused(question):
            opinion = Opinion(Judgement.UNKNOWN, "what it returned was used later")
        if opinion is not None and opinion.judgement is Judgement.YES and not question.zoomed:
            self._right.add(question.node)
        if opinion is None or opinion.judgement is not Judgement.UNKNOWN:
            return opinion
        known = None if self.changed is None else self.changed.last_resort(question)
        return self._reported_once(opinion) if known is None else known

    @property
    def first(self) -> Sequence[int]:
        """See `Comparer`."""
        return [] if self.changed is None else self.changed.followed[:_MOST_FIRST]

    def _returns_unused(self, question: Question) -> bool:
        """Whether a call of changed code returned a generator, whose values the comparison does not see."""
        if question.zoomed or not _is_call(question) or self.changed is None:
            return False
        span = self.changed.subject.span(question.node)
        result, _raised = self._behaviours.outcome(span)
        value = None if result is None else self._run.recording.values.value(result)
        return isinstance(value, Opaque) and value.type.name in _LAZY and not self.identity.is_shared(span.routine)

    def _is_only_suggested(self, question: Question) -> bool:
        """Whether another result may be intended: too much changed, or the failure came from another changed call.

        Such a call does not count once the reference has found it right: it was given something wrong.
        """
        changed = self.changed
        if changed is None:
            return False
        if changed.has_drifted:
            self._report(_DRIFTED)
            return True
        outermost = question.zoomed[0] if question.zoomed else question.node
        tree = changed.subject.tree
        followed = [node for node in changed.followed if node not in self._right]
        return bool(followed) and not any(
            tree.contains(outermost, node) or tree.contains(node, outermost) for node in followed
        )

    def _in_time(self, question: Question) -> Opinion | None:
        """The opinion from executing code, while there is time left."""
        if self.seconds_left <= 0:
            return Opinion(Judgement.UNKNOWN, "there is no time left", sure=False)
        began = monotonic()
        opinion = self._by_twin(question) or self._replayed(question)
        self.seconds_left -= monotonic() - began
        if self.seconds_left <= 0:
            self._problem("the reference has used its time (--oracle-time); what it has not judged is asked")
        return opinion

    def _by_twin(self, question: Question) -> Opinion | None:
        """The opinion of the twin run, which is made only where several changed routines ran."""
        if self.twin is None or self.changed is None or len(self.changed.routines) < _SEVERAL or question.zoomed:
            return None
        return self.twin.opinion(self.changed.subject.span(question.node)) if _is_call(question) else None

    def _replayed(self, question: Question) -> Opinion | None:
        """The opinion from executing the reference's code."""
        fragment = self._fragment_of(question)
        if fragment is None:
            return Opinion(Judgement.UNKNOWN, "several calls in a row are judged one by one")
        if fragment.generator and fragment.what == "routine" and fragment.node_kind != "AsyncFunctionDef":
            fragment = from_beginning(fragment, BehaviourBuilder(fragment.run) if fragment.run else self._behaviours)
            if fragment is None:
                return self._abstain("this step of a generator cannot be run again")
        if self._was_stopped(fragment) and fragment.span not in self._stopped_in:
            return Opinion(Judgement.UNKNOWN, "it had not ended because a call or loop inside it had not")
        known = (self._streams, self._origins) if fragment.run is None else (None, None)
        request = fragment_request(fragment, fragment.run or self._run, *known)
        reply = self._reference.ask(request)
        if "cannot" in reply:
            return self._abstain(reply["cannot"])
        if reply.get("late"):
            return self._abstain("the reference takes too long")
        if "judged" in reply:
            return _judged(reply["judged"])
        return self._compared(fragment, request, reply)

    def _compared(self, fragment: Fragment, request: dict[str, Any], reply: dict[str, Any]) -> Opinion | None:
        """The judgement from the reference's outcome and, where that is not enough, the recorded version's."""
        if fragment.fetches and reply["same"] is True:
            return self._abstain("values of a generator are judged step by step")
        if reply["same"] is True and not _says_more(fragment, reply):
            return Opinion(Judgement.YES, _SAME)
        control = self._recorded.ask(request)
        if control.get("late") and reply["same"] is True and self._has_ended(fragment):
            return Opinion(Judgement.YES, _SAME)
        if control.get("late"):
            if self._has_ended(fragment):
                return self._abstain("the recorded version takes too long")
            return self._checked(request, control, Opinion(Judgement.NO, _NEVER_ENDS, expected=reply["expected"]))
        if "cannot" in control:
            return self._abstain(control["cannot"])
        if control["same"] is False:
            return self._abstain("the recorded version, run again, gives another result")
        if reply["same"] is False or any(reply[key] != control[key] for key in _UNRECORDED):
            return self._checked(request, control, _no(fragment, reply))
        if "" in reply["unknown"]:
            return self._abstain("a value can neither be rebuilt nor compared")
        return Opinion(Judgement.YES, _SAME)

    def _checked(self, request: dict[str, Any], control: dict[str, Any], no: Opinion) -> Opinion:
        """Confirm a "no": abstain if time, randomness or an address made the two runs differ."""
        if self._reference.ask({**request, "only_code": True}).get("judged"):
            return _judged(right=True)
        again = self._recorded.ask(request)
        if any(again.get(key) != control.get(key) for key in ("same", "late", *_UNRECORDED)):
            return self._abstain("the recorded version gives another result each time")
        return no

    def _has_ended(self, fragment: Fragment) -> bool:
        """Whether the code ended in the recorded run."""
        if self._was_stopped(fragment):
            return False
        if fragment.result is not None or fragment.raised is not None:
            return True
        return fragment.span >= 0 and not (fragment.run or self._run).spans[fragment.span].open

    def _was_stopped(self, fragment: Fragment) -> bool:
        """Whether the program was stopped in this call or loop."""
        if fragment.run is not None or fragment.what not in _SPANS or fragment.span < 0:
            return False
        return self._behaviours.unfinished(self._run.spans[fragment.span])

    @cached_property
    def _stopped_in(self) -> set[int]:
        """The innermost unfinished loop and the innermost unfinished call or loop: one of them did not end.

        The ones around them are unfinished only because of that.
        """
        spans = self._run.spans
        numbers = reversed(range(len(spans)))
        last = next((number for number in numbers if self._behaviours.unfinished(spans[number])), -1)
        around = []
        while last >= 0:
            around.append(last)
            last = spans.parent[last]
        parts = [number for number in around if spans.kind[number] != NodeKind.ITERATION]
        loops = [number for number in parts if spans.kind[number] == NodeKind.LOOP]
        return {*parts[:1], *loops[:1]}

    def _abstain(self, why: str) -> Opinion:
        """Abstain for now, because finer questions may be decidable."""
        self._unreported.add(why)
        return Opinion(Judgement.UNKNOWN, why)

    def _reported_once(self, opinion: Opinion) -> Opinion:
        """Report why the reference abstained, each reason once."""
        if opinion.reason in self._unreported:
            self._report(f"the reference cannot judge some code: {opinion.reason}")
        return opinion

    def _report(self, problem: str) -> None:
        if problem not in self._reported:
            self._reported.add(problem)
            self._problem(problem)


def _is_call(question: Question) -> bool:
    return question.facts.kind in (NodeKind.ROUTINE, NodeKind.LAMBDA, NodeKind.COROUTINE)


def _says_more(fragment: Fragment, reply: dict[str, Any]) -> bool:
    """Whether the reply has something that only another run can be compared with: output, unknown parts, an ending."""
    return bool(reply["output"] or reply["unknown"]) or fragment.what != "expression"


def _judged(right: bool) -> Opinion:
    if right:
        return Opinion(Judgement.YES, "the reference has the same code")
    return Opinion(Judgement.NO, "the reference has different code here")


def _no(fragment: Fragment, reply: dict[str, Any]) -> Opinion:
    """A "no" with the first difference marked, and the expected value."""
    mark = None
    if (
        fragment.what in ("routine", "expression", "statement")
        and reply["of"] == "result"
        and reply["path"]
        and reply["same"] is False
    ):
        mark = Mark(MarkOf.RESULT, tuple(reply["path"]))
    why = f"the reference also has `{reply['more']}` here" if reply.get("more") else _OTHER
    return Opinion(Judgement.NO, why, mark, reply["expected"])


# Finding the reference


def _texts(root: Path, single: str | None, paths: Sequence[str]) -> dict[str, str]:
    """Sources of the reference by path of the recorded module; a reference of one file matches any path."""
    texts = {}
    for path in paths:
        if single is not None and Path(path).name != single and len(paths) > 1:
            continue
        file = root / single if single is not None else root / path
        if file.is_file():
            try:
                texts[path] = file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise BadInputError(f"{file} cannot be read: {error}") from error
    return texts
