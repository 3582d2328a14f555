"""Converts model classes to JSON data and back, with cattrs.

Invalid data raises `BadInputError`; nothing in the data is ever run.
"""

from typing import Any, TypeVar

import cattrs
from cattrs.strategies import configure_tagged_union

from adebug_lsp.model.answers import Step
from adebug_lsp.model.errors import BadInputError

T = TypeVar("T")

_converter = cattrs.Converter(forbid_extra_keys=True)


def _key(data: object, _type: object) -> str | int:
    if isinstance(data, bool) or not isinstance(data, str | int):
        raise ValueError(f"a key is a text or a whole number, not {data!r}")
    return data


def _strict(cls: type) -> None:
    """Accept a scalar of exactly this type: "3" is not 3, and 1 is not true."""

    def structure(data: object, _type: object) -> object:
        if type(data) is not cls:
            raise ValueError(f"expected {cls.__name__}, not {data!r}")
        return data

    _converter.register_structure_hook(cls, structure)


_strict(str)
_strict(int)
_strict(bool)
_converter.register_structure_hook(str | int, _key)
configure_tagged_union(Step, _converter, tag_name="step")


def to_json(value: object, as_type: Any = None) -> Any:
    """Plain data (dicts, lists, text, numbers) for a model object."""
    return _converter.unstructure(value, unstructure_as=as_type)


def from_json(data: object, cls: type[T]) -> T:
    """The model object that plain data describes."""
    try:
        return _converter.structure(data, cls)
    except Exception as error:  # cattrs raises groups of whatever its hooks raise
        problems = "; ".join(cattrs.transform_error(error))
        raise BadInputError(f"not a {getattr(cls, '__name__', 'valid value')}: {problems}") from error


def step_to_json(step: Step) -> dict[str, Any]:
    """One step of a session, tagged with its class."""
    data: dict[str, Any] = to_json(step, Step)
    return data


def step_from_json(data: object) -> Step:
    """The step that tagged plain data describes."""
    return from_json(data, Step)  # type: ignore[arg-type]
