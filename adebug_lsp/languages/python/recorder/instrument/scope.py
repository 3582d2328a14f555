"""The scope that is being rewritten: its names, its temporaries, and the record that is being collected.

A statement becomes several: each sub-expression is evaluated into a temporary, in the original order, and then the
record of the statement (its marker and the values of its slots) is appended. A record that must come earlier, because
code outside the statement could read the written objects, is a *part*.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..analysis.call_effects import Change
from ..analysis.names import Names
from ..analysis.static_map import ModuleMap
from ..analysis.syntax_walk import push_children, walk
from .emit import NATIVE, put
from .syntax_builder import again, assign, call, constant, do, is_constant, name, place, recorder, stored, thin

_TEMPORARY = re.compile(r"@([0-9]+|[vw].+)")
"""Matches hidden variables that hold objects of the program."""
_JUMPS = (ast.Raise, ast.Break, ast.Continue)
_OF_ATOMS = (ast.Constant, ast.Compare, ast.JoinedStr, ast.BinOp, ast.UnaryOp)
_MAKE_ATOMS = frozenset(
    ["abs", "bool", "chr", "float", "hash", "id", "int", "isinstance", "len", "ord", "print", "range"]
)
"""Builtin functions that return atoms."""
_ATTRIBUTE = re.compile(r"t[0-9]+")
"""The same, for module and class bodies."""
COMMON = {"plain": ("float", "int"), "quiet": ("list",), "replayed": ("list",)}
"""The most frequent of the known types; comparing with them takes a fifth of the time of a lookup."""


class Scope:
    """A module, a class body or a function."""

    def __init__(
        self, module: ModuleMap, names: Names, routine: int, *, kind: str, owner: str = "", qualname: str = ""
    ) -> None:
        self.map, self.names, self.routine, self.kind = module, names, routine, kind
        self.owner = owner
        """The innermost enclosing class, for mangling private names."""
        self.qualname = qualname
        self.out: list[ast.stmt] = []
        self.slots: list[tuple[int, ast.expr]] = []
        self.stores: list[tuple[str, int]] = []
        self.writes: list[list[Any]] = []
        self.temporaries = 0
        self.function = kind not in ("module", "class")
        self.hidden = self.function
        """Whether hidden local variables may be added."""
        self.generator = False
        self.threads = False
        """Whether to look the tape up for every record, so that the order between threads is known."""
        self.full = True
        self.free: list[str] = []
        """Variables of enclosing functions that are recorded at the start."""
        self.early: set[str] = set()
        """Variables of enclosing functions that it binds, declared at its start."""
        self.loop_depth = 0
        """The number of enclosing loops."""
        self.helpers: set[str] = set()
        """The functions and collections of the recorder that the code uses."""
        self.seen: set[str] = set()
        """Variables whose objects this statement has already inspected."""
        self.watched: set[str] = set()
        self.around: list[int] = []
        """The enclosing statements that run code after a `return`: `with`, and `try` with `finally`."""
        self.lingers = False
        """Whether some `return` is inside such a statement, so that a separate record marks the end."""
        self.changed: set[ast.AST] = set()
        """Expressions whose value the same statement changes."""
        self.unsure: list[ast.expr] = []
        """Run-time conditions that are false if a write in the current record does not describe its whole effect."""
        self._stored: dict[ast.AST, dict[str, set[bool]]] = {}
        """The temporaries that rewritten statements store to, so that those around them need not be walked again."""

    def change(self, node: ast.Call) -> Change:
        """The effects that a call may have."""
        return self.map.calls.change(node, self.names)

    # Temporaries

    def new(self) -> int:
        """The number of an unused temporary."""
        self.temporaries += 1
        return self.temporaries

    def temporary(self, number: int, location: dict[str, Any], ctx: ast.expr_context | None = None) -> ast.expr:
        """A hidden local variable; module and class bodies use an attribute instead, so that no name is added."""
        if self.function:
            return name(f"@{number}", location, ctx)
        self.map.temporaries += 1
        return ast.Attribute(constant("temporaries", location), f"t{number}", ctx or ast.Load(), **location)

    def keep(self, value: ast.expr, node: ast.AST, location: dict[str, Any], *, slot: bool = True) -> ast.expr:
        """Evaluate an expression into a temporary now; returns the temporary."""
        number = self.new()
        self.out.append(assign(self.temporary(number, location, ast.Store()), value, location))
        if slot and self.full:
            self.slots.append((self.map.node(node), self.temporary(number, location)))
        return self.temporary(number, location)

    def without_temporaries(self, made: list[ast.stmt], *, release: bool) -> list[ast.stmt]:
        """A rewritten statement that clears its temporaries, and with `release` the tape, to keep no object alive."""
        if not made or isinstance(made[-1], _JUMPS):
            return made
        location = thin(place(made[-1]))
        is_return = isinstance(made[-1], ast.Return)
        if is_return and not (release or self.lingers):  # they end with the frame
            return made
        end = len(made) - is_return
        returned = getattr(made[-1], "value", None) if is_return else None
        if self.function or self.loop_depth:
            cleared = self.clear_temporaries(made, location, but=getattr(returned, "id", ""))
        else:
            everything = ast.Attribute(constant("temporaries", location), "__dict__", ast.Load(), **location)
            clear = do(ast.Attribute(everything, "clear", ast.Load(), **location), [], location)
            inside = (node for statement in made for node in walk(statement))
            cleared = [clear] if any(is_constant(node, "temporaries") for node in inside) else []
        if release:
            cleared.append(do(recorder("release", location), [], location))
        return [*made[:end], *cleared, *made[end:]]

    def clear_temporaries(
        self, statements: list[ast.stmt], location: dict[str, Any], *, but: str = ""
    ) -> list[ast.stmt]:
        """A statement that clears the temporaries of statements that may hold an object whose end can be noticed."""
        stored: dict[str, set[bool]] = {}
        for statement in statements:
            _add(stored, self._stored_by(statement))
        used = {temporary for temporary, atoms in stored.items() if not atoms or False in atoms} - {but}
        if not used:
            return []
        targets = [self._cleared(temporary, location) for temporary in sorted(used)]
        return [ast.Assign(targets, ast.Constant(None, **location), **location)]

    def _stored_by(self, statement: ast.stmt) -> dict[str, set[bool]]:
        """The temporaries that a statement stores to, each with whether its values are atoms, where that is known."""
        if statement in self._stored:
            return self._stored[statement]
        stored: dict[str, set[bool]] = {}
        waiting: list[ast.AST] = [statement]
        while waiting:
            node = waiting.pop()
            if node in self._stored:
                _add(stored, self._stored[node])
                continue
            push_children(node, waiting)
            temporary = _temporary(node)
            if temporary:
                stored.setdefault(temporary, set())
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                temporary = _temporary(node.targets[0])
                if temporary:
                    stored.setdefault(temporary, set()).add(_is_atom(node.value))
        self._stored[statement] = stored
        return stored

    def _cleared(self, temporary: str, location: dict[str, Any]) -> ast.expr:
        if self.function:
            return name(temporary, location, ast.Store())
        return ast.Attribute(constant("temporaries", location), temporary, ast.Store(), **location)

    # Records

    def record(self, kind: str, node: ast.AST | int, location: dict[str, Any], **facts: object) -> None:
        """Append the record with the slots collected since the last one."""
        self.out.extend(self.take(kind, node, location, **facts))

    def record_statement(self, kind: str, node: ast.AST, **facts: object) -> None:
        """Append the record of a statement if the level, or an effect that other code can notice, requires one."""
        declared = self.names.declared
        if self.full or self.writes or any(variable in declared for variable, _ in self.stores):
            self.record(kind, node, place(node), **facts)
        else:
            self.slots, self.stores = [], []

    def mark(self, kind: str, node: ast.AST, location: dict[str, Any], **facts: object) -> list[ast.stmt]:
        """The statements that append a record without slots."""
        marker = self.map.marker(kind, self.map.node(node), self.routine, slots=[], **facts)
        return self.statements(marker, [], location)

    def take(self, kind: str, node: ast.AST | int, location: dict[str, Any], **facts: object) -> list[ast.stmt]:
        """The statements that append the collected record; starts a new one."""
        made = [*self.settled(location), *self.statements(self.marker(kind, node, **facts), self.slots, location)]
        self.slots, self.stores, self.writes, self.unsure = [], [], [], []
        return made

    def settled(self, location: dict[str, Any]) -> list[ast.stmt]:
        """The statements before a record that inspect objects whose changes its writes do not describe."""
        after = do(recorder("after", location), [], location)
        return [ast.If(ast.UnaryOp(ast.Not(), sure, **location), [after], [], **location) for sure in self.unsure]

    def marker(self, kind: str, node: ast.AST | int, **facts: object) -> int:
        """A marker for the slots collected so far."""
        if self.stores:
            facts["stores"] = self.stores
            if not self.names.private.issuperset(stored_to for stored_to, _ in self.stores):
                facts["outer"] = True
        if self.writes:
            facts["writes"] = self.writes
        slots = [n for n, _ in self.slots]
        number = node if isinstance(node, int) else self.map.node(node)
        return self.map.marker(kind, number, self.routine, slots=slots, **facts)

    def statements(self, marker: int, slots: list[tuple[int, ast.expr]], location: dict[str, Any]) -> list[ast.stmt]:
        """The statements that append a marker and the values of slots."""
        location = thin(location)
        looked = self.look_up(location) if self.threads else []
        return [*looked, *put(marker, [again(value) for _, value in slots], location, hidden=self.hidden)]

    def look_up(self, location: dict[str, Any]) -> list[ast.stmt]:
        """The statements that look up the tape again, which may flush it, and may belong to another thread now."""
        if NATIVE or not self.hidden:
            return []
        return [assign(name("@a", location, ast.Store()), recorder("tape", location), location)]

    def slot(self, node: ast.AST | int, value: ast.expr) -> int:
        """Add a value to the record; returns its slot."""
        self.slots.append((node if isinstance(node, int) else self.map.node(node), value))
        return len(self.slots) - 1

    def slot_of(self, node: ast.AST, value: ast.expr) -> int:
        """The slot of a value, which is added unless the record has it already."""
        number = self.map.node(node)
        for index, (known, _) in enumerate(self.slots):
            if known == number >= 0:
                return index
        return self.slot(number, value)

    def slot_for(self, value: ast.expr) -> int:
        """The slot of a variable or temporary, whichever node it was recorded for."""
        if isinstance(value, ast.Name):
            for index, (_, known) in enumerate(self.slots):
                if isinstance(known, ast.Name) and known.id == value.id:
                    return index
        return self.slot(-1, again(value))

    def failed(self, location: dict[str, Any]) -> ast.stmt:
        """A statement for handlers, which ends all calls of unrecorded code; at the recursion limit it is retried."""
        notice: list[ast.stmt] = [do(recorder("failed", location), [], location)]
        nothing = ast.ExceptHandler(recorder("every", location), None, [ast.Pass(**location)], **location)
        return ast.If(recorder("pending", location), [ast.Try(notice, [nothing], [], [], **location)], [], **location)

    @contextmanager
    def block(self) -> Iterator[list[ast.stmt]]:
        """Collect statements separately, with a record of their own."""
        kept = self.out, self.slots, self.stores, self.writes, self.unsure, self.seen
        self.out, self.slots, self.stores, self.writes, self.unsure = [], [], [], [], []
        self.seen = set(self.seen)  # objects inspected in this branch are not inspected in others
        try:
            yield self.out
        finally:
            self.out, self.slots, self.stores, self.writes, self.unsure, self.seen = kept

    def see(self, value: ast.expr, location: dict[str, Any], *, perhaps: bool = False, named: bool = False) -> None:
        """Before a write, record an image of the object unless there is one.

        The lookup costs more than the write. It is skipped if a loop's variable still is the object inspected last, or
        if this statement has already inspected it. With `perhaps` the object may be no container; with `named` an
        attribute is written.
        """
        own = value.id if isinstance(value, ast.Name) and self.names.is_private(value.id) else ""
        last = name(f"@{'v' if named else 'w'}{own}", location) if own else None
        if last is not None and last.id in self.seen:
            return
        if last is not None:
            self.seen.add(last.id)
        helper = "see_named" if named else "see"
        ways: list[ast.expr] = [
            self._known(value, location),
            ast.Call(recorder(helper, location), [again(value)], [], **location),
        ]
        if perhaps:
            ways.insert(1, ast.UnaryOp(ast.Not(), self.type_is_not("plain", value, location), **location))
        sure: ast.expr = ast.BoolOp(ast.Or(), ways, **location)
        if last is not None and self.loop_depth and self.hidden:
            self.watched.add(last.id)
            look = assign(
                stored(last), ast.IfExp(sure, again(value), ast.Constant(None, **location), **location), location
            )
            self.out.append(
                ast.If(ast.Compare(again(value), [ast.IsNot()], [last], **location), [look], [], **location)
            )
            sure = ast.Compare(again(last), [ast.IsNot()], [ast.Constant(None, **location)], **location)
        else:
            sure = self.keep(sure, value, location, slot=False)
        self.unsure.append(sure)

    def _known(self, value: ast.expr, location: dict[str, Any]) -> ast.expr:
        identity = call(self.held("id", location), [again(value)], location)
        return ast.Compare(identity, [ast.In()], [self.held("known", location)], **location)

    # Types

    def type_of(self, value: ast.expr, location: dict[str, Any]) -> ast.expr:
        """The run-time type of a simple value."""
        return call(self.held("type", location), [again(value)], location)

    def type_is_not(self, known: str, value: ast.expr, location: dict[str, Any]) -> ast.expr:
        """The condition that the type of a value is not one of a group of known types, compared by identity."""
        if NATIVE:
            return ast.Compare(again(value), [ast.NotIn()], [constant(known, location)], **location)
        tests: list[ast.expr] = [
            ast.Compare(self.type_of(value, location), [ast.IsNot()], [recorder(kind, location)], **location)
            for kind in COMMON[known]
        ]
        identity = call(self.held("id", location), [self.type_of(value, location)], location)
        return ast.BoolOp(
            ast.And(),
            [*tests, ast.Compare(identity, [ast.NotIn()], [recorder(known, location)], **location)],
            **location,
        )

    # Attributes of the recorder

    def held(self, what: str, location: dict[str, Any]) -> ast.expr:
        """A function or collection of the recorder, in a local variable if possible.

        Calling it as an attribute takes three times as long.
        """
        if not self.hidden:
            return recorder(what, location)
        self.helpers.add(what)
        return name(f"@{what}", location)

    def prepare(self, location: dict[str, Any]) -> list[ast.stmt]:
        """The statements before a function's code that bind the variables of `held`."""
        held = [
            assign(name(f"@{what}", location, ast.Store()), recorder(what, location), location)
            for what in sorted(self.helpers)
        ]
        none = ast.Constant(None, **location)
        return [*held, *(assign(name(last, location, ast.Store()), none, location) for last in sorted(self.watched))]

    def mangled(self, attribute: str) -> str:
        """A private name as the compiler mangles it in a class."""
        if self.owner and attribute.startswith("__") and not attribute.endswith("__"):
            return f"_{self.owner.lstrip('_')}{attribute}"
        return attribute


def _add(stored: dict[str, set[bool]], more: dict[str, set[bool]]) -> None:
    for temporary, atoms in more.items():
        stored.setdefault(temporary, set()).update(atoms)


def _is_atom(value: ast.expr) -> bool:
    """Whether nobody notices the end of an expression's value, or a variable holds it as well."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _MAKE_ATOMS
    if isinstance(value, ast.Name):
        return not _TEMPORARY.fullmatch(value.id)
    return isinstance(value, _OF_ATOMS)


def _temporary(node: ast.AST) -> str:
    """The temporary that a node stores to; otherwise empty."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and _TEMPORARY.fullmatch(node.id):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_constant(node.value, "temporaries"):
        return node.attr if _ATTRIBUTE.fullmatch(node.attr) else ""
    return ""
