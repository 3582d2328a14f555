"""Waiting tasks: the smallest priority number first, equal ones in order of arrival."""

import heapq


class TaskQueue:
    def __init__(self):
        self._heap = []
        self._count = 0

    def __len__(self):
        return len(self._heap)

    def push(self, task):
        self._count += 1
        heapq.heappush(self._heap, (task.name, task.priority, self._count, task))

    def pop(self):
        return heapq.heappop(self._heap)[-1]
