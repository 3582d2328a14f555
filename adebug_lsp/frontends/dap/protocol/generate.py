"""Generates from `adebug.schema.json` the Python types, the TypeScript types, and a part of the reference page.

`python -m adebug_lsp.frontends.dap.protocol.generate FOLDER` writes them into a checkout of this project.
"""

import json
import sys
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

FILE = Path(__file__).parent / "adebug.schema.json"
PYTHON = "adebug_lsp/frontends/dap/protocol/messages.py"
TYPESCRIPT = "editor/vscode/src/protocol.ts"
PAGE = "docs/reference/dap.md"
BEGIN, END = "<!-- generated from adebug.schema.json -->", "<!-- end -->"

_PYTHON = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}
_TYPESCRIPT = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}


def load() -> Schema:
    """The schema."""
    schema: Schema = json.loads(FILE.read_text(encoding="utf-8"))
    return schema


def write(folder: Path) -> None:
    """Write all that is generated."""
    schema = load()
    (folder / PYTHON).write_text(python(schema), encoding="utf-8")
    (folder / TYPESCRIPT).parent.mkdir(parents=True, exist_ok=True)
    (folder / TYPESCRIPT).write_text(typescript(schema), encoding="utf-8")
    page = folder / PAGE
    page.write_text(with_reference(page.read_text(encoding="utf-8"), schema), encoding="utf-8")


# Python


def python(schema: Schema) -> str:
    """A module with one TypedDict for each definition."""
    lines = [f'"""{schema["title"]}. Generated from `adebug.schema.json`; do not edit."""', ""]
    lines += ["from typing import Literal, TypedDict"]
    for name, definition in schema["definitions"].items():
        lines += ["", "", *_class(name, definition)]
    return "\n".join(lines) + "\n"


def _class(name: str, definition: Schema) -> list[str]:
    """Properties that may be left out are in a class of their own, as Python 3.10 wants it."""
    needed = {key: value for key, value in definition["properties"].items() if key in definition.get("required", ())}
    others = {key: value for key, value in definition["properties"].items() if key not in needed}
    if not (needed and others):
        header = f"class {name}(TypedDict{', total=False' if others else ''}):"
        return [header, *_body(definition["description"], needed or others)]
    first = [f"class _{name}(TypedDict):", *_body("What is always there.", needed)]
    return [*first, "", "", f"class {name}(_{name}, total=False):", *_body(definition["description"], others)]


def _body(description: str, properties: Schema) -> list[str]:
    fields = [f"    {key}: {_python(value)}" for key, value in properties.items()]
    return [f'    """{description}"""', *([""] if fields else []), *fields]


def _python(value: Schema) -> str:
    if "$ref" in value:
        return f'"{_name(value)}"'
    if "anyOf" in value:
        names = [_name(one) if "$ref" in one else _python(one) for one in value["anyOf"]]
        return f'"{" | ".join(names)}"'
    if "enum" in value:
        return f"Literal[{', '.join(json.dumps(one) for one in value['enum'])}]"
    if value["type"] == "array":
        return f"list[{_python(value['items'])}]"
    if value["type"] == "object":
        return f"dict[str, {_python(value['additionalProperties'])}]"
    return " | ".join(_PYTHON[one] for one in _types(value))


# TypeScript


def typescript(schema: Schema) -> str:
    """A module with one interface for each definition, and the names of requests and events with their types."""
    lines = [f"// {schema['title']}. Generated from adebug.schema.json; do not edit."]
    for name, definition in schema["definitions"].items():
        lines += ["", f"/** {definition['description']} */", *_interface(name, definition)]
    lines += ["", "/** The custom requests: what each takes, and what it gives. */", "export interface Requests {"]
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
        return " | ".join(_typescript(one) for one in value["anyOf"])
    if "enum" in value:
        return " | ".join(f"'{one}'" for one in value["enum"])
    if value["type"] == "array":
        return f"{_typescript(value['items'])}[]"
    if value["type"] == "object":
        return f"Record<string, {_typescript(value['additionalProperties'])}>"
    return " | ".join(_TYPESCRIPT[one] for one in _types(value))


# The page


def with_reference(page: str, schema: Schema) -> str:
    """The reference page with its generated part as it should be."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference(schema)}\n{END}{after}"


def reference(schema: Schema) -> str:
    """Tables of requests, events and what they carry."""
    lines = ["| request | arguments | answer | what it does |", "|---|---|---|---|"]
    for name, one in schema["requests"].items():
        lines.append(f"| `{name}` | {_link(one['arguments'])} | {_link(one['body'])} | {one['description']} |")
    lines += ["", "| event | body | what it tells |", "|---|---|---|"]
    lines += [f"| `{name}` | {_link(one['body'])} | {one['description']} |" for name, one in schema["events"].items()]
    for name, definition in schema["definitions"].items():
        if definition["properties"]:
            lines += ["", f"### {name}", "", definition["description"], "", *_rows(definition)]
    return "\n".join(lines) + "\n"


def _rows(definition: Schema) -> list[str]:
    lines = ["| key | value |", "|---|---|"]
    for key, value in definition["properties"].items():
        optional = "" if key in definition.get("required", ()) else "optional; "
        told = f": {value['description']}" if "description" in value else ""
        shown = _typescript(value).replace(" | ", " or ").replace("'", "`")
        lines.append(f"| `{key}` | {optional}{shown}{told} |")
    return lines


def _link(value: Schema) -> str:
    name = _name(value)
    return "none" if name == "Nothing" else f"[{name}](#{name.lower()})"


def _name(value: Schema) -> str:
    return str(value["$ref"].rpartition("/")[2])


def _types(value: Schema) -> list[str]:
    found = value["type"]
    return found if isinstance(found, list) else [found]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
