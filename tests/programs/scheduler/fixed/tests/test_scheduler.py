import pytest

from scheduler.queue import TaskQueue
from scheduler.runner import run
from scheduler.tasks import Task, parse_task


def test_a_task_is_read_from_a_line():
    assert parse_task("build 4 2 fetch lint") == Task("build", 4, 2, ["fetch", "lint"])


def test_an_empty_queue_has_no_length():
    assert len(TaskQueue()) == 0


def test_what_goes_in_comes_out():
    queue = TaskQueue()
    task = Task("only", 1)
    queue.push(task)
    assert queue.pop() is task


def test_times_add_up():
    assert run(["a 3 1", "b 2 1", "c 4 1"]) == [("a", 3), ("b", 5), ("c", 9)]


def test_needs_come_before():
    assert [name for name, _ in run(["app 1 1 base", "base 1 2"])] == ["base", "app"]


def test_urgent_tasks_run_first():
    lines = ["clean 2 9", "fetch 5 2", "deploy 1 4 build", "build 6 3 fetch", "alert 1 1", "audit 2 8"]
    assert [name for name, _ in run(lines)] == ["alert", "fetch", "build", "deploy", "audit", "clean"]


def test_a_circle_is_refused():
    with pytest.raises(ValueError, match="wait for each other"):
        run(["a 1 1 b", "b 1 1 a"])
