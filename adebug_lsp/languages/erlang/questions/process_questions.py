"""Behaviours of processes, of their steps, and of processes that block forever.

The received message is part of the environment before a step, sent messages and started processes are part of the one
after it. The received message, the messages left in the mailbox, and the variables around the `receive` can be marked.
"""

from collections.abc import Callable, Iterable
from itertools import islice

from attrs import define, field, frozen

from adebug_lsp.languages.erlang.reading.processes import MAX_MESSAGES, Message, Process, Step
from adebug_lsp.languages.erlang.reading.run import ErlangRun, Raised, used_variables
from adebug_lsp.languages.erlang.reading.term_text import as_value, atom_text, text
from adebug_lsp.languages.erlang.reading.terms import Atom, Improper, Opaque, Term
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Binding, Environment, Role

MESSAGE = "message"
"""Name of the received message in a question about a step."""
NOT_TAKEN = "not taken"
_MAX_CHARACTERS, _MAX_BINDINGS = 120, 64


@frozen(eq=False)
class BlockedProcess:
    """A process that waits forever although messages have arrived."""

    process: Process
    event: int


@define(eq=False)
class ProcessBehaviours:
    """Builds behaviours of processes; `called` returns the text of a call."""

    run: ErlangRun
    called: Callable[[int], str]
    _sites: dict[tuple[object, ...], Site] = field(factory=dict)

    # Names

    def process(self, index: int) -> str:
        """Pid and registered name of a process."""
        if index < 0:
            return "elsewhere"
        process = self.run.processes.all[index]
        return f"{process.pid.text} ({process.names[0]})" if process.names else process.pid.text

    def title(self, process: Process) -> str:
        """A process and its first call."""
        return f"process {self.process(process.index)}, {self._first_call(process.steps[0])}"

    def _first_call(self, step: Step) -> str:
        """Text of the first call of a step; the text of a fun call ends with a comma, which is removed."""
        return self.called(self._frame(step)).removesuffix(",")

    def summary(self, process: Process) -> str:
        """The first call of a process, and how the process ended."""
        frame = self._frame(process.steps[0])
        step = process.steps[-1]
        ending = "served" if step.whole >= 0 and len(process.steps) > 1 else self._ending_text(step)
        return f"{self.called(frame)} {ending}"

    def site(self, item: Process | Step | BlockedProcess) -> Site:
        """Site of a step: that of the function it is in."""
        key = self._executed(item) if isinstance(item, Step) else (id(item),)
        if key not in self._sites:
            self._sites[key] = self._site(item)
        return self._sites[key]

    def _executed(self, step: Step) -> tuple[object, ...]:
        """Key that is equal for steps that executed the same clauses."""
        events, frames = self.run.recording.events, self.run.frames
        begun = [step.first, *(frames.first[frame] for frame in step.open)]
        took = frames.by_number[events.frame[step.took]] if step.took >= 0 else -1
        return (step.took >= 0, took in step.open[:1], *((events.site[event], events.clause[event]) for event in begun))

    def _site(self, item: Process | Step | BlockedProcess) -> Site:
        events = self.run.recording.events
        if isinstance(item, BlockedProcess):
            frame = self.run.frames.by_number[events.frame[item.event]]
        else:
            frame = self._frame(item if isinstance(item, Step) else item.steps[0])
        facts, kind = self.run.site(frame), type(item).__name__.lower()
        where = self.code(item)
        event = item.took if isinstance(item, Step) else item.event if isinstance(item, BlockedProcess) else -1
        place = f"{events.site[event]} {events.clause[event]}" if event >= 0 else f"{facts.number}"
        return Site(f"{facts.routine} {kind} {place}", facts.callable, facts.module, where[0] if where else None)

    def _frame(self, step: Step) -> int:
        """Activation in which a step begins."""
        return self.run.frames.by_number[self.run.recording.events.frame[step.first]]

    # Behaviours

    def behaviour(self, item: Process | Step | BlockedProcess) -> Behaviour:
        """Behaviour of a process, a step, or a blocked process."""
        if isinstance(item, Process):
            return self._of_process(item)
        if isinstance(item, BlockedProcess):
            return self._of_blocked(item)
        context = self.context(item)
        before = [Binding(name, as_value(value), Role.ARGUMENT) for name, value in context.items()]
        if item.message is not None:
            before.append(Binding(MESSAGE, as_value(item.message.value), Role.MAILBOX))
        before += self._mailbox_bindings(item.mailbox)
        returned, outcome = self._outcome(item)
        return Behaviour(
            text=self._step_text(item, context),
            before=Environment(tuple(before)),
            projection=self.code(item),
            after=Environment(tuple(self._after(item))),
            result=as_value(outcome) if returned else None,
            raised=as_value(outcome.term) if isinstance(outcome, Raised) else None,
        )

    def _mailbox_bindings(self, messages: Iterable[Message]) -> list[Binding]:
        return [
            Binding(f"{NOT_TAKEN} {number}", as_value(message.value), Role.MAILBOX)
            for number, message in enumerate(islice(messages, MAX_MESSAGES), 1)
        ]

    def _step_text(self, step: Step, context: dict[str, Term]) -> str:
        """One line for a step: how it began, what it did, how it ended."""
        who = f"process {self.process(step.process.index)}"
        if step.took < 0:
            begun = f"{who} began with {self._first_call(step)}"
        else:
            around = f", with {self._bindings_text(context)}," if context else ""
            begun = f"{who}{around} {self._receive_text(step)}"
        done = [f"sent {self._sent_text(message)}" for message in step.sent[:MAX_MESSAGES]]
        done += [f"{len(step.sent) - MAX_MESSAGES} messages more"] if len(step.sent) > MAX_MESSAGES else []
        done += [f"started {text(pid)}, {start_call_text(call)}" for pid, call in step.started[:MAX_MESSAGES]]
        return ", ".join([begun, *done]) + f" and {self._ending_text(step)}"

    def _receive_text(self, step: Step) -> str:
        line = self._line(step.took)
        if step.message is None:
            return f"timed out waiting for a message at line {line}"
        return (
            f"took {message_text(step.message.value, _MAX_CHARACTERS)} from {self._sender(step.message)} at line {line}"
        )

    def _sender(self, message: Message) -> str:
        value = message.value
        if message.sender < 0 and isinstance(value, tuple) and value[:1] in ((Atom("DOWN"),), (Atom("EXIT"),)):
            return "the system"
        return self.process(message.sender)

    def _sent_text(self, message: Message) -> str:
        receiver = self.run.processes.receiver(message)
        index = None if receiver is None else self.run.processes.index.get(receiver)
        to = text(message.destination) if index is None else self.process(index)
        lost = ", which is not there" if message.lost else ""
        return f"{message_text(message.value, _MAX_CHARACTERS)} to {to}{lost}"

    def _ending_text(self, step: Step) -> str:
        """How a step ended: the next wait with its variables, or the end of the process."""
        if step.waits >= 0:
            context = self._variables_at(step.waits)
            around = f" with {self._bindings_text(context)}" if context else ""
            return f"waits for a message at line {self._line(step.waits)}{around}{self._wait_text(step)}"
        returned, outcome = self._outcome(step)
        if returned:
            return f"ended with {text(outcome, _MAX_CHARACTERS)}"
        if isinstance(outcome, Raised):
            return f"ended with {outcome.kind}:{text(outcome.reason, _MAX_CHARACTERS)}"
        return "ended" if step.process.exited >= 0 else "went on"

    def _wait_text(self, step: Step) -> str:
        """How a wait ended, if no message ended it."""
        process = step.process
        if process.blocked == step.waits:
            return ", where none came that it takes"
        if process.exited >= 0 and step is process.steps[-1]:
            return f", where it was ended with {text(self.run.recording.values(process.exited)[3], _MAX_CHARACTERS)}"
        return ""

    def _outcome(self, step: Step) -> tuple[bool, Term]:
        """Outcome of the process, for its last step."""
        if step.waits >= 0 or step is not step.process.steps[-1]:
            return False, None
        return self.run.outcome(self._frame(step.process.steps[0]))

    def _after(self, step: Step) -> list[Binding]:
        """The bindings after a step: messages sent, processes started, variables bound or changed."""
        after = [
            Binding(f"sent {number} to {text(message.destination)}", as_value(message.value), Role.MAILBOX)
            for number, message in enumerate(step.sent[:_MAX_BINDINGS], 1)
        ]
        after += [
            Binding(f"started {text(pid)}", as_value(start_call(call)), Role.MAILBOX) for pid, call in step.started
        ]
        if step.waits >= 0:
            before = self.context(step)
            around = self._variables_at(step.waits).items()
            after += [
                Binding(name, as_value(value)) for name, value in around if name not in before or before[name] != value
            ]
        return after

    def _of_process(self, process: Process) -> Behaviour:
        taken = [step.message for step in process.steps if step.message is not None]
        sent = [message for step in process.steps for message in step.sent]
        phrases = [self.title(process)]
        phrases += (
            [f"took {_list_text(taken, lambda message: message_text(message.value, _MAX_CHARACTERS))}"] if taken else []
        )
        phrases += [f"sent {_list_text(sent, self._sent_text)}"] if sent else []
        before = [
            Binding(f"message {number} from {self._sender(message)}", as_value(message.value), Role.MAILBOX)
            for number, message in enumerate(taken[:_MAX_BINDINGS], 1)
        ]
        after = [
            Binding(f"sent {number} to {text(message.destination)}", as_value(message.value), Role.MAILBOX)
            for number, message in enumerate(sent[:_MAX_BINDINGS], 1)
        ]
        returned, outcome = self._outcome(process.steps[-1])
        return Behaviour(
            f"{', '.join(phrases)} and {self._ending_text(process.steps[-1])}",
            before=Environment(tuple(before)),
            after=Environment(tuple(after)),
            result=as_value(outcome) if returned else None,
            projection=self.code(process),
        )

    def _of_blocked(self, item: BlockedProcess) -> Behaviour:
        context = self._variables_at(item.event)
        before = [Binding(name, as_value(value), Role.ARGUMENT) for name, value in context.items()]
        around = f", with {self._bindings_text(context)}," if context else ""
        left = _list_text(list(item.process.mailbox), lambda message: text(message.value, _MAX_CHARACTERS))
        return Behaviour(
            f"process {self.process(item.process.index)}{around} waits at line {self._line(item.event)}"
            f" and takes none of {left}",
            before=Environment((*before, *self._mailbox_bindings(item.process.mailbox))),
            projection=self.code(item),
        )

    # Variables and code

    def context(self, step: Step) -> dict[str, Term]:
        """Variables at the start of a step."""
        if step.took >= 0:
            return self._variables_at(step.took)
        frame = self._frame(step)
        return dict(self.run.parameters(frame))

    def _variables_at(self, event: int) -> dict[str, Term]:
        """Variables that the function around a `receive` uses and had bound at an event."""
        run = self.run
        frame = run.frames.by_number[run.recording.events.frame[event]]
        clause = run.clause(frame)
        written = "" if clause is None else run.text(run.clause_location(run.site(frame), clause))
        return used_variables(written, run.bindings(frame, event))

    def _bindings_text(self, context: dict[str, Term]) -> str:
        return ", ".join(f"{name} = {text(value, _MAX_CHARACTERS)}" for name, value in context.items())

    def _line(self, event: int) -> int:
        events = self.run.recording.events
        return self.run.recording.sites[events.site[event]].place[0]

    def code(self, item: Process | Step | BlockedProcess) -> tuple[Location, ...]:
        """The executed clauses; only that of the `receive` if it is the last expression of its function."""
        run, events = self.run, self.run.recording.events
        if isinstance(item, Process):
            locations = [run.site_location(run.site(self._frame(item.steps[0])))]
            return tuple(location for location in locations if location is not None)
        if isinstance(item, BlockedProcess):
            where = run.site_location(run.recording.sites[events.site[item.event]])
            return () if where is None else (where,)
        places: list[Location | None] = []
        for frame in item.open or [self._frame(item)]:
            facts, clause = run.site(frame), run.clause(frame)
            if item.took >= 0 and run.frames.by_number[events.frame[item.took]] == frame:
                site, number = run.recording.sites[events.site[item.took]], events.clause[item.took]
                if site.tail and number > 0:
                    facts, clause = site, site.clauses[number - 1]
            places.append(run.site_location(facts) if clause is None else run.clause_location(facts, clause))
        return tuple(dict.fromkeys(place for place in places if place is not None))


