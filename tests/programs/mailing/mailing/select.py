"""Who gets an issue."""

from mailing.members import parse_member


def read(text):
    return [parse_member(line) for line in text.splitlines() if line.strip()]


def interested(members, wanted):
    return [member for member in members if member.active and all(topic in wanted for topic in member.topics)]


def by_domain(members):
    groups = {}
    for member in members:
        groups.setdefault(member.address.split("@")[1], []).append(member.name)
    return groups
