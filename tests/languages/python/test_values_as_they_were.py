"""Questions show values as they were: random programs change lists, dicts, sets and objects in every way there is.

The programs write down themselves what their functions were given and what they left, by a helper that is not recorded
and that finds the variables in the frame of its caller: nothing is passed to it, so that it does not help the recorder.
"""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.languages.python.recorder.contract import IMAGE_LIST
from adebug_lsp.model.kinds import NodeKind
from tests.languages.python.recorded import node_of, record, walk

HELPER = '''
import json
import sys
from array import array
from collections import Counter, OrderedDict, defaultdict, deque

LOG = []


def snap(number, when):
    variables = sys._getframe(1).f_locals
    texts = {name: shown(variables[name], ()) for name in ("x", "y")}
    LOG.append((number, when, {name: text for name, text in texts.items() if "<only" not in text}))


def shown(value, path):
    """The text that a question should show."""
    kind = type(value)
    if kind in (int, str, bytes, type(None)):
        return repr(value)
    if id(value) in path:
        return {list: "[...]", deque: "[...]", dict: "{...}", set: "{...}"}.get(kind, "...")
    path = (*path, id(value))
    if kind is bytearray:
        return f"bytearray({bytes(value)!r})"
    if kind is list:
        return "[" + ", ".join(shown(item, path) for item in value) + "]"
    if kind is tuple:
        return "(" + ", ".join(shown(item, path) for item in value) + (",)" if len(value) == 1 else ")")
    if kind is deque:
        most = "" if value.maxlen is None else f", maxlen={value.maxlen}"
        return "deque([" + ", ".join(shown(item, path) for item in value) + f"]{most})"
    if kind is dict:
        return "{" + ", ".join(f"{key!r}: {shown(item, path)}" for key, item in value.items()) + "}"
    if kind is set:
        return "{" + ", ".join(map(str, sorted(value))) + "}" if value else "set()"
    if hasattr(value, "_fields"):
        return f"{kind.__name__}({', '.join(f'{n}={shown(v, path)}' for n, v in zip(value._fields, value))})"
    if isinstance(value, list):
        return f"{kind.__name__}({shown(list(value), path)})"
    if isinstance(value, dict):
        factory = f"<class '{value.default_factory.__name__}'>, " if kind is defaultdict else ""
        return f"{kind.__name__}({factory}{shown(dict(value), path)})"
    if kind.__module__ != "__main__":
        return "<only its name is shown>"
    names = list(vars(value)) if hasattr(value, "__dict__") else [n for n in kind.__slots__ if hasattr(value, n)]
    return f"{kind.__name__}({', '.join(f'{name}={shown(getattr(value, name), path)}' for name in names)})"


def finish(path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(LOG, file)
'''
PROGRAM = """
import bisect, copy, functools, heapq, operator, random, sys, unittest
from collections import ChainMap, deque

sys.path.insert(0, {folder!r})

import library
from writing_down import finish, snap

random.seed(5)
CASE = unittest.TestCase()


class Box:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Slot:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


def put(owner, value):
    owner.append(value)
"""
CHANGES = {
    "list": """
        x.append({v})
        x.append(y)
        x[0] = {v}
        x[-1] = y
        x[1:2] = [{v}, {w}]
        del x[0]
        del x[:1]
        x += [{v}]
        x += x[:1]
        x *= 2 if len(x) < 4 else 1
        x.insert(1, {v})
        x.insert(-1, y)
        x.pop()
        x.pop(0)
        x.reverse()
        x.clear()
        x.remove({v})
        x.sort()
        x.sort(key=lambda v: -v)
        x.extend((y, {v}))
        random.shuffle(x)
        x[:] = [3, 1, {v}]; heapq.heapify(x)
        x[:] = []; heapq.heappush(x, {v}); heapq.heappush(x, {w})
        x[:] = [1, 2, {v}]; heapq.heappop(x)
        operator.setitem(x, 0, {v})
        x.__setitem__(0, {v})
        x[0], x[1] = x[1], x[0]
        x[0], *x[1:] = {v}, {w}, {v}
        for x[0] in range({v}): pass
        put(x, {v})
        x[0].append({v})
        x[0][0] = {v}
        x[0] += {v}
        x = x + [{v}]
        x = x[:]; x.append({v})
        x[:] = [{v}]
        x[0] = x
        x.extend(y)
        copy.copy(x).append(1)
        add = x.append; add({v}); add(y)
        list(map(x.append, [{v}, y]))
        for _ in map(x.append, [{v}, y]): x.append({w})
        [x.append(v) for v in ({v}, y)]
        [x.append(x.pop(0)) for _ in range(2)]
        (lambda: x.append(y))()
        list.insert(x, 0, y)
        x.extend(v for v in ({v}, y))
        x.extend(iter([{v}, y]))
        functools.partial(x.append, y)()
        library.fill(x)
        library.both(x, lambda: x.append({v}))
        library.deep([x])
        random.Random({v}).shuffle(x)
        bisect.insort([x][0], {v})
        x[:] = [5, 7, {v}]; [heapq.heappop(x), heapq.heappush(x, {w})]
        library.failing(x)
        CASE.assertRaises(ValueError, library.failing, x)
        CASE.assertIsNone(x.append({v}))
        list(map(library.fill, [x]))
        list(map(list.append, [x], [{v}]))
        [sorted([x, x], key=library.fill), list(map(functools.partial(library.fill), [x]))]
        CASE.assertEqual(list(map(x.append, [{v}])), [None])
    """,
    "dict": """
        x['k'] = {v}
        x['y'] = y
        x[{v}] = {w}
        del x['k']
        x.pop('k')
        x.popitem()
        x.setdefault('s', {v})
        x.setdefault('l', []).append({v})
        x.update(k={v}, m=y)
        x.update({{1: {v}}})
        x |= {{'o': {v}}}
        x.clear()
        x['k'] += {v}
        x['l'].append({v})
        x['y'].append({v})
        operator.delitem(x, 'k')
        x.pop('no', None)
        x.__setitem__('k', y)
        for x['k'] in range({v} % 4): pass
        x = {{**x, 'z': {v}}}
        x['d'] = {{}}; x['d'][1] = {v}
        for key in list(x): x[key] = {v}
        x.update(y)
        dict.update(x, k=y)
        [x.setdefault(v, []).append(v) for v in ({v}, {w})]
        (lambda: x.pop('k'))()
        x.update((v, y) for v in ({v}, {w}))
        put = x.__setitem__; put({v}, y)
        functools.reduce(lambda held, v: held.update({{v: y}}) or held, [{v}, {w}], x)
        ChainMap(x)[{v}] = y
        list(map(x.pop, ['k', 'no']))
        exec("x['k'] = y", {{'x': x, 'y': y}})
    """,
    "set": """
        x.add({v})
        x.discard({v})
        x.remove({v})
        x.update([{v}, {w}])
        x |= {{{v}}}
        x -= {{{v}, {w}}}
        x ^= {{{v}, {w}}}
        x &= {{{v}, {w}}}
        x.clear()
        x.symmetric_difference_update({{{v}}})
        x.intersection_update([{v}])
        x = x | {{{v}}}
        x.pop()
        [x.pop() for _ in range(2)]
        list(map(x.add, [{v}, {w}]))
        x.update(v for v in ({v}, {w}))
        x.update([{v}], [{w}])
        drop = x.discard; drop({v})
    """,
    "deque": """
        x.append({v})
        x.appendleft({v})
        x.rotate(1)
        x.pop()
        x.popleft()
        x.extend([{v}, {w}])
        x.extendleft([{v}, {w}])
        x[0] = {v}
        del x[0]
        x.reverse()
        x.insert(0, {v})
        x.append(y)
        x += [{v}]
        x.extend(v for v in ({v}, y))
        deque.rotate(x, {v})
        list(map(x.appendleft, [{v}, y]))
        [x.append(x.popleft()) for _ in range(2)]
    """,
    "object": """
        x.a = {v}
        x.b = y
        x.a += {v}
        x.a, x.b = x.b, x.a
        x.b = []; x.b.append({v})
        x.b.append({v})
        x.a, *x.b = {v}, {w}, {v}
        for x.a in range({v} % 4): pass
        x.b[0] = {v}
        x.b['k'] = {v}
        x.a = x.b = [{v}]
        x.__init__({v}, y)
        setattr(x, 'a', y)
        object.__setattr__(x, 'b', {v})
        vars(x).update(a=y)
        x.__dict__['a'] = {v}
        library.set_a(x, y)
        library.grow(x)
        [setattr(x, name, y) for name in 'ab']
        (lambda: setattr(x, 'a', {v}))()
    """,
    "bytearray": """
        x.append({v} % 256)
        x.extend(b'ab')
        x[0] = {v} % 256
        x.reverse()
        x.pop()
        del x[0]
        x[:1] = b'xyz'
        x += b'{v}'
        list(map(x.append, b'ab'))
        [x.append(v) for v in b'{v}{w}']
    """,
}
"""Changes to an `x` of each kind, one per line; `y` may be any object, {v} and {w} are numbers."""
ROOTS = {
    "list": ["[1, 2, 3]", "[]", "[[5], 4]"],
    "dict": ["{'k': 1}", "{}", "{'l': [1], 'y': [2]}"],
    "set": ["{1, 2}", "set()"],
    "deque": ["deque([1, 2])"],
    "object": ["Box(1, [2])", "Slot(3, {'k': 4})"],
    "bytearray": ["bytearray(b'mn')"],
}


