"""Questions show values as they were: random programs change lists, dicts, sets and objects in every way there is.

The programs write down themselves what their functions were given and what they left, by a helper that is not recorded
and that finds the variables in the frame of its caller: nothing is passed to it, so that it does not help the recorder.
"""

import json
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.subject import PythonSubject
from adebug_lsp.model.kinds import NodeKind
from tests.languages.python.recorded import record

HELPER = '''
import json
import sys
from collections import deque

LOG = []


def snap(number, when):
    variables = sys._getframe(1).f_locals
    LOG.append((number, when, {name: shown(variables[name], ()) for name in ("x", "y")}))


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
        return "deque([" + ", ".join(shown(item, path) for item in value) + "])"
    if kind is dict:
        return "{" + ", ".join(f"{key!r}: {shown(item, path)}" for key, item in value.items()) + "}"
    if kind is set:
        return "{" + ", ".join(map(str, sorted(value))) + "}" if value else "set()"
    names = list(vars(value)) if hasattr(value, "__dict__") else [n for n in kind.__slots__ if hasattr(value, n)]
    return f"{kind.__name__}({', '.join(f'{name}={shown(getattr(value, name), path)}' for name in names)})"


def finish(path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(LOG, file)
'''
PROGRAM = """
import copy, heapq, operator, random, sys
from collections import deque

sys.path.insert(0, {folder!r})
from writing_down import finish, snap


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
    """,
    "bytearray": """
        x.append({v} % 256)
        x.extend(b'ab')
        x[0] = {v} % 256
        x.reverse()
        x.pop()
        del x[0]
        x[:1] = b'xyz'
    """,
}
"""What can be done to an `x` of each kind, one change in a line; `y` may be any object, {v} and {w} are numbers."""
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
    workspace.mkdir(exist_ok=True)
    written = workspace / "written.json"
    text = PROGRAM.format(folder=str(library)) + program + f"\nfinish({str(written)!r})\n"
    recorded = record(workspace, text, level=level)
    assert recorded.ended.how == "finished", recorded.ended
    subject = recorded.subject()
    meant = {(number, when): values for number, when, values in json.loads(written.read_text(encoding="utf-8"))}
    assert meant == {key: value for key, value in shown(subject).items() if key in meant}
    return len(meant)


def shown(subject: PythonSubject) -> dict[tuple[int, str], dict[str, str]]:
    """What the questions about all steps show, before and after."""
    found = {}
    for node in range(len(subject.tree.size)):
        span, kind = subject.span(node), int(subject.tree.kind[node])
        name = span.routine.name
        if name.startswith("step") and kind == NodeKind.ROUTINE:
            behaviour = subject.behaviour(node)
            before = {binding.name: binding.value.text for binding in behaviour.before.bindings}
            after = {binding.name: binding.value.text for binding in behaviour.after.bindings}
            values = {name: before[name] for name in ("x", "y")}
            found[int(name[4:]), "before"] = values
            found[int(name[4:]), "after"] = {name: after.get(name, text) for name, text in values.items()}
    return found


@pytest.mark.parametrize("level", ["full", "calls"])
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(program=programs())
def test_arguments_are_shown_as_the_program_saw_them(
    tmp_path_factory: pytest.TempPathFactory, level: str, program: str
) -> None:
    assert check(tmp_path_factory.mktemp("values"), program, level) == 50
