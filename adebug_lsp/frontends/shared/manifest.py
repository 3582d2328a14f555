"""Generates the launch attributes and the settings in `editor/vscode/package.json` from the declared options.

`python -m adebug_lsp.frontends.shared.manifest FOLDER` writes them into a checkout of this project.
"""

import json
import sys
from pathlib import Path

from adebug_lsp.frontends.shared.options import CLIENT_FIELDS, Kind, Option, Where, options_of

MANIFEST = "editor/vscode/package.json"
_LAUNCH = ('"launch": {\n            "properties": ', 14)
_SETTINGS = ('"configuration": {\n      "title": "adebug",\n      "properties": ', 8)
"""The text before a generated object, and the indentation of its entries."""

Schema = dict[str, object]

_TYPES: dict[Kind, Schema] = {
    Kind.TEXT: {"type": "string"},
    Kind.STRATEGY: {"type": "string"},
    Kind.FLAG: {"type": "boolean"},
    Kind.SECONDS: {"type": "number"},
    Kind.CHOICE: {"type": "string"},
    Kind.TEXTS: {"type": "array", "items": {"type": "string"}},
    Kind.TEXT_OR_TEXTS: {"type": ["array", "string"], "items": {"type": "string"}},
    Kind.ENVIRONMENT: {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
}


def launch_attributes() -> dict[str, Schema]:
    """JSON schemas of the launch fields that people set."""
    fields = options_of(Where.LAUNCH)
    return {name: _attribute(option) for name, option in fields.items() if name not in CLIENT_FIELDS}


def settings() -> dict[str, Schema]:
    """JSON schemas of the settings, by their full names."""
    return {f"adebug.{name}": _setting(option) for name, option in options_of(Where.VSCODE).items()}


def _attribute(option: Option) -> Schema:
    schema = _type(option) | {"description": option.description}
    return schema if option.default is None else schema | {"default": option.default}


def _setting(option: Option) -> Schema:
    schema = _type(option)
    if option.choice_help:
        schema["enumDescriptions"] = list(option.choice_help)
    schema |= {"default": option.setting_default, "scope": option.scope, "markdownDescription": option.description}
    if option.kind is Kind.SECONDS:
        schema |= {"minimum": 0, "markdownDescription": f"{option.description} 0: never."}
    return schema


def _type(option: Option) -> Schema:
    return {**_TYPES[option.kind], **({"enum": list(option.choices)} if option.choices else {})}


def with_options(manifest: str) -> str:
    """Return the manifest with its generated parts up to date and everything else unchanged."""
    for (before, indent), objects in ((_LAUNCH, launch_attributes()), (_SETTINGS, settings())):
        start = manifest.index(before) + len(before)
        _value, length = json.JSONDecoder().raw_decode(manifest[start:])
        manifest = manifest[:start] + _object(objects, indent) + manifest[start + length :]
    return manifest


def _object(objects: dict[str, Schema], indent: int) -> str:
    entries = [f"{' ' * indent}{json.dumps(name)}: {_inline(schema)}" for name, schema in objects.items()]
    return "{\n" + ",\n".join(entries) + f"\n{' ' * (indent - 2)}}}"


def _inline(value: object) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return f"{{ {', '.join(f'{json.dumps(key)}: {_inline(item)}' for key, item in value.items())} }}"


def write(folder: Path) -> None:
    """Rewrite the manifest of a checkout."""
    file = folder / MANIFEST
    file.write_text(with_options(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