@st.composite
def programs(draw: st.DrawFn, steps: int = 25) -> str:
    """Functions that change their arguments, each called once; several names stand for the same objects."""
    kinds = draw(st.lists(st.sampled_from(sorted(ROOTS)), min_size=4, max_size=4))
    made = [f"r{i} = {draw(st.sampled_from(ROOTS[kind]))}" for i, kind in enumerate(kinds)]
    functions, calls = [], []
    for number in range(steps):
        first, second = draw(st.integers(0, 3)), draw(st.integers(0, 3))
        change = draw(st.sampled_from(dedent(CHANGES[kinds[first]]).strip().splitlines()))
        change = change.format(v=draw(st.integers(0, 9)), w=draw(st.integers(0, 9)))
        # An object goes only into one with a smaller number, but for its own inside: what is shown is never too deep.
        given_y = f"r{second}" if second > first else str(second)
        functions.append(
            f"def step{number}(x, y):\n    snap({number}, 'before')\n    given = x\n"
            f"    try:\n        {change}\n"
            "    except (TypeError, ValueError, LookupError, AttributeError):\n        pass\n"
            f"    x = given\n    snap({number}, 'after')\n    return x\n"
        )
        calls.append(f"    step{number}(r{first}, {given_y})")
    return "\n".join([*functions, "def main():", *(f"    {line}" for line in made), *calls, "main()"])


