"""Letters of one issue."""

from mailing.select import by_domain, interested, read


def greeting(member):
    return f"Dear {member.name},"


def letters(text, wanted):
    return {member.address: greeting(member) for member in interested(read(text), set(wanted))}


def batches(text, wanted):
    """Names by mail server, so that each server is called once."""
    return by_domain(interested(read(text), set(wanted)))
