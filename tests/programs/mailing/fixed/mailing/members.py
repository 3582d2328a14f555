"""Members of the mailing list."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    name: str
    address: str
    topics: frozenset
    active: bool = True


def parse_member(line):
    """Read `name <address> topic,topic`, with a leading minus for those who left."""
    active = not line.startswith("-")
    name, rest = line.lstrip("-").split("<")
    address, topics = rest.split(">")
    return Member(name.strip(), address, frozenset(topics.strip().split(",")), active)
