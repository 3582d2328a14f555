"""Runs tasks; a task whose needs are not done yet is put back behind the others."""

from scheduler.queue import TaskQueue
from scheduler.tasks import parse_task


def is_ready(task, done):
    return all(name in done for name in task.needs)


def take_ready(queue, done):
    """The first task that can run; those before it go back into the queue."""
    blocked = []
    ready = None
    while len(queue) and ready is None:
        task = queue.pop()
        if is_ready(task, done):
            ready = task
        else:
            blocked.append(task)
    for task in blocked:
        queue.push(task)
    return ready


def run(lines):
    """The names in the order they ran, with the time each one ended."""
    queue = TaskQueue()
    for line in lines:
        queue.push(parse_task(line))
    clock = 0
    done = {}
    while len(queue):
        task = take_ready(queue, done)
        if task is None:
            raise ValueError("tasks wait for each other")
        clock += task.cost
        done[task.name] = clock
    return list(done.items())
