"""A question shows what its code printed, wrote, read and logged, as it really was, or says what is not known."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.values import Role
from tests.languages.python.recorded import node_of, record

PROGRAM = """
    import csv, io, json, logging, sys
    from contextlib import redirect_stdout
    from pathlib import Path

    logging.basicConfig(level=logging.INFO)
    log = logging.getLogger("shop")

    class Shown:
        def __str__(self):
            return "shown"

    class Hidden:
        pass

    def separated():
        print("a", "b", sep="-", end="!\\n", flush=True)

    def to_stderr(x):
        print("error", x, file=sys.stderr)

    def starred(xs):
        print(*xs, sep="\\n")

    def own_texts(x):
        print(x, x, "and", str(x))

    def not_known(x):
        print("it is", [x])

    def raw():
        sys.stdout.write("raw")

    def captured():
        with redirect_stdout(io.StringIO()) as out:
            out.write("into memory\\n")

    def save(name, n):
        with open(name, "w") as f:
            f.write(f"{n}\\n")
            print("tail", file=f)
            f.writelines(["x\\n", "y\\n"])

    def dump(name):
        with open(name, "w") as f:
            json.dump([1], f)

    def rows(name):
        with open(name, "w") as f:
            csv.writer(f).writerow(["a", 1])

    def read_number(f):
        return int(f.readline())

    def total(name):
        count = 0
        for line in open(name):
            count += len(line)
        return count

    def stripped(name):
        return [line.strip() for line in open(name)]

    def first(name):
        return next(open(name))

    def data(name):
        with open(name, "rb") as f:
            return f.read(2)

    def by_path():
        Path("p.txt").write_text("hey\\n")
        return Path("p.txt").read_text()

    def logged(x):
        log.info("%s has %d of %r", x, 3, "a")
        logging.warning("careful")

    def shadowed(print):
        print("nothing")

    def reading():
        with open("out.txt") as f:
            return read_number(f)

    separated(), to_stderr(1), starred([1, 2]), own_texts(Shown()), not_known(Hidden()), raw(), captured()
    save("out.txt", 23), reading(), total("out.txt"), stripped("out.txt"), first("out.txt"), data("out.txt")
    dump("dumped"), rows("rows"), by_path(), logged(Shown()), shadowed(len)
    """
IN_FILE = "23\ntail\nx\ny"
EFFECTS = {
    "separated()": {"printed": "a-b!"},
    "to_stderr(1)": {"wrote to '<stderr>'": "error 1"},
    "starred([1, 2])": {"printed": "1\n2"},
    "own_texts(Shown())": {"printed": "shown shown and shown"},
    "not_known(Hidden())": {"printed": "it is ⟨[x]⟩"},
    "raw()": {"printed, without a newline at the end": "raw"},
    "captured()": {"wrote to a StringIO": "into memory"},
    "save('out.txt', 23)": {"wrote to 'out.txt'": IN_FILE},
    "read_number(<_io.TextIOWrapper name='out.txt'>) = 23": {"read from 'out.txt'": "23"},
    "total('out.txt')": {"read from 'out.txt'": IN_FILE},
    "stripped('out.txt')": {"read from 'out.txt'": IN_FILE},
    "first('out.txt')": {"read from 'out.txt'": "23"},
    "data('out.txt')": {"read from 'out.txt'": "b'23'"},
    "dump('dumped')": {"wrote to 'dumped', without a newline at the end": "⟨json.dump([1], f)⟩"},
    "rows('rows')": {"wrote to a writer": "writerow(['a', 1])"},
    "by_path()": {"wrote to 'p.txt'": "hey", "read from 'p.txt'": "hey"},
    "logged(Shown())": {"log message (INFO, shop)": "shown has 3 of 'a'", "log message (WARNING)": "careful"},
    "shadowed(": {},
}


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    return record(tmp_path_factory.mktemp("output"), PROGRAM).subject()


def effects(subject: PythonSubject, node: int) -> dict[str, str]:
    bindings = subject.behaviour(node).after.bindings
    return {binding.name: binding.value.text for binding in bindings if binding.role == Role.OUTPUT}


@pytest.mark.parametrize("call", EFFECTS)
def test_a_call_shows_its_effects(subject: PythonSubject, call: str) -> None:
    assert effects(subject, node_of(subject, call)) == EFFECTS[call]


def test_a_line_that_a_loop_read_belongs_to_its_iteration(subject: PythonSubject) -> None:
    assert effects(subject, node_of(subject, "iteration 2 of `for line in open(name)`")) == {
        "read from 'out.txt'": "tail"
    }


def test_a_long_output_ends_with_its_last_lines(tmp_path: Path) -> None:
    program = "def f(n):\n    for i in range(n):\n        print(i)\nf(100)\nf(1000)\n"
    subject = record(tmp_path, program).subject()
    texts = [effects(subject, node_of(subject, f"f({n})"))["printed"].split("\n") for n in (100, 1000)]
    assert [(lines[0], lines[-1], len(lines)) for lines in texts] == [
        ("... 80 lines before", "99", 21),
        ("... more lines before", "999", 21),
    ]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec="utf-8")) | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(), inner)
    ),
    max_leaves=6,
)
PRINTED = st.tuples(
    st.lists(PLAIN, max_size=3), st.sampled_from([None, "", "-", "\n"]), st.sampled_from([None, "", "!"])
)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PRINTED, min_size=1, max_size=4))
def test_the_printed_text_is_the_one_that_was_written(
    tmp_path: Path, calls: list[tuple[list[object], str | None, str | None]]
) -> None:
    lines = [f"values = {[values for values, _, _ in calls]!r}"]
    lines += [f"print(*values[{n}], sep={sep!r}, end={end!r})" for n, (_, sep, end) in enumerate(calls)]
    program = "from math import inf, nan\n" + "\n".join(lines) + "\n"
    subject = record(tmp_path, program).subject()
    run = subprocess.run([sys.executable, "-X", "utf8", tmp_path / "program.py"], stdout=subprocess.PIPE, check=True)
    single, left_out = subject.behaviours.effects.each(0, int(subject.tree.last[0]))
    assert (("".join(effect.text for effect in single)), left_out) == (run.stdout.decode(), 0)
