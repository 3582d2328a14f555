"""Validates marks: an error for a mark on a part that is not shown lists the parts that are."""

from attrs import frozen

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.values import Key, Role, Value

_MOST_LISTED = 8
_SHORT = 60
_HANDED = (Role.ARGUMENT, Role.RECEIVER)


@frozen
class _Place:
    """A value and its address."""

    name: str
    value: Value


def check_mark(behaviour: Behaviour, mark: Mark) -> None:
    """Raise `BadAnswerError` for a mark on a part that does not exist; a tree without values accepts every mark."""
    if not _has_values(behaviour) or (mark.of is MarkOf.ARGUMENT and not mark.path):  # marks an unspecified argument
        return
    place, path = _root(behaviour, mark)
    if place is None:
        raise BadAnswerError(f"there is no {mark_address(mark)}; what can be marked: {_listed(_roots(behaviour))}")
    for index, key in enumerate(path):
        part = place.value.part(key)
        if part is None:
            if place.value.lacks((key,)):
                missing = _named(_named(place.name, (_as_key_of(place.value, key),)), path[index + 1 :])
                raise BadAnswerError(f"there is no {missing}; {_nearby(place)}")
            return  # a large value does not list all of its parts
        place = _Place(_named(place.name, (_as_key_of(place.value, key),)), part)


def _has_values(behaviour: Behaviour) -> bool:
    outcome = (behaviour.result, behaviour.raised)
    return bool(behaviour.projection or behaviour.before.bindings or behaviour.after.bindings or any(outcome))


def _root(behaviour: Behaviour, mark: Mark) -> tuple[_Place | None, tuple[Key, ...]]:
    """The value that a mark starts at, and the remaining path."""
    if mark.of is MarkOf.CALL:
        return _Place("call", Value("the call itself")), mark.path
    roots = {place.name: place for place in _roots(behaviour)}
    first = mark.path[0] if mark.path else ""
    if mark.of is MarkOf.RESULT and (clause := roots.get(_clause(first))) is not None:
        return clause, mark.path[1:]
    if mark.of is MarkOf.RESULT:
        return roots.get("result"), mark.path
    if mark.of is MarkOf.ARGUMENT and str(first).isdecimal():
        bindings = behaviour.before.bindings
        handed = [binding for binding in bindings if binding.role in _HANDED] or list(bindings)
        first = handed[int(first)].name if int(first) < len(handed) else first
    return roots.get(_begin(mark.of, first)), mark.path[1:]


def _roots(behaviour: Behaviour) -> list[_Place]:
    """All values that a mark can start at."""
    outcome = behaviour.raised if behaviour.result is None else behaviour.result
    places = [] if outcome is None else [_Place("result", outcome)]
    for of, environment in ((MarkOf.AFTER, behaviour.after), (MarkOf.ARGUMENT, behaviour.before)):
        for binding in environment.bindings:
            if binding.role == Role.CLAUSE:
                places.append(_Place(_clause(binding.name), binding.value))
            elif binding.role != Role.OUTPUT:
                places.append(_Place(_begin(of, binding.name), binding.value))
    return [*places, _Place("call", Value("the call itself"))]


def _begin(of: MarkOf, name: Key) -> str:
    return _named(of.value, (name,))


def _clause(name: Key) -> str:
    """The address of a clause that should have been taken, which is marked as a part of the choice's result."""
    return f"result[{name!r}]"


def mark_address(mark: Mark) -> str:
    """The address of a mark, as the user types it."""
    return _named(mark.of.value, mark.path)


def _named(begin: str, path: tuple[Key, ...]) -> str:
    """The address of a part, such as `result[1].name`; dictionary keys are already quoted."""
    steps = (f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key}]" for key in path)
    return begin + "".join(steps)


def _as_key_of(value: Value, key: Key) -> Key:
    """A key in the notation of a value's parts: quoted if the value is a dictionary."""
    quoted = any(isinstance(part.key, str) and part.key[:1] in ("'", '"') for part in value.parts)
    return repr(key) if quoted and isinstance(key, str) and key[:1] not in ("'", '"') else key


def _nearby(place: _Place) -> str:
    """The existing parts of the value in which a part is missing, as a hint."""
    value = place.value
    if not value.parts:
        text = value.text if len(value.text) <= _SHORT else f"{value.text[:_SHORT]}..."
        return f"{place.name} is {text}, which has no parts; mark {place.name} itself"
    parts = [_Place(_named(place.name, (part.key,)), part.value) for part in value.parts]
    return f"what can be marked: {place.name}, {_listed(parts)}"


def _listed(places: list[_Place]) -> str:
    more = len(places) - _MOST_LISTED
    names = [place.name for place in places[:_MOST_LISTED]]
    return ", ".join([*names, f"and {more} more"] if more > 0 else names)
