"""A discrete event simulation with classes, a heap of its own and a queue: a shop with tills."""


class Event:
    """Something that happens at a time; the earlier one is smaller."""

    def __init__(self, time, number, action, customer):
        self.time = time
        self.number = number
        self.action = action
        self.customer = customer

    def before(self, other):
        return (self.time, self.number) < (other.time, other.number)


class Agenda:
    """A binary heap of events, written out here so that it is recorded too."""

    def __init__(self):
        self.events = []

    def push(self, event):
        events = self.events
        events.append(event)
        place = len(events) - 1
        while place:
            above = (place - 1) // 2
            if not events[place].before(events[above]):
                break
            events[place], events[above] = events[above], events[place]
            place = above

    def pop(self):
        events = self.events
        last = events.pop()
        if not events:
            return last
        first, events[0] = events[0], last
        place = 0
        while (child := 2 * place + 1) < len(events):
            if child + 1 < len(events) and events[child + 1].before(events[child]):
                child += 1
            if not events[child].before(events[place]):
                break
            events[place], events[child] = events[child], events[place]
            place = child
        return first


class Customer:
    def __init__(self, arrived, items):
        self.arrived = arrived
        self.items = items
        self.waited = None


class Shop:
    """Customers arrive, queue, are served by one of a few tills, and leave."""

    def __init__(self, tills, customers):
        self.agenda = Agenda()
        self.free = tills
        self.queue = []
        self.left = customers
        self.seed = 7
        self.number = 0
        self.now = 0
        self.served = []

    def random(self, limit):
        self.seed = (self.seed * 69069 + 1) % 4294967296
        return (self.seed >> 8) % limit

    def plan(self, delay, action, customer):
        self.number += 1
        self.agenda.push(Event(self.now + delay, self.number, action, customer))

    def arrive(self, customer):
        self.queue.append(customer)
        self.left -= 1
        if self.left > 0:
            self.plan(1 + self.random(5), "arrive", Customer(self.now, 1 + self.random(9)))
        self.serve()

    def serve(self):
        while self.free and self.queue:
            customer = self.queue.pop(0)
            customer.waited = self.now - customer.arrived
            self.free -= 1
            self.plan(2 * customer.items, "leave", customer)

    def leave(self, customer):
        self.free += 1
        self.served.append(customer)
        self.serve()

    def run(self):
        self.plan(0, "arrive", Customer(0, 1))
        while self.agenda.events:
            event = self.agenda.pop()
            self.now = event.time
            getattr(self, event.action)(event.customer)
        return len(self.served), self.now, sum(customer.waited for customer in self.served)


def main(size):
    return Shop(4, size).run()
