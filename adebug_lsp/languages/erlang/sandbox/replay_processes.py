"""Replays the processes of a run with the code of a reference version.

The processes run one after the other in a separate VM, which records them. A process gets its first calls, the messages
that had arrived by each `receive`, and the recorded results of effects; see `adebug_replay.erl`.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import define

from adebug_lsp.languages.erlang.reading.effects import Effect, Effects, recorded_effects
from adebug_lsp.languages.erlang.reading.processes import Message, Process
from adebug_lsp.languages.erlang.reading.recording_file import open_erlang, write_recording
from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.languages.erlang.reading.sites import read_sites
from adebug_lsp.languages.erlang.reading.terms import Atom, Improper, Opaque, Term, decode, encode
from adebug_lsp.languages.erlang.recorder.otp import compiled, find_erlang
from adebug_lsp.languages.erlang.sandbox.encode_values import CannotEncodeError, ValueEncoder
from adebug_lsp.model.errors import BadInputError

_TIMEOUT = 2.0
"""Seconds that one process may take."""
_MAX_PROCESSES = 200
"""Processes that are replayed."""
_WAITS = ord("w")


@define(eq=False)
class Replay:
    """The recorded replay of those processes that could be replayed."""

    run: ErlangRun
    process: dict[int, int]
    """Index of the replayed process, by the index of the recorded process."""


def replay(run: ErlangRun, files: list[Path], encoder: ValueEncoder) -> Replay | None:
    """Replays the processes of a run with the modules in `files`; returns None if no process can be replayed."""
    scripts = list(_scripts(run, encoder))
    if not scripts:
        return None
    folder = Path(tempfile.mkdtemp(prefix="adebug-"))
    try:
        options = {
            Atom("folder"): str(folder),
            Atom("modules"): [str(file) for file in files],
            Atom("processes"): scripts,
            Atom("limit"): int(1000 * _TIMEOUT),
        }
        (folder / "options").write_bytes(encode(options))
        return _run_replay(folder, len(scripts))
    except (OSError, subprocess.SubprocessError, BadInputError, RecursionError):
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run_replay(folder: Path, count: int) -> Replay | None:
    """Run the scripts in a folder in a VM that records; None if it fails."""
    erl, erlc = find_erlang()
    start = ["-noshell", "-noinput", "+Bd", "-pa", str(compiled(erl, erlc)), "-s", "adebug_replay", "main"]
    subprocess.run(  # noqa: S603
        [erl, *start, "-extra", str(folder / "options")],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=30 + count * 2 * _TIMEOUT, check=False,
    )  # fmt: skip
    if not (folder / "sites").is_file() or not (folder / "ended").is_file():
        return None
    files = read_sites(decode((folder / "sites").read_bytes())).files
    sources = {module: (path, Path(path).read_text("utf-8", "replace")) for module, path in files.items()}
    write_recording(folder / "run", folder, {"sources": sources})
    run = ErlangRun(open_erlang(folder / "run"))
    index = run.processes.index
    pairs = run.recording.ended.get("processes")
    return Replay(run, {number: index[pid] for number, pid in pairs or () if pid in index})


def _scripts(run: ErlangRun, encoder: ValueEncoder) -> Iterator[dict[Term, Term]]:
    """The scripts of the processes that can be replayed; processes that share tables cannot."""
    effects = {process.index: recorded_effects(run, process.index) for process in run.processes.all if process.steps}
    with_tables = [
        index for index, of_process in effects.items() if any(effect.module == "ets" for effect in of_process.all)
    ]
    shared = set(with_tables if len(with_tables) > 1 else [])
    count = 0
    for index in sorted(effects.keys() - shared):
        if count == _MAX_PROCESSES:
            return
        try:
            script = _script(run, run.processes.all[index], effects[index], encoder)
        except (CannotEncodeError, RecursionError):  # a fun may capture itself, and a value may be very deep
            continue
        if script is not None:
            count += 1
            yield script


def _script(run: ErlangRun, process: Process, effects: Effects, encoder: ValueEncoder) -> dict[Term, Term] | None:
    """Input of a process; None if it is not fully known."""
    tops = [(run.site(frame), frame) for frame in run.top_frames[process.index]]
    if any(facts.module not in encoder.modules or facts.number < 0 for facts, _ in tops):
        return None
    # its effects were recorded as those of another call
    if any(effect.key == ("erlang", "apply", 3) for effect in effects.all):
        return None
    return {
        Atom("index"): process.index,
        Atom("self"): process.pid,
        Atom("calls"): [
            (
                encoder.fun_of_frame(frame) if facts.kind == "fun" else (Atom(facts.module), Atom(facts.function)),
                encoder.encode(run.arguments(frame)),
            )
            for facts, frame in tops
        ],
        Atom("feeds"): [
            [encoder.encode(message.value) for message in come] for come in _mailbox_feeds(run, process, effects)
        ],
        Atom("answers"): list(_answers(effects, encoder).items()),
    }


def _answers(effects: Effects, encoder: ValueEncoder) -> dict[tuple[Term, ...], list[Term]]:
    """Recorded calls of each function, in order: arguments, whether the call changed something, and result."""
    answers: dict[tuple[Term, ...], list[Term]] = {}
    ended = set[tuple[Term, ...]]()
    for effect in effects.all:
        key = (Atom(effect.module), Atom(effect.name), len(effect.arguments))
        if effect.answer is None or key in ended:
            ended.add(key)
            continue
        try:
            answer = (
                _encoded_arguments(effect, encoder),
                Atom(str(effect.is_write).lower()),
                encoder.encode(effect.answer[0]),
            )
            answers.setdefault(key, []).append(answer)
        except CannotEncodeError:
            ended.add(key)
    return answers


def _encoded_arguments(effect: Effect, encoder: ValueEncoder) -> Term:
    """Encodes arguments. A write needs none to be answered, because it is compared later."""
    try:
        return encoder.encode(effect.arguments)
    except CannotEncodeError:
        if effect.is_write:
            return Atom("unknown")
        raise


def _mailbox_feeds(run: ErlangRun, process: Process, effects: Effects) -> list[list[Message]]:
    """For each `receive` the messages that arrived after the one before it."""
    events = run.recording.events
    waits = [event for event in run.process_events(process.index).tolist() if events.kind[event] == _WAITS]
    taken = [step.took for step in process.steps if step.took >= 0]
    asks = any(item.module.startswith("gen_") for item in effects.all)
    messages = [step.message for step in process.steps if step.message is not None]
    messages += [item for item in process.mailbox if not (asks and process.exited >= 0 and _is_reply(item.value))]
    messages.sort(key=_arrival)
    feeds: list[list[Message]] = []
    for number, wait in enumerate(waits):
        following = waits[number + 1] if number + 1 < len(waits) else len(events)
        end = next((event for event in taken if wait < event < following), following)
        feeds.append([item for item in messages if _arrival(item) < end])
        messages = messages[len(feeds[-1]) :]
    return feeds


def _arrival(message: Message) -> int:
    return message.arrived if message.arrived >= 0 else message.taken - 1


def _is_reply(value: Term) -> bool:
    """Whether a message looks like a reply to a library, which may have received it."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], Opaque | Improper)