def check(folder: Path, program: str, level: str) -> int:
    """Compare what the program wrote down with what questions show; gives how many values there were."""
    library, workspace = folder / "library", folder / "workspace"
    library.mkdir(exist_ok=True)
    (library / "writing_down.py").write_text(HELPER, encoding="utf-8")
    (library / "library.py").write_text(LIBRARY, encoding="utf-8")
    workspace.mkdir(exist_ok=True)
    written = workspace / "written.json"
    text = PROGRAM.format(folder=str(library)) + program + f"\nfinish({str(written)!r})\n"
    recorded = record(workspace, text, level=level)
    assert recorded.ended.how == "finished", recorded.ended
    log = written.read_text(encoding="utf-8")
    subprocess.run([sys.executable, workspace / "program.py"], cwd=workspace, check=True)
    assert log == written.read_text(encoding="utf-8")  # the bare run did the same
    meant = {(number, when): values for number, when, values in json.loads(log)}
    environments = shown(recorded.subject())
    assert meant == {key: {name: environments[key][name] for name in values} for key, values in meant.items()}
    return len(meant)


def shown(subject: PythonSubject) -> dict[tuple[int, str], dict[str, str]]:
    """Values that the questions about all steps show, before and after."""
    environments = {}
    for node in range(len(subject.tree.size)):
        span, kind = subject.span(node), int(subject.tree.kind[node])
        name = span.routine.name
        if name.startswith("step") and kind == NodeKind.ROUTINE:
            behaviour = subject.behaviour(node)
            before = {binding.name: binding.value.text for binding in behaviour.before.bindings}
            after = {binding.name: binding.value.text for binding in behaviour.after.bindings}
            values = {name: before[name] for name in ("x", "y")}
            environments[int(name[4:]), "before"] = values
            environments[int(name[4:]), "after"] = {name: after.get(name, text) for name, text in values.items()}
    return environments