def message_text(value: Term, most: int) -> str:
    """Text of a message; requests, casts and replies of a `gen_server` by their payload.

    The tags are internal to `gen` of OTP 25 to 29: https://www.erlang.org/doc/system/gen_server_concepts.html
    """
    match value:
        case ("$gen_call", _, request):
            return f"call {text(request, most)}"
        case ("$gen_cast", request):
            return f"cast {text(request, most)}"
        case (Opaque() | Improper(items=("alias",)), reply):
            return f"reply {text(reply, most)}"
    return text(value, most)


def send_effect(message: Term) -> tuple[str, Term]:
    """Verb and payload of a sent message; for `gen_server` requests without their envelope."""
    match message:
        case ("$gen_call", _, request):
            return "asked", request
        case ("$gen_cast", request):
            return "cast to", request
    return "sent to", message


def start_call(call: Term) -> Term:
    """The first call of a process; for `proc_lib` and `gen` (OTP 25 to 29) the `init` of the callback module."""
    match call:
        case ("proc_lib", "init_p", [_, _, "gen", "init_it", [_, _, _, *_, module, arguments, _]]):
            return module, Atom("init"), [arguments]
    return call


def start_call_text(call: Term) -> str:
    """Text of the first call of a process."""
    call = start_call(call)
    if isinstance(call, tuple) and len(call) == 3 and isinstance(call[2], list):
        module, name, arguments = call
        listed = ", ".join(text(argument, 60) for argument in arguments)
        return f"{atom_text(str(module))}:{atom_text(str(name))}({listed})"
    return text(call, _MAX_CHARACTERS)


def _list_text(messages: list[Message], message_phrase: Callable[[Message], str]) -> str:
    """The text of several messages, of which a question shows the first few."""
    more = f" and {len(messages) - MAX_MESSAGES} more" if len(messages) > MAX_MESSAGES else ""
    return ", ".join(map(message_phrase, messages[:MAX_MESSAGES])) + more
