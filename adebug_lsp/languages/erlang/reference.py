"""A version of the program that is known to be right, asked what its functions give for the recorded arguments.

It runs apart, in a VM of its own that prints nothing. A call of a fun, a value with something left out, and what
processes did cannot be judged: then it abstains.
"""

import struct
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import define, field

from adebug_lsp.languages.erlang.alignment import aligned
from adebug_lsp.languages.erlang.beam import compiled, find_erlang
from adebug_lsp.languages.erlang.frames import OPEN
from adebug_lsp.languages.erlang.inner import CHOICE, PASSED, TAKEN, VALUE, Inner
from adebug_lsp.languages.erlang.run import Raised, used
from adebug_lsp.languages.erlang.showing import is_whole, text
from adebug_lsp.languages.erlang.sites import SiteFacts, Sites, sites_of
from adebug_lsp.languages.erlang.subject import ErlangSubject, is_of_this_run
from adebug_lsp.languages.erlang.terms import (
    BITS,
    Atom,
    Cut,
    Fun,
    Improper,
    MapTerm,
    Other,
    Pid,
    canonical,
    decode,
    encode,
)
from adebug_lsp.languages.revisions import reference_tree
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError, OracleError
from adebug_lsp.oracles.oracle import Opinion

PATIENCE = 5.0
"""Seconds that one call may take."""
_MOST_CALLS = 1000
"""Calls in a row that are judged together."""
_CLOSE = 1e-9


class _CannotSendError(Exception):
    """A value cannot be made in another VM."""


