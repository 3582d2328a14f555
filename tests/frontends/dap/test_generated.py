"""Generated files match the schema, and every request in it has a handler."""

import ast
import re
from collections.abc import Callable
from typing import is_typeddict

import pytest
from jsonschema import Draft7Validator

from adebug_lsp.frontends.dap import adapter
from adebug_lsp.frontends.dap.protocol import base_types, generate, generate_base_types
from tests.support import ROOT

SCHEMA = generate.load()


@pytest.mark.parametrize(
    ("path", "make"), [(generate.PYTHON, generate.python), (generate.TYPESCRIPT, generate.typescript)]
)
def test_generated_types_are_up_to_date(path: str, make: Callable[[generate.Schema], str]) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == make(SCHEMA), "run make docs"


def test_types_of_the_protocol_are_in_the_schema_of_debugpy() -> None:
    """A later debugpy may add optional properties; a type is never without a property that is required."""
    schema = generate_base_types.load()["definitions"]
    bodies = {
        f"{name}Body": definition["allOf"][1]["properties"]["body"]
        for name, definition in schema.items()
        if name.endswith(("Event", "Response")) and "body" in definition.get("allOf", [{}, {}])[1].get("properties", {})
    }
    classes = {name: kind for name, kind in vars(base_types).items() if is_typeddict(kind) and not name.startswith("_")}
    assert len(classes) > 30
    for name, kind in classes.items():
        definition = {**schema, **bodies}[name]
        assert kind.__required_keys__ == set(definition.get("required", ())), name
        assert kind.__optional_keys__ <= set(definition["properties"]), name


def test_types_of_the_protocol_are_generated() -> None:
    names = set(re.findall(r"^class (\w+)", generate_base_types.python(generate_base_types.load()), re.MULTILINE))
    assert names >= {name for name, kind in vars(base_types).items() if is_typeddict(kind)}


def test_the_reference_page_is_up_to_date() -> None:
    page = (ROOT / generate.PAGE).read_text(encoding="utf-8")
    assert generate.reference(SCHEMA) in page, "run make docs"
    assert page == generate.with_reference(page, SCHEMA)


def test_every_definition_is_a_schema_and_is_used() -> None:
    text = generate.FILE.read_text(encoding="utf-8")
    for name, definition in SCHEMA["definitions"].items():
        Draft7Validator.check_schema(definition)
        assert f'"#/definitions/{name}"' in text


def test_every_request_is_served() -> None:
    served = {name for name in adapter.HANDLERS if name.startswith("adebug/")} | {"adebug/find"}
    assert served == set(SCHEMA["requests"])


def test_optional_properties_are_optional_in_both_languages() -> None:
    module = ast.parse(generate.python(SCHEMA))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    assert [ast.unparse(keyword) for keyword in classes["Question"].keywords] == ["total=False"]
    assert "  default?: string;" in generate.typescript(SCHEMA)
    assert "  remaining: number;" in generate.typescript(SCHEMA)
