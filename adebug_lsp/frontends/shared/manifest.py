"""Generates parts of the extension for VS Code: from the declared options, and from the languages' descriptors.

They are the launch attributes, settings and languages in `package.json`, and the documents of the language server.
`python -m adebug_lsp.frontends.shared.manifest FOLDER` writes them into a checkout of this project.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from adebug_lsp.frontends.shared.options import CLIENT_FIELDS, Kind, Option, Where, options_of
from adebug_lsp.languages.builtin import BUILTIN_LANGUAGES
from adebug_lsp.languages.descriptor import LanguageDescriptor

MANIFEST = "editor/vscode/package.json"
DOCUMENTS = "editor/vscode/src/documents.ts"
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
    if option.kind is Kind.CHOICES:
        return {"type": "array", "items": {"type": "string", "enum": list(option.choices)}}
    return {**_TYPES[option.kind], **({"enum": list(option.choices)} if option.choices else {})}


def with_languages(manifest: str, languages: Sequence[LanguageDescriptor] = BUILTIN_LANGUAGES) -> str:
    """The manifest with its languages as they should be: activation, breakpoints, debugger, conditions of menus."""
    names = [name for language in languages for name in language.editor_languages]
    contributed: list[Schema] = [
        {"id": name, "aliases": [language.name.capitalize()], "extensions": list(language.editor_suffixes)}
        for language in languages
        if language.editor_suffixes
        for name in language.editor_languages
    ]
    for before, after in (
        (r'(    "onLanguage:\w+",\n)+', "".join(f'    "onLanguage:{name}",\n' for name in names)),
        (r'"languages": \[\{.*\}\]', f'"languages": [{", ".join(map(_inline, contributed))}]'),
        (r'"breakpoints": \[.*\]', f'"breakpoints": [{", ".join(_inline({"language": name}) for name in names)}]'),
        (r'"languages": \[".*"\]', f'"languages": {json.dumps(names)}'),
    ):
        manifest, count = re.subn(before, after.replace("\\", r"\\"), manifest)
        if count != 1:
            raise ValueError(f"{MANIFEST}: {before} occurs {count} times")
    condition = r"\b(editorLangId|debugStartLanguage) == \w+(?: \|\| \1 == \w+)*"
    return re.sub(condition, lambda match: " || ".join(f"{match[1]} == {name}" for name in names), manifest)


def documents(languages: Sequence[LanguageDescriptor] = BUILTIN_LANGUAGES) -> str:
    """The module of the extension that says which documents are of our languages."""
    names = ", ".join(f"'{name}'" for language in languages for name in language.editor_languages)
    selectors = [selector for language in languages for selector in _selectors(language)]
    return "\n".join(
        [
            "// The documents of the languages. Generated from their descriptors; do not edit.",
            "",
            "/** Language identifiers of the documents that adebug can run. */",
            f"export const LANGUAGES = [{names}];",
            "",
            "/** Documents of the language server; by suffix where extensions may name the language differently. */",
            "export const DOCUMENTS = [",
            *(f"  {{ scheme: 'file', {selector} }}," for selector in selectors),
            "];",
            "",
        ]
    )


def _selectors(language: LanguageDescriptor) -> list[str]:
    if language.editor_suffixes:
        return [f"pattern: '**/*.{{{','.join(suffix.lstrip('.') for suffix in language.editor_suffixes)}}}'"]
    return [f"language: '{name}'" for name in language.editor_languages]


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
    """Rewrite the generated parts in a checkout."""
    file = folder / MANIFEST
    file.write_text(with_languages(with_options(file.read_text(encoding="utf-8"))), encoding="utf-8")
    (folder / DOCUMENTS).write_text(documents(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
