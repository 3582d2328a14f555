"""Who has which room when."""

from rooms.slots import slot


class TakenError(Exception):
    pass


class Plan:
    def __init__(self):
        self.bookings = []

    def conflicts(self, room, span):
        return [who for who, other, taken in self.bookings if other == room and taken.overlaps(span)]

    def book(self, who, room, span):
        clash = self.conflicts(room, span)
        if clash:
            raise TakenError(f"{room} is taken by {clash[0]}")
        self.bookings.append((who, room, span))

    def batch(self):
        return Batch(self)

    def restore(self, saved):
        self.bookings = saved


class Batch:
    """Bookings within the block are undone if it raises."""

    def __init__(self, plan):
        self._plan = plan
        self._saved = []

    def __enter__(self):
        self._saved = list(self._plan.bookings)
        return self._plan

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self._plan.restore(self._plan.bookings)
        return False


def book_all(plan, lines):
    """Book lines of the form `who room from-to`, all or none of them; returns whether it worked."""
    try:
        with plan.batch():
            for line in lines:
                who, room, span = line.split()
                plan.book(who, room, slot(span))
    except TakenError:
        return False
    return True