@pytest.mark.parametrize("level", ["full", "calls"])
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(program=programs())
def test_arguments_are_shown_as_the_program_saw_them(
    tmp_path_factory: pytest.TempPathFactory, level: str, program: str
) -> None:
    assert check(tmp_path_factory.mktemp("values"), program, level) == 50


def test_an_object_is_shown_as_it_was_after_a_flush_that_learned_that_its_class_needs_stand_ins(tmp_path: Path) -> None:
    """The flush comes with the first record that names the object again, made by the stand-in of the generator."""
    program = """
        from collections import deque

        class Box:
            def __init__(self, a):
                self.a = a

        def put(box, a):
            box.a = a

        def pour(items):
            items.extend(item for item in (0, 1))

        box = Box(5)
        vars(box)
        pour(deque([1]))
        put(box, 7)
        put(box, 8)
        """
    subject = record(tmp_path, program).subject()
    texts = [subject.behaviour(node).text for node in range(len(subject.tree))]
    assert texts[-2:] == ["put(Box(a=5), 7): box.a: 5 -> 7", "put(Box(a=7), 8): box.a: 7 -> 8"]


CHANNELS = """
x = [3, 1, 2]; y = 0 => random.Random(2).shuffle(x)
x = [3, 1, 2]; y = random.Random(2) => y.shuffle(x)
x = [1]; y = 0 => add = x.append; add(7)
x = [1]; y = {} => y['add'] = x.append; y['add'](7)
x = [1]; y = Box(1, 2) => y.a = x.append; y.a(7)
x = [1]; y = 0 => twice(x.append, 7)
x = [1]; y = [5, 6] => list(map(x.append, y))
x = [1]; y = [5, 6] => deque(map(x.append, y), 0)
x = [1]; y = [5, 6] => any(map(x.append, y))
x = [1]; y = [5, 6] => [None for _ in map(x.append, y)]
x = [1]; y = [5, 6] => for _ in map(x.append, y): pass
x = [1]; y = [5, 6] => m = map(x.append, y); next(m); next(m)
x = [1]; y = 0 => list.append(x, 7)
x = [1]; y = 0 => list.__setitem__(x, 0, 7)
x = {1: 2}; y = 0 => dict.update(x, {3: 4})
x = [1]; y = 0 => x.__iadd__([7])
x = [1]; y = [5, 6] => [x.append(v) for v in y]
x = [1]; y = [5, 6] => [x.append(v) or x.append(x.pop() + 1) for v in y]
x = {}; y = [5, 6] => [x.setdefault(v, []).append(v) for v in y]
x = [1]; y = 0 => (lambda: x.append(1))()
x = [1]; y = 0 => (lambda v: x.append(v) or x.append(v))(3)
x = [1]; y = [5, 6] => functools.reduce(lambda acc, v: acc.append(v) or acc, y, x)
x = {1: [2]}; y = 0 => operator.setitem(x, 3, 4)
x = {1: [2]}; y = 0 => x.setdefault(5, []).append(6)
x = [3, 1, 2]; y = [3, 1, 2] => sorted(x, key=lambda v: y.pop())
x = [0, 0]; y = [3, 1, 2] => sorted(x, key=y.pop)
x = [0, 0]; y = [3, 1, 2] => x.sort(key=y.pop)
x = bytearray(b'a'); y = 0 => x += b'c'
x = bytearray(b'abc'); y = 0 => memoryview(x)[1:2] = b'z'
x = bytearray(b'abc'); y = memoryview(x) => y[0] = 65
x = Box(1, [2]); y = 0 => setattr(x, 'a', 5)
x = Box(1, [2]); y = 0 => setattr(x, 'c', 5)
x = Box(1, [2]); y = 0 => delattr(x, 'a')
x = Box(1, [2]); y = 0 => object.__setattr__(x, 'a', 6)
x = Box(1, [2]); y = 0 => x.__setattr__('a', 6)
x = Box(1, [2]); y = 0 => x.__delattr__('a')
x = Box(1, [2]); y = 0 => vars(x).update(a=7, c=8)
x = Box(1, [2]); y = 0 => x.__dict__['a'] = 9
x = Box(1, [2]); y = 0 => x.__dict__['a'] = 9; x.__dict__['c'] = 8; x.__dict__['b'] = 7
x = Box(1, [2]); y = 0 => x.__dict__.update({'z': 9})
x = Box(1, [2]); y = 0 => del x.__dict__['a']
x = Box(1, [2]); y = 0 => x.__dict__ = {'q': 1}
x = Box(1, [2]); y = 0 => d = x.__dict__; d['a'] = 9
x = Slot(1, [2]); y = 0 => setattr(x, 'a', 5)
x = Slot(1, [2]); y = 0 => object.__setattr__(x, 'a', 6)
x = Slot(1, [2]); y = 0 => del x.a
x = Slot(1, [2]); y = 0 => delattr(x, 'b')
x = Slot(1, [2]); y = 0 => Slot.a.__set__(x, 4)
x = Slot(1, [2]); y = 0 => (lambda: setattr(x, 'a', 5))()
x = deque([1, 2, 3]); y = 0 => deque.rotate(x, 1)
x = [5, 4, 3, None, 1]; y = 0 => heapq.heapify(x)
x = [5, 4, 3, 2, 1]; y = 0 => heapq.heapify(x)
x = [1, 3, 2]; y = 0 => heapq.heappush(x, 0)
x = [1, 3, 2]; y = 0 => heapq.heappush(x, 'a')
x = [1, 3, 2, 5, 4]; y = 0 => heapq.heappop(x)
x = [1, 3, 2, 5, 4]; y = 0 => heapq.heapreplace(x, 9)
x = [1, 3, 2, 5, 4]; y = 0 => heapq.heappushpop(x, 3)
x = [(1, 0), (1, 1), (1, 0)]; y = 0 => heapq.heappop(x); heapq.heappush(x, (0, 9))
x = [1, 3, 5]; y = 0 => bisect.insort(x, 4)
x = [1, 3, 5]; y = 0 => bisect.insort_left(x, 0)
x = [1]; y = 0 => x.extend(v * 2 for v in range(3))
x = [1]; y = 0 => x.extend(map(str, range(3)))
x = [1]; y = 0 => x.extend(failing())
x = [1]; y = 0 => x += failing()
x = [1]; y = {'a': 1} => x.extend(y.items())
x = deque([1], maxlen=3); y = 0 => x.extend(v * 2 for v in range(3))
x = deque([1, 2, 3]); y = 0 => x.extendleft(v * 2 for v in range(3))
x = deque([1, 2, 3]); y = 0 => x.rotate(-1)
x = {1}; y = 0 => x.update(v * 2 for v in range(3))
x = {}; y = 0 => x.update((v, v * 2) for v in range(3))
x = {1, 9, 5, 77}; y = 0 => x.pop()
x = {1, 9, 5, 77}; y = [] => y.append(x.pop())
x = {1, 9, 5, 77}; y = [] => [y.append(x.pop()) for _ in range(2)]
x = {'a': 1}; y = 0 => x |= {'b': 2}
x = {1, 2}; y = 0 => x ^= {2, 3}
x = [3, 1, 2]; y = 0 => x[:] = sorted(x)
x = [3, 1, 2]; y = 0 => x[::2] = [8, 9]
x = [3, 1, 2]; y = 0 => del x[::2]
x = [3, 1, 2]; y = slice(0, 2) => x[y] = [7]
x = {1: 2, 3: 4}; y = 0 => for k in list(x): del x[k]
x = Counter('ab'); y = 0 => x.update('abc')
x = Counter('ab'); y = 0 => x.update(a=2)
x = Counter('ab'); y = 0 => x['z'] += 1
x = Counter('ab'); y = 0 => x['q']
x = defaultdict(list); y = 0 => x[5]
x = defaultdict(list); y = 0 => x[5].append(1)
x = defaultdict(list); y = 0 => x[5][:] = [2]
x = defaultdict(int); y = 0 => x[5] += 2
x = defaultdict(list); y = [1, 2] => [x[v].append(v) for v in y]
x = OrderedDict(a=1, b=2); y = 0 => x.move_to_end('a')
x = OrderedDict(a=1, b=2); y = 0 => x.popitem(last=False)
x = {}; y = 0 => ChainMap(x, {1: 2})[3] = 4
x = {}; y = ChainMap(x, {1: 2}) => y[3] = 4
x = {}; y = ChainMap(x, {1: 2}) => y.update(a=1)
x = Box(1, [2]); y = 0 => library.set_a(x, 8)
x = Box(1, [2]); y = 0 => library.grow(x)
x = [1]; y = 0 => library.fill(x)
x = [1]; y = library.fill => y(x)
x = [1]; y = functools.partial(library.fill) => y(x)
x = [1]; y = functools.partial(library.fill, x) => y()
x = [1]; y = functools.partial(x.append, 4) => y()
x = [1]; y = library.closing(x) => y()
x = [1]; y = library.Keeper(x) => y.fill()
x = [1]; y = library.Keeper(x) => y()
x = [1]; y = 0 => library.call(lambda: x.append(2))
x = [1]; y = 0 => library.call(x.clear)
x = [1]; y = 0 => library.both(x, lambda: x.append(2))
x = [1]; y = 0 => library.failing(x)
x = [[1], [2]]; y = 0 => library.fill(x[0])
x = [[1], [2]]; y = 0 => for one in x: library.fill(one)
x = [[1], [2]]; y = 0 => library.deep(x)
x = Mine([1]); y = 0 => x.append(2); x.mark = 3
x = Mine([1]); y = 0 => x += [2]
x = Mine([1]); y = 0 => x[0] = 2
x = Mine([1]); y = 0 => list.append(x, 2)
x = Doubling([1]); y = 0 => x.append(2)
x = Doubling([1]); y = [3] => [x.append(v) for v in y]
x = Lower(A=1); y = 0 => x['B'] = 2
x = Lower(A=1); y = 0 => x.update(B=2)
x = Lower(A=1); y = 0 => del x['A']
x = Property(1); y = 0 => x.a = 5
x = Property(1); y = 0 => x.a += 5
x = Attributes(); y = 0 => x.a = 5
x = Attributes(); y = 0 => setattr(x, 'a', 5)
x = {1}; y = 0 => x.update([2, []])
x = {1: 2}; y = 0 => x.update([(2, 3), ([], 4)])
x = [1]; y = 0 => x[5:] = failing()
x = [[1], 2]; y = 0 => x[0] += [3]
x = [[1], 2]; y = x => y.append(x); x[0].append(y)
x = [3, 1, 2]; y = 0 => library.sort(values=x)
x = [3, 1, 2]; y = 0 => library.sort(*[x])
x = [3, 1, 2]; y = 0 => x.sort(key=functools.cmp_to_key(lambda a, b: a - b))
x = [1]; y = 0 => functools.partial(library.fill, x)()
x = [1]; y = iter(library.filling([1])) => next(y)
x = [1]; y = library.filling(x) => next(y); next(y)
x = [1]; y = library.filling(x) => list(y)
x = [1]; y = library.filling(x) => for _ in y: x.append(0)
x = [1]; y = itertools.starmap(x.insert, [(0, 4)]) => tuple(y)
x = [1]; y = [4, 5] => x.append(y.pop() + y.pop())
x = [1]; y = [4, 5] => x.append(y.pop(0)) if x.pop() else y.clear()
x = {'a': [1]}; y = 0 => x['a'].append(2); x['a'][0] = 3; del x['a'][0]
x = [1, 2]; y = 0 => while x: x.pop()
x = [1, 2]; y = 0 => while x.pop() > 1: x.append(0)
x = [1, 2]; y = 0 => assert x.pop() == 2
x = [1, 2]; y = 0 => assert x.pop() == 3, x.append(5)
x = [1, 2]; y = 0 => del x[0], x[0]
x = [1, 2]; y = 0 => (z := x).append(3)
x = [1]; y = 0 => asyncio.run(waiting(x))
x = [1]; y = 0 => next(stepping(x))
x = [1]; y = 0 => copy.copy(x).append(5); x.append(6)
x = Box(1, [2]); y = 0 => z = copy.copy(x); z.a = 3; z.b.append(4)
x = Point(1, [2]); y = 0 => z = dataclasses.replace(x, a=3); z.b.append(4)
x = Pair(1, [2]); y = 0 => x.b.append(3)
x = [1]; y = 0 => x.append(len(x)) if x else None
x = [1]; y = 0 => y = [x.pop(), x.append(5), *x]
x = [1]; y = 0 => y = f"{x.append(5)} {x.append(6)}"
x = [1]; y = 0 => print(*x, x.append(5), file=io.StringIO())
x = [1]; y = 0 => exec('x.append(7)')
x = [1]; y = 0 => exec('x.append(7)', {'x': x})
x = [1]; y = 0 => eval('x.append(7)')
x = [1]; y = 0 => x.append(7); locals()
x = [1]; y = 0 => with contextlib.suppress(TypeError): x.extend(failing())
x = array('i', [1]); y = 0 => x.append(2)
""".strip().splitlines()
"""Statements that make `x` and `y`, and a change through a channel of some kind."""
LIBRARY = """
def set_a(o, value):
    o.a = value


def grow(o):
    o.b.append(o.a)


def fill(values):
    values.append(len(values))


def closing(values):
    return lambda: values.append(9)


def call(function):
    function()


def both(values, function):
    values.insert(0, 5)
    function()
    values.insert(0, 6)


def failing(values):
    values.append(9)
    raise ValueError


def deep(values):
    for one in values:
        one.append(1)


def sort(values):
    values.sort()


def filling(values):
    values.append(7)
    yield 1
    values.append(8)
    yield 2


class Keeper:
    def __init__(self, values):
        self.values = values

    def fill(self):
        self.values.append(3)

    __call__ = fill
"""
MORE = """
import asyncio, bisect, contextlib, dataclasses, functools, io, itertools
from array import array
from collections import ChainMap, Counter, OrderedDict, defaultdict
from typing import Any, NamedTuple



class Mine(list):
    pass


@dataclasses.dataclass
class Point:
    a: int
    b: Any


class Pair(NamedTuple):
    a: int
    b: Any


class Doubling(list):
    def append(self, value):
        super().append(value)
        super().append(value)


class Lower(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


class Property:
    def __init__(self, a):
        self._a = a

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, value):
        self._a = value + 1


class Attributes:
    def __setattr__(self, name, value):
        super().__setattr__(name + name, value)


async def waiting(x):
    await asyncio.sleep(0)
    x.append(3)


def stepping(x):
    x.append(1)
    yield x.append(2)


def twice(function, value):
    function(value)
    function(value)


def failing():
    yield 1
    raise TypeError
"""


