"""Generates Python types of the Debug Adapter Protocol itself from the schema that debugpy ships.

Only bodies that the adapter sends, and the types that these refer to. `make docs` writes them through `generate`.
"""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Schema = dict[str, Any]

PYTHON = "adebug_lsp/frontends/dap/protocol/base_types.py"
RESPONSES = (
    *("Continue", "Evaluate", "ExceptionInfo", "GotoTargets", "LoadedSources", "Scopes"),
    *("SetBreakpoints", "SetFunctionBreakpoints", "SetExceptionBreakpoints", "Source", "StackTrace", "Threads"),
    "Variables",
)
EVENTS = (
    *("Breakpoint", "Capabilities", "Continued", "Exited", "Invalidated", "Output", "Process"),
    *("ProgressEnd", "ProgressStart", "ProgressUpdate", "Stopped", "Terminated", "Thread"),
)
_PRIMITIVE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_WIDTH = 120


def load() -> Schema:
    """Return the protocol's schema from the installed debugpy.

    It is a copy of https://github.com/microsoft/debug-adapter-protocol/blob/main/debugAdapterProtocol.json that debugpy
    ships for a generator of its own (in this folder as of debugpy 1.8.22).
    """
    debugpy = find_spec("debugpy")
    if debugpy is None or debugpy.origin is None:
        raise FileNotFoundError("debugpy is not installed, and has the protocol's schema; run `pip install debugpy`")
    folder = Path(debugpy.origin).parent / "_vendored" / "pydevd" / "_pydevd_bundle" / "_debug_adapter"
    schema: Schema = json.loads((folder / "debugProtocol.json").read_text(encoding="utf-8"))
    return schema


def python(schema: Schema) -> str:
    """Return a module with one TypedDict for each body and each type that one refers to."""
    definitions = _selected(schema["definitions"])
    lines = ['"""Types of the Debug Adapter Protocol. Generated from the schema in debugpy; do not edit."""', ""]
    lines += ["from typing import Any, Literal, TypedDict"]
    for name, definition in sorted(definitions.items(), key=lambda item: "properties" in item[1]):  # aliases first
        lines += ["", *_definition(name, definition)]
    return "\n".join(lines) + "\n"


def _selected(definitions: Schema) -> Schema:
    """Return the bodies under the names of their types, and all that they refer to, sorted by name."""
    bodies = {f"{name}Response": f"{name}ResponseBody" for name in RESPONSES}
    bodies |= {f"{name}Event": f"{name}EventBody" for name in EVENTS}
    chosen = {body: _body(definitions[message]) for message, body in bodies.items()}
    waiting = list(chosen.values())
    while waiting:
        for name in _references(waiting.pop()):
            if name not in chosen:
                chosen[name] = definitions[name]
                waiting.append(definitions[name])
    return dict(sorted(chosen.items()))


def _body(message: Schema) -> Schema:
    """Return the schema of a message's body, described as the message is."""
    own = message["allOf"][1]
    return {"description": own["description"], **own["properties"]["body"]}


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield _name(schema)
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _definition(name: str, definition: Schema) -> list[str]:
    """Return an alias, or a class; optional properties need one of their own without NotRequired (PEP 655, 3.11)."""
    if "properties" not in definition:
        return [f"{name} = {_wrapped(_type(definition), 0)}", f'"""{_summary(definition)}"""']
    required = {key: value for key, value in definition["properties"].items() if key in definition.get("required", ())}
    optional = {key: value for key, value in definition["properties"].items() if key not in required}
    summary = _summary(definition)
    if not required:
        return ["", f"class {name}(TypedDict, total=False):", *_fields(summary, optional)]
    if not optional:
        return ["", f"class {name}(TypedDict):", *_fields(summary, required)]
    base = ["", f"class _{name}(TypedDict):", *_fields(f"Required properties of {name}.", required)]
    return [*base, "", "", f"class {name}(_{name}, total=False):", *_fields(summary, optional)]


def _fields(summary: str, properties: Schema) -> list[str]:
    lines = [f"    {key}: {_wrapped(_type(value, quote=True), 4)}" for key, value in properties.items()]
    return [f'    """{summary}"""', "", *lines]


def _summary(definition: Schema) -> str:
    """Return the first sentence of a description, on one line."""
    text = " ".join(definition.get("description", "Part of the protocol.").split())
    sentence = text.partition(". ")[0].removesuffix(".")
    limit = _WIDTH - 11
    return f"{sentence}." if len(sentence) < limit else sentence[: limit - 3].rpartition(" ")[0] + " ..."


def _type(value: Schema, quote: bool = False) -> str:
    """Return the type; names of classes are quoted, because a class may come later in the module."""
    text = _plain_type(value)
    return f'"{text}"' if quote and any(True for _ in _references(value)) else text


def _plain_type(value: Schema) -> str:
    if "$ref" in value:
        return _name(value)
    if "oneOf" in value:
        return " | ".join(_plain_type(choice) for choice in value["oneOf"])
    if "enum" in value:
        return f"Literal[{', '.join(json.dumps(choice) for choice in value['enum'])}]"
    kinds = value.get("type", [])
    if isinstance(kinds, list):  # "any value", as the protocol writes it
        return "Any" if not kinds or "array" in kinds else " | ".join(_PRIMITIVE[kind] for kind in kinds)
    if kinds == "array":
        return f"list[{_plain_type(value['items'])}]"
    if kinds == "object":
        more = value.get("additionalProperties", {})
        return f"dict[str, {_plain_type(more) if isinstance(more, dict) else 'Any'}]"
    return _PRIMITIVE[kinds]


def _wrapped(text: str, indent: int) -> str:
    """Return a Literal that is too long for a line with one choice on each, as the formatter writes it."""
    if len(text) + 40 < _WIDTH or not text.startswith("Literal["):
        return text
    space = " " * indent
    choices = text.removeprefix("Literal[").removesuffix("]").split(", ")
    return "Literal[\n" + "".join(f"{space}    {choice},\n" for choice in choices) + f"{space}]"


def _name(value: Schema) -> str:
    return str(value["$ref"].rpartition("/")[2])
