"""The size of a recording is proportional to the work of the program, not to the size of its data."""

import os
from pathlib import Path

import pytest

from adebug_lsp.languages.python.recorder.tape import writer as tape_writer
from adebug_lsp.languages.python.recorder.tape.batch import Full
from tests.languages.python.recorded import record


def size_of(folder: Path, program: str, **options: object) -> int:
    record(folder, program, **options)
    return (folder / "run.adebug").stat().st_size


@pytest.mark.parametrize(
    "literal", ["'abcdefg\n' * 100_000", "b'abcdefg\n' * 100_000", "tuple(range(10**6, 10**6 + 200_000))"]
)
def test_a_long_value_is_written_once_however_long_the_program_goes_through_it(tmp_path: Path, literal: str) -> None:
    program = f"""
        class Reader:
            def __init__(self, data):
                self.data = data
                self.place = 0

            def next(self):
                self.place += 1
                return self.data[self.place]

        def main(times):
            reader = Reader({literal})
            for _ in range(times):
                reader.next()

        main(TIMES)
    """
    few = size_of(tmp_path, program.replace("TIMES", "100"))
    many = size_of(tmp_path, program.replace("TIMES", "100_000"))
    assert many < few + 100_000 * 60, "30 tapes were written"


def test_reading_a_bytearray_writes_nothing(tmp_path: Path) -> None:
    program = """
        def places(data):
            find, at = data.index, -1
            while True:
                try:
                    at = find(1, at + 1)
                except ValueError:
                    return
                yield at

        data = bytearray((0, 1)) * 50_000
        print(sum(1 for _ in zip(places(data), range(2000))))
    """
    assert size_of(tmp_path, program) < 1_000_000


@pytest.mark.skipif(os.name != "posix", reason="a limit of what a process may write")
def test_a_full_disk_ends_the_recording_and_not_the_program(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = """
        import os
        import resource

        def f(n):
            return n * 1.5

        def size():
            return os.stat("run.adebug").st_size

        def main():
            total = 0
            while size() < 20_000:
                total += f(1)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size() + 300_000, resource.RLIM_INFINITY))
            for n in range(400_000):
                total += f(n)
            return total

        print(main() > 0)
    """
    recorded = record(tmp_path, program)
    shown = capfd.readouterr()
    assert (recorded.ended.exit_code, shown.out) == (0, "True\n")
    assert "adebug: recording has stopped: [Errno" in shown.err
    assert len(recorded.subject().tree) > 1000, "what was written before is there"


def test_a_recording_is_not_larger_than_it_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape_writer, "_MOST_BYTES", 1)
    writer = tape_writer.Writer(tmp_path / "recording", {})
    with pytest.raises(Full, match="the program goes on without it"):
        writer.write_tape(0, [1.5])
    writer.close({})