def channel_program(channels: list[str]) -> str:
    functions, calls = [], []
    for number, channel in enumerate(channels):
        made, _, change = channel.partition(" => ")
        functions.append(
            f"def step{number}(x, y):\n    snap({number}, 'before')\n    given = x, y\n"
            f"    try:\n        {change}\n"
            "    except (TypeError, ValueError, LookupError, AttributeError, AssertionError):\n        pass\n"
            f"    x, y = given\n    snap({number}, 'after')\n    return x\n"
        )
        calls.append(f"    {made}; step{number}(x, y)")
    return "\n".join([MORE, *functions, "def main():", *calls, "main()"])


@pytest.mark.parametrize("level", ["full", "calls"])
def test_a_change_is_seen_through_every_channel(tmp_path: Path, level: str) -> None:
    check(tmp_path, channel_program(CHANNELS), level)


HEAP = """
import heapq, random


class Item:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value


def run(count, make):
    rng, heap = random.Random(1), []
    for _ in range(count):
        heapq.heappush(heap, make(rng.random()))
    while heap:
        heapq.heappop(heap)


run({count}, {make})
"""


@pytest.mark.parametrize("make", ["float", "lambda value: (value, [])", "Item"])
def test_pushing_to_a_heap_costs_what_it_changes(tmp_path: Path, make: str) -> None:
    words = []
    for count in (250, 500):
        folder = tmp_path / str(count)
        folder.mkdir()
        recording = record(folder, HEAP.format(count=count, make=make), level="calls").opened.run.recording
        images = np.flatnonzero(recording.words == IMAGE_LIST)
        held = sum(len(recording.values.items(int(recording.words[index + 2]))) for index in images)
        words.append(len(recording.words) + held)
    assert words[1] < 2.6 * words[0]


