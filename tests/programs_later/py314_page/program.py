"""Renders pages from template strings; what comes from users must be escaped."""

from dataclasses import dataclass, field
from html import escape
from string.templatelib import Interpolation, Template, convert


@dataclass
class Entry:
    author: Person
    text: str
    replies: list[Entry] = field(default_factory=list)


@dataclass
class Person:
    name: str
    score: float = 0.0


def filled(part: Interpolation) -> str:
    value = part.value
    if isinstance(value, Template):
        return render(value)
    if isinstance(value, list):
        return "".join(render(one) for one in value)
    text = format(convert(value, part.conversion), part.format_spec)
    return text if part.conversion else escape(text)


def render(template: Template) -> str:
    return "".join(part if isinstance(part, str) else filled(part) for part in template)


def shown(entry: Entry) -> Template:
    replies = [shown(reply) for reply in entry.replies]
    return t"<p><b>{entry.author.name!s}</b> ({entry.author.score:.1f}): {entry.text}{replies}</p>"


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError, TypeError:
        return 0.0


def main() -> None:
    ann = Person("Ann", number("4.25"))
    bob = Person("<Bob>", number("many"))
    entry = Entry(ann, "1 < 2 & 3", [Entry(bob, "no"), Entry(ann, "yes")])
    print(render(shown(entry)))


main()
