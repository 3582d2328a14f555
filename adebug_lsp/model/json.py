"""Converts model classes to JSON data and back, with cattrs.

Invalid data raises `BadInputError`; the data is never executed.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from adebug_lsp.model.answers import Step
from adebug_lsp.model.errors import BadInputError

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")


@cache
def _converter() -> "Converter":
    """The converter. It is made when it is first used: cattrs takes a tenth of the time to the first question."""
    import cattrs  # noqa: PLC0415 (takes long)
    from cattrs.strategies import configure_tagged_union  # noqa: PLC0415

    converter = cattrs.Converter(forbid_extra_keys=True)
    for scalar in (str, int, bool):
        converter.register_structure_hook(scalar, _exactly(scalar))
    converter.register_structure_hook(str | int, _key)
    configure_tagged_union(Step, converter, tag_name="step")
    return converter


def _key(data: object, _type: object) -> str | int:
    if isinstance(data, bool) or not isinstance(data, str | int):
        raise ValueError(f"a key is a text or a whole number, not {data!r}")
    return data


def _exactly(cls: type) -> Callable[[object, object], object]:
    """Accepts a scalar of exactly this type: "3" is not 3, and 1 is not true."""

    def structure(data: object, _type: object) -> object:
        if type(data) is not cls:
            raise ValueError(f"expected {cls.__name__}, not {data!r}")
        return data

    return structure


def to_json(value: object, as_type: Any = None) -> Any:
    """Convert a model object to plain data: dicts, lists, strings and numbers."""
    return _converter().unstructure(value, unstructure_as=as_type)


def from_json(data: object, cls: type[T]) -> T:
    """Convert plain data to a model object."""
    try:
        return _converter().structure(data, cls)
    except Exception as error:  # cattrs raises exception groups that contain whatever its hooks raise
        import cattrs  # noqa: PLC0415

        problems = "; ".join(cattrs.transform_error(error))
        raise BadInputError(f"not a {getattr(cls, '__name__', 'valid value')}: {problems}") from error


def step_to_json(step: Step) -> dict[str, Any]:
    """Convert a step of a session to plain data, tagged with its class."""
    data: dict[str, Any] = to_json(step, Step)
    return data


def step_from_json(data: object) -> Step:
    """Convert tagged plain data to a step."""
    return from_json(data, Step)  # type: ignore[arg-type]