def test_an_object_that_is_a_key_of_what_it_holds_has_a_question(tmp_path: Path) -> None:
    program = """
        class Knot:
            def tie(self):
                self.table = {self: [1]}
                self.members = {self}

        def look(knot):
            return 1

        knot = Knot()
        knot.tie()
        look(knot)
        """
    subject = record(tmp_path, program).subject()
    assert subject.behaviour(node_of(subject, "look(Knot(")).text.endswith("= 1")


WRITTEN_AWAY = """
import weakref


def add(box, value):
    box.append(value)
    return box


def run():
    {first}
    weakref  # in a function that looks at when objects die the tape is written to the file after every statement
    {second}
    {second}
    {second}


run()
"""


@pytest.mark.parametrize(
    ("first", "second", "images", "last"),
    [("box = []", "add(box, 1)", 1, "add([1, 1], 1) = [1, 1, 1]"), ("pass", "add([], 1)", 3, "add([], 1) = [1]")],
)
def test_an_object_has_one_image_for_as_long_as_it_lives(
    tmp_path: Path, first: str, second: str, images: int, last: str
) -> None:
    """However often the tape is written; and an object in the place of a dead one has an image of its own."""
    recorded = record(tmp_path, WRITTEN_AWAY.format(first=first, second=second))
    assert np.count_nonzero(recorded.opened.run.recording.words == IMAGE_LIST) == images
    subject = recorded.subject()
    texts = [subject.behaviour(node).text for node, _ in walk(subject)]
    assert [text for text in texts if text.startswith("add(")][-1].startswith(last)
