"""Generates from `adebug.schema.json` the Python types, the TypeScript types, and a part of the reference page.

`python -m adebug_lsp.frontends.dap.protocol.generate FOLDER` writes them into a checkout of this project, and the
types of the protocol itself.
"""

import json
import sys
from pathlib import Path
from typing import Any

from adebug_lsp.frontends.dap.protocol import generate_base_types

Schema = dict[str, Any]

FILE = Path(__file__).parent / "adebug.schema.json"
PYTHON = "adebug_lsp/frontends/dap/protocol/messages.py"
TYPESCRIPT = "editor/vscode/src/protocol.ts"
PAGE = "docs/reference/dap.md"
BEGIN, END = "<!-- generated from adebug.schema.json -->", "<!-- end -->"

_PYTHON = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}
_TYPESCRIPT = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


def load() -> Schema:
    """Return the schema of adebug's own requests and events."""
    schema: Schema = json.loads(FILE.read_text(encoding="utf-8"))
    return schema


def write(folder: Path) -> None:
    """Write every generated file."""
    schema = load()
    (folder / PYTHON).write_text(python(schema), encoding="utf-8")
    base = generate_base_types.python(generate_base_types.load())
    (folder / generate_base_types.PYTHON).write_text(base, encoding="utf-8")
    (folder / TYPESCRIPT).parent.mkdir(parents=True, exist_ok=True)
    (folder / TYPESCRIPT).write_text(typescript(schema), encoding="utf-8")
    page = folder / PAGE
    page.write_text(with_reference(page.read_text(encoding="utf-8"), schema), encoding="utf-8")


# Python


def python(schema: Schema) -> str:
    """Return a module with one TypedDict for each definition."""
    lines = [f'"""{schema["title"]}. Generated from `adebug.schema.json`; do not edit."""', ""]
    lines += ["from typing import Literal, TypedDict"]
    for name, definition in schema["definitions"].items():
        lines += ["", "", *_class(name, definition)]
    return "\n".join(lines) + "\n"


def _class(name: str, definition: Schema) -> list[str]:
    """Optional properties need a class of their own: Python 3.10 has no NotRequired (PEP 655)."""
    needed = {key: value for key, value in definition["properties"].items() if key in definition.get("required", ())}
    others = {key: value for key, value in definition["properties"].items() if key not in needed}
    if not (needed and others):
        header = f"class {name}(TypedDict{', total=False' if others else ''}):"
        return [header, *_body(definition["description"], needed or others)]
    first = [f"class _{name}(TypedDict):", *_body(f"Required properties of {name}.", needed)]
    return [*first, "", "", f"class {name}(_{name}, total=False):", *_body(definition["description"], others)]


def _body(description: str, properties: Schema) -> list[str]:
    fields = [f"    {key}: {_python(value)}" for key, value in properties.items()]
    return [f'    """{description}"""', *([""] if fields else []), *fields]


def _python(value: Schema) -> str:
    if "$ref" in value:
        return f'"{_name(value)}"'
    if "anyOf" in value:
        names = [_name(choice) if "$ref" in choice else _python(choice) for choice in value["anyOf"]]
        return f'"{" | ".join(names)}"'
    if "enum" in value:
        return f"Literal[{', '.join(json.dumps(choice) for choice in value['enum'])}]"
    if value["type"] == "array":
        return f"list[{_python(value['items'])}]"
    if value["type"] == "object":
        return f"dict[str, {_python(value['additionalProperties'])}]"
    return " | ".join(_PYTHON[kind] for kind in _types(value))


# TypeScript


def typescript(schema: Schema) -> str:
    """Return a module with an interface for each definition, and the names of requests and events with their types."""
    lines = [f"// {schema['title']}. Generated from adebug.schema.json; do not edit."]
    for name, definition in schema["definitions"].items():
        lines += ["", f"/** {definition['description']} */", *_interface(name, definition)]
    lines += [
        "",
        "/** The custom requests, with their arguments and the bodies of their responses. */",
        "export interface Requests {",
    ]
    for name, request in schema["requests"].items():
        lines.append(f"  /** {request['description']} */")
        lines.append(f"  '{name}': {{ arguments: {_name(request['arguments'])}; body: {_name(request['body'])} }};")
    lines += ["}", "", "/** The custom events, for those who launch with customEvents. */", "export interface Events {"]
    for name, event in schema["events"].items():
        lines += [f"  /** {event['description']} */", f"  '{name}': {_name(event['body'])};"]
    return "\n".join([*lines, "}"]) + "\n"


def _interface(name: str, definition: Schema) -> list[str]:
    if not definition["properties"]:
        return [f"export type {name} = Record<string, never>;"]
    lines = [f"export interface {name} {{"]
    for key, value in definition["properties"].items():
        if "description" in value:
            lines.append(f"  /** {value['description']} */")
        mark = "" if key in definition.get("required", ()) else "?"
        lines.append(f"  {key}{mark}: {_typescript(value)};")
    return [*lines, "}"]


def _typescript(value: Schema) -> str:
    if "$ref" in value:
        return _name(value)
    if "anyOf" in value:
        return " | ".join(_typescript(choice) for choice in value["anyOf"])
    if "enum" in value:
        return " | ".join(f"'{choice}'" for choice in value["enum"])
    if value["type"] == "array":
        return f"{_typescript(value['items'])}[]"
    if value["type"] == "object":
        return f"Record<string, {_typescript(value['additionalProperties'])}>"
    return " | ".join(_TYPESCRIPT[kind] for kind in _types(value))


# The page


def with_reference(page: str, schema: Schema) -> str:
    """Return the reference page with its generated part replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference(schema)}\n{END}{after}"


def reference(schema: Schema) -> str:
    """Return the tables of requests, events and their types."""
    lines = ["| request | arguments | response | description |", "|---|---|---|---|"]
    for name, request in schema["requests"].items():
        types = f"{_link(request['arguments'])} | {_link(request['body'])}"
        lines.append(f"| `{name}` | {types} | {request['description']} |")
    lines += ["", "| event | body | description |", "|---|---|---|"]
    for name, event in schema["events"].items():
        lines.append(f"| `{name}` | {_link(event['body'])} | {event['description']} |")
    for name, definition in schema["definitions"].items():
        if definition["properties"]:
            lines += ["", f"### {name}", "", definition["description"], "", *_rows(definition)]
    return "\n".join(lines) + "\n"


def _rows(definition: Schema) -> list[str]:
    lines = ["| key | value |", "|---|---|"]
    for key, value in definition["properties"].items():
        optional = "" if key in definition.get("required", ()) else "optional; "
        description = f": {value['description']}" if "description" in value else ""
        shown = _typescript(value).replace(" | ", " or ").replace("'", "`")
        lines.append(f"| `{key}` | {optional}{shown}{description} |")
    return lines


def _link(value: Schema) -> str:
    name = _name(value)
    return "none" if name == "Nothing" else f"[{name}](#{name.lower()})"


def _name(value: Schema) -> str:
    return str(value["$ref"].rpartition("/")[2])


def _types(value: Schema) -> list[str]:
    kinds = value["type"]
    return kinds if isinstance(kinds, list) else [kinds]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
