"""What can be scheduled."""

from dataclasses import dataclass, field


@dataclass
class Task:
    name: str
    cost: int
    priority: int = 5
    needs: list = field(default_factory=list)


def parse_task(line):
    """Read `name cost priority [needed names...]`."""
    name, cost, priority, *needs = line.split()
    return Task(name, int(cost), int(priority), needs)
