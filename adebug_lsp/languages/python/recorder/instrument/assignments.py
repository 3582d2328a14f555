"""Rewrites assignments to names, attributes and items, parallel and augmented assignments, and deletions."""

import ast
from typing import Any

from ..analysis.syntax_walk import walk
from ..analysis.targets import names, only_names, parallel
from .expressions import Expressions
from .statements import record_inline, unnoticed
from .syntax_builder import again, assign, do, is_simple_name, name, place, recorder, stored

AUGMENTS_CONTAINERS = {
    ast.Add: "__iadd__",
    ast.Mult: "__imul__",
    ast.Sub: "__isub__",
    ast.BitOr: "__ior__",
    ast.BitAnd: "__iand__",
    ast.BitXor: "__ixor__",
}
"""The operators that change containers, and their methods."""


class Assignments:
    """Rewrites assignments and deletions of one scope. `ScopeRewriter` calls it, and `Blocks` for targets of loops."""

    KINDS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete)

    def __init__(self, expressions: Expressions) -> None:
        self._expressions, self._scope = expressions, expressions.scope

    def do_Assign(self, node: ast.Assign) -> None:
        if unnoticed(self._expressions, node) and all(only_names(target) for target in node.targets):
            record_inline(self._expressions, node)
            return
        target, value = node.targets[0], node.value
        if len(node.targets) == 1 and isinstance(target, ast.Name) and not self._expressions.simple(value):
            self._assign_name(node, target, value)
        elif len(node.targets) == 1 and parallel(target, value):
            assert isinstance(target, (ast.Tuple, ast.List))
            assert isinstance(value, (ast.Tuple, ast.List))
            self._in_parallel(target, value)
        else:
            self._store_all(node.targets, self._expressions.value(value, now=True), value)
        self._scope.record_statement("statement", node)

    def _assign_name(self, node: ast.stmt, target: ast.Name, value: ast.expr) -> None:
        """`name = value`, the most common statement, which needs no temporary."""
        scope, location = self._scope, place(node)
        made, _ = self._expressions.computed(value)
        if not scope.names.is_private(target.id):
            made = scope.keep(made, value, place(value), slot=False)
            scope.out.append(assign(target, made, location))
            scope.stores.append((target.id, scope.slot(value, again(made))))
            return
        scope.out.append(assign(target, made, location))
        scope.stores.append((target.id, scope.slot(value, name(target.id, location))))

    def _in_parallel(self, target: ast.Tuple | ast.List, value: ast.Tuple | ast.List) -> None:
        """`a[i], a[j] = a[j], a[i]`: evaluate all values, then store the targets from left to right."""
        names = [t.id for t in target.elts if isinstance(t, ast.Name)]
        values = []
        for element in value.elts:
            simple = self._expressions.value(element, now=True)
            if isinstance(simple, ast.Name) and simple.id in names:
                simple = self._scope.keep(simple, element, place(element), slot=False)
            values.append(simple)
        for part, simple in zip(target.elts, values, strict=True):
            self.store(part, simple)

    def _store_all(self, targets: list[ast.expr], simple: ast.expr, value: ast.AST) -> None:
        if len(targets) > 1 or not isinstance(targets[0], ast.Name):
            names = {n.id for target in targets for n in walk(target) if isinstance(n, ast.Name)}
            if isinstance(simple, ast.Name) and simple.id in names:
                simple = self._scope.keep(simple, value, place(value), slot=False)
        for target in targets:
            self.store(target, simple)

    def store(self, target: ast.expr, value: ast.expr) -> None:
        """Store a simple value in a target, and record the write."""
        scope, location = self._scope, place(target)
        if isinstance(target, ast.Name):
            scope.out.append(assign(target, again(value), location))
            scope.stores.append((target.id, scope.slot(target, again(value))))
        elif isinstance(target, ast.Attribute):
            owner = self._expressions.value(target.value)
            target.value = owner
            if target.attr == "__dict__":
                scope.out += [
                    do(recorder("hold", location), [again(owner)], location),
                    assign(target, again(value), location),
                ]
                scope.out.append(do(recorder("after", location), [], location))
                return
            self._image_before_write(owner, location)
            scope.out.append(assign(target, again(value), location))
            slots = scope.slot_for(owner), scope.slot_for(value)
            scope.writes.append(["set_attr", scope.mangled(target.attr), slots[0], slots[1]])
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value)
        else:
            self._unpack(target, value)

    def _store_item(self, target: ast.Subscript, value: ast.expr) -> None:
        scope, location = self._scope, place(target)
        scope.changed.add(target.value)
        owner = self._expressions.value(target.value, now=not self._expressions.simple(target.slice))
        index = self._expressions.index(target.slice)
        target.value, target.slice = owner, index
        if isinstance(index, (ast.Slice, ast.Tuple)) or (
            not self._expressions.simple(index) and not is_simple_name(index)
        ):
            self._store_and_inspect(target, owner, value)
            return
        scope.see(owner, location)
        scope.out.append(assign(target, again(value), location))
        slots = scope.slot_for(owner), scope.slot_for(index), scope.slot_for(value)
        scope.writes.append(["set_item", slots[1], slots[0], slots[2]])

    def _store_and_inspect(self, target: ast.expr, owner: ast.expr, value: ast.expr) -> None:
        """Store in a slice, which changes several items: the owner is inspected before and after."""
        location = place(target)
        self._scope.out.append(do(recorder("hold", location), [again(owner)], location))
        self._scope.out.append(assign(target, again(value), location))
        self._scope.out.append(do(recorder("after", location), [], location))

    def _image_before_write(self, owner: ast.expr, location: dict[str, Any]) -> None:
        """Record an image of the object before an attribute is set, except of `self` in `__init__`, which is new."""
        scope = self._scope
        if (
            scope.qualname.endswith(".__init__")
            and isinstance(owner, ast.Name)
            and scope.names.parameters[:1] == [owner.id]
        ):
            return
        scope.see(owner, location, named=True)

    def _unpack(self, target: ast.expr, value: ast.expr) -> None:
        """Unpack into temporaries first, as the interpreter does, then store from left to right."""
        if isinstance(target, ast.Starred):
            self.store(target.value, value)
            return
        scope, location = self._scope, place(target)
        assert isinstance(target, (ast.Tuple, ast.List))
        if only_names(target):
            scope.out.append(assign(target, again(value), location))
            for n in names(target):
                scope.stores.append((n.id, scope.slot(n, name(n.id, location))))
            return
        numbers = [scope.new() for _ in target.elts]
        parts = [scope.temporary(number, location, ast.Store()) for number in numbers]
        taken = [
            ast.Starred(p, ast.Store(), **location) if isinstance(e, ast.Starred) else p
            for e, p in zip(target.elts, parts, strict=True)
        ]
        scope.out.append(assign(ast.Tuple(taken, ast.Store(), **location), again(value), location))
        for element, number in zip(target.elts, numbers, strict=True):
            self.store(element, scope.temporary(number, location))

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None:
            self._scope.out.append(node)
            return
        if unnoticed(self._expressions, node):
            record_inline(self._expressions, node)
            return
        scope, location = self._scope, place(node)
        value = self._expressions.value(node.value, now=True)
        if isinstance(node.target, ast.Name):
            original, node.value = node.value, again(value)
            scope.out.append(node)
            scope.stores.append((node.target.id, scope.slot(original, again(value))))
        else:
            self.store(node.target, value)
            # Without a value nothing is bound; whether the annotation is evaluated is left to the compiler.
            scope.out.append(ast.AnnAssign(name("@", location, ast.Store()), node.annotation, None, 0, **location))
        self._scope.record_statement("statement", node)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        scope, location, target = self._scope, place(node), node.target
        if isinstance(target, ast.Name):
            if unnoticed(self._expressions, node) and not self._may_grow(node):
                record_inline(self._expressions, node)
                return
            old = None
            if not self._expressions.simple(node.value) and not self._expressions.safe(target):
                old = scope.keep(name(target.id, location), target, location, slot=False)
            node.value = self._expressions.value(node.value)
            self._augment_name(node, target, old)
        else:
            self._augment_place(node)
        self._scope.record_statement("statement", node)

    def _may_grow(self, node: ast.AugAssign) -> bool:
        """Whether the target may be a container, or an array, that is changed in place."""
        value = node.value
        if self._scope.map.calls.arrays:
            return True
        if type(node.op) not in AUGMENTS_CONTAINERS:
            return False
        return not (
            isinstance(value, ast.JoinedStr)
            or (isinstance(value, ast.Constant) and not isinstance(value.value, (str, bytes)))
        )

    def _in_place(self, node: ast.AugAssign, holder: ast.expr, location: dict[str, Any]) -> None:
        """The augmented assignment itself, to a name or temporary; a container is inspected before and after."""
        if not self._may_grow(node):
            self._scope.out.append(node)
            return
        if type(node.op) in AUGMENTS_CONTAINERS:
            method = ast.Constant(AUGMENTS_CONTAINERS[type(node.op)], **location)
            seen = do(recorder("call", location), [again(holder), method, again(node.value)], location)
        else:
            seen = do(recorder("hold", location), [again(holder)], location)
        looked = do(recorder("after", location), [], location)
        twin = ast.AugAssign(stored(node.target), node.op, again(node.value), **location)
        self._scope.out.append(
            ast.If(self._scope.type_is_not("plain", holder, location), [seen, twin, looked], [node], **location)
        )

    def _augment_name(self, node: ast.AugAssign, target: ast.Name, old: ast.expr | None) -> None:
        scope, location = self._scope, place(node)
        if old is not None:
            node.target = stored(old)
            self._in_place(node, old, location)
            scope.out.append(assign(name(target.id, location, ast.Store()), again(old), location))
        else:
            self._in_place(node, name(target.id, location), location)
        scope.stores.append((target.id, scope.slot(node, name(target.id, location))))

    def _augment_place(self, node: ast.AugAssign) -> None:
        """`a.x += v` and `a[i] += v`: owner and index are evaluated once, before the value."""
        scope, location, target = self._scope, place(node), node.target
        assert isinstance(target, (ast.Attribute, ast.Subscript))
        owner = self._expressions.value(
            target.value, now=isinstance(target, ast.Subscript) and not self._expressions.simple(target.slice)
        )
        fetched: Any
        sliced = False
        if isinstance(target, ast.Subscript):
            index = self._expressions.index(target.slice)
            sliced = isinstance(index, (ast.Slice, ast.Tuple))
            if sliced:
                index = scope.keep(index, target.slice, place(target.slice), slot=False)
            else:
                scope.see(owner, location)
            fetched = ast.Subscript(again(owner), again(index), ast.Load(), **location)
            written: Any = ast.Subscript(again(owner), again(index), ast.Store(), **location)
        else:
            fetched = ast.Attribute(again(owner), target.attr, ast.Load(), **location)
            written = ast.Attribute(again(owner), target.attr, ast.Store(), **location)
        current = scope.keep(fetched, target, location)
        result = scope.new()
        node.value = self._expressions.value(node.value)
        scope.out.append(assign(scope.temporary(result, location, ast.Store()), again(current), location))
        changed = scope.temporary(result, location)
        node.target = stored(changed)
        self._in_place(node, changed, location)
        if sliced:
            scope.slot(node, again(changed))
            self._store_and_inspect(written, owner, changed)
            return
        if isinstance(target, ast.Attribute):
            scope.see(owner, location, named=True)
        scope.out.append(assign(written, again(changed), location))
        if isinstance(target, ast.Subscript):
            slots = scope.slot_for(owner), scope.slot_for(index), scope.slot(node, again(changed))
            scope.writes.append(["set_item", slots[1], slots[0], slots[2]])
        else:
            both = scope.slot_for(owner), scope.slot(node, again(changed))
            scope.writes.append(["set_attr", scope.mangled(target.attr), both[0], both[1]])

    def do_Delete(self, node: ast.Delete) -> None:
        scope, location = self._scope, place(node)
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                target.value = self._expressions.value(target.value)
                scope.see(target.value, location, named=True)
                scope.out.append(ast.Delete([target], **location))
                scope.writes.append(["del_attr", scope.mangled(target.attr), scope.slot(-1, again(target.value)), None])
            elif isinstance(target, ast.Subscript):
                target.value = self._expressions.value(target.value, now=not self._expressions.simple(target.slice))
                target.slice = self._expressions.index(target.slice)
                if isinstance(target.slice, (ast.Slice, ast.Tuple)):
                    scope.out.append(do(recorder("hold", location), [again(target.value)], location))
                    scope.out.append(ast.Delete([target], **location))
                    scope.out.append(do(recorder("after", location), [], location))
                else:
                    scope.see(target.value, location)
                    scope.out.append(ast.Delete([target], **location))
                    slots = scope.slot(-1, again(target.value)), scope.slot(-1, again(target.slice))
                    scope.writes.append(["del_item", slots[1], slots[0], None])
            else:
                scope.out.append(ast.Delete([target], **location))
        self._scope.record_statement("statement", node)