@define(eq=False)
class Reference:
    """See above; a context manager, at whose end the VM is stopped."""

    subject: ErlangSubject
    process: "subprocess.Popen[bytes]"
    name: str = "reference"
    sites: dict[str, dict[int, SiteFacts]] = field(factory=dict)
    """For every module of the reference which of its sites stands for one of the program."""
    _known: dict[int, Opinion] = field(factory=dict)

    @classmethod
    def open(cls, spec: str, workspace: Path, subject: ErlangSubject) -> "Reference":
        """Start the VM with the modules of a folder, a file, or a revision."""
        with ExitStack() as closing:  # the modules are loaded when this ends
            folder, single = closing.enter_context(reference_tree(spec, workspace))
            files = _modules(folder, subject) if single is None else [folder / single]
            if not files:
                raise BadInputError(f"--reference {spec}: there is none of the modules that were recorded")
            return cls._start(spec, files, subject)

    @classmethod
    def _start(cls, spec: str, files: list[Path], subject: ErlangSubject) -> "Reference":
        erl, erlc = find_erlang()
        start = ["-noshell", "-noinput", "+Bd", "-pa", str(compiled(erl, erlc)), "-s", "adebug_reference", "main"]
        process = subprocess.Popen([erl, *start], stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        made = cls(subject, process)
        answer = made._ask(_message({"load": [str(file) for file in files]}))
        if not isinstance(answer, tuple):
            made.__exit__()
            raise BadInputError(f"--reference {spec}: {answer.decode() if isinstance(answer, bytes) else text(answer)}")
        for module, sites in answer[1]:
            made.sites[str(module)] = aligned(subject.run.recording.sites, Sites({}, sites_of(sites)))
        return made

    def __enter__(self) -> "Reference":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        inner = self.subject.inside(question.zoomed[0]) if question.zoomed else None
        part = None if inner is None else inner.part(question.node)
        outer = question.zoomed[0] if question.zoomed else question.node
        frame = self.subject.frame(outer) if part is None else part.frame
        if frame is None:
            return self._of_several(self.subject.calls_of(outer))
        if self._module(frame) not in self.sites:
            return None
        if part is not None:
            return self._of_part(frame, part)
        return self._of_known(frame)

    def _of_several(self, frames: list[int]) -> Opinion:
        """Calls in a row: all must be right."""
        if not 0 < len(frames) <= _MOST_CALLS or any(self._module(frame) not in self.sites for frame in frames):
            return _unknown("only calls are judged")
        sure = True
        for frame in frames:
            opinion = self._of_known(frame)
            if opinion.judgement is Judgement.NO:
                return Opinion(Judgement.NO, f"of one of them {opinion.reason}")
            sure = sure and opinion.judgement is Judgement.YES
        return Opinion(Judgement.YES, "the reference gives the same") if sure else _unknown("not all can be judged")

    def _module(self, frame: int) -> str:
        return self.subject.run.site(frame).module

    def _of_known(self, frame: int) -> Opinion:
        if frame not in self._known:
            self._known[frame] = self._of_call(frame)
        return self._known[frame]

    def _of_call(self, frame: int) -> Opinion:
        run = self.subject.run
        facts, given = run.site(frame), run.given(frame)
        returned, outcome = run.outcome(frame)
        first, last = run.frames.first[frame], run.frames.last[frame]
        if run.has_state(first, last, run.frames.process[frame]):
            return _unknown("it does more than it gives: messages, processes, tables")
        if (outcome is None and run.frames.status[frame] != OPEN) or not is_whole((given, outcome)):
            return _unknown("its values are not known in full")
        request: dict[str, Any] = {"module": Atom(facts.module), "function": Atom(facts.function), "arguments": given}
        if facts.kind == "fun":
            nth = run.recording.sites.funs_of(facts).index(facts.number) + 1
            request |= {"arity": facts.arity, "nth": nth, "bindings": list(self.subject.context(frame).items())}
        return _judged(returned, outcome, self._run(request))

    def _of_part(self, frame: int, part: Inner) -> Opinion:
        run = self.subject.run
        other = self.sites[part.site.module].get(part.site.number)
        begun = min((one.event for one in part.all), default=part.event)
        if other is None or run.has_state(begun, part.event, run.frames.process[frame]):
            return _unknown("the reference has no such code")
        known = run.bindings(frame, part.event)
        inside = part.binds if part.what == VALUE else set(run.bound(part.event))
        bindings = {name: value for name, value in known.items() if name not in inside}
        request = {"module": Atom(other.module), "tag": Atom(other.tag), "place": other.place, "arguments": []}
        if part.what == VALUE:
            if not part.has_value and part.raised is None:
                return _unknown("it did not end")
            return _judged(
                part.has_value,
                part.value if part.has_value else part.raised,
                self._run(request | {"bindings": list(bindings.items())}),
            )
        if part.site.kind in ("function", "fun"):
            bindings["adebug_value"] = tuple(run.given(frame))
        else:
            bindings["adebug_value"] = (*part.value, []) if part.clause < 0 else part.value
        return self._of_choice(part, request | {"bindings": list(bindings.items())})

    def _of_choice(self, part: Inner, request: dict[str, Any]) -> Opinion:
        """Whether the reference takes the same clause; of one clause alone, whether it matches as it did."""
        clauses = part.site.handlers if part.clause < 0 else part.site.clauses
        sign = -1 if part.clause < 0 else 1
        alone = [part.clause] if part.what in (PASSED, TAKEN) else [sign * at for at in range(1, len(clauses) + 1)]
        answer = self._run(request | {"clauses": alone}) if part.clause else None
        if not isinstance(answer, tuple) or answer[0] != "value":
            return _unknown("the reference has no such clause")
        taken = answer[1] == abs(part.clause)
        if taken == (part.what != PASSED):
            return Opinion(Judgement.YES, "the reference takes the same clause")
        chosen = "no clause" if answer[1] == "none" else f"clause {answer[1]}"
        told = f"takes {chosen}" if part.what == CHOICE else "has it the other way"
        return Opinion(Judgement.NO, f"the reference {told}")

    def _run(self, request: dict[str, Any]) -> Any:
        """What the reference gives; None where something of it cannot be sent."""
        try:
            sent = {key: self._sent(value) for key, value in request.items()}
            message = _message(sent | {"limit": int(1000 * PATIENCE)})
        except (_CannotSendError, RecursionError):  # a fun may know itself, and a value may be very deep
            return None
        return self._ask(message)

    def _sent(self, term: Any) -> Any:
        """A term as it is sent: funs by where they are written and what they know."""
        if isinstance(term, Cut | Pid | Other) or (isinstance(term, tuple) and term[:1] == (BITS,)):
            raise _CannotSendError
        if isinstance(term, Fun):
            return self._sent_fun(term)
        if isinstance(term, MapTerm):
            return MapTerm(tuple((self._sent(key), self._sent(value)) for key, value in term.pairs))
        if isinstance(term, Improper):
            return Improper(tuple(map(self._sent, term.items)), self._sent(term.tail))
        if isinstance(term, tuple):
            return tuple(map(self._sent, term))
        return list(map(self._sent, term)) if isinstance(term, list) else term

    def _sent_fun(self, fun: Fun) -> Any:
        if fun.name:
            return (Atom("adebug_fun"), Atom(fun.module), Atom(fun.name), fun.arity)
        run, made = self.subject.run, fun.made
        definer = None if made is None else run.frames.numbered.get(made[0])
        facts = None if made is None else run.recording.sites.facts.get(made[1])
        if definer is None or facts is None or facts.module not in self.sites:
            raise _CannotSendError
        around = run.bindings(definer, run.frames.last[definer] + 1)
        own = {name for clause in facts.clauses for name in clause.variables} | {facts.name}
        names = used(run.text(run.of_site(facts)), around).items()
        context = {name: value for name, value in names if name not in own and value is not fun}
        nth = run.recording.sites.funs_of(facts).index(facts.number) + 1
        known = [(name, self._sent(value)) for name, value in context.items()]
        return (Atom("adebug_fun"), Atom(facts.module), Atom(facts.function), facts.arity, nth, known)

    def _ask(self, message: bytes) -> Any:
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise OracleError("the reference has no connection")
        try:
            stdin.write(struct.pack(">I", len(message)) + message)
            stdin.flush()
            (length,) = struct.unpack(">I", stdout.read(4))
            return decode(stdout.read(length))
        except (OSError, struct.error) as error:
            raise OracleError(f"the reference has ended: {error}") from error


def _modules(folder: Path, subject: ErlangSubject) -> list[Path]:
    """The recorded modules, where the workspace has them or anywhere, and those that lie beside them."""
    there = sorted(folder.resolve().rglob("*.erl"))
    paths = {source.path for source in subject.run.sources.values()}
    names = {Path(path).name for path in paths}
    found = [file for file in there if file.relative_to(folder.resolve()).as_posix() in paths]
    folders = {file.parent for file in found or there if file.name in names}
    return [file for file in there if file.parent in folders]


def _message(request: dict[str, Any]) -> bytes:
    return encode({Atom(key): value for key, value in request.items()})


def _unknown(why: str) -> Opinion:
    return Opinion(Judgement.UNKNOWN, why)


def _judged(returned: bool, outcome: Any, answer: Any) -> Opinion:
    """An opinion on a value or an exception, given what the reference did."""
    if is_of_this_run(outcome.term if isinstance(outcome, Raised) else outcome):
        return _unknown("a process, a reference or a fun in it is not the same in another run")
    if not isinstance(answer, tuple) or len(answer) != 2:
        return _unknown("the reference cannot be given its values")
    kind, right = answer
    if kind == "value":
        same, expected = returned and equal(outcome, right), text(right)
    elif isinstance(right[1], tuple) and right[1][:1] in (("unbound_var",), ("unbound",)):
        return _unknown("the reference uses another variable there")
    else:
        same = isinstance(outcome, Raised) and equal(outcome.term, right)
        expected = f"an exception, {right[0]}:{text(right[1])}"
    if same:
        return Opinion(Judgement.YES, "the reference gives the same")
    return Opinion(Judgement.NO, f"the reference gives {expected}", expected=expected)


def _text(term: Any) -> str:
    return "".join(canonical(term))


def equal(left: Any, right: Any) -> bool:
    """Whether two terms are the same, floats nearly."""
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if isinstance(one, float) and isinstance(other, float):
            if one != other and abs(one - other) > _CLOSE * max(abs(one), abs(other)):
                return False
        elif isinstance(one, MapTerm) and isinstance(other, MapTerm):
            if len(one.pairs) != len(other.pairs):
                return False
            waiting += zip(sorted(one.pairs, key=_text), sorted(other.pairs, key=_text), strict=True)
        elif isinstance(one, Improper) and isinstance(other, Improper):
            waiting.append(((*one.items, one.tail), (*other.items, other.tail)))
        elif isinstance(one, list | tuple) and type(one) is type(other):
            if len(one) != len(other):
                return False
            waiting += zip(one, other, strict=True)
        elif type(one) is not type(other) or one != other or isinstance(one, Cut):
            return False
    return True
