"""Roads between places; every road leads both ways."""


class Network:
    def __init__(self):
        self.roads = {}

    def add(self, a, b, length):
        self.roads.setdefault(a, {})[b] = length
        self.roads.setdefault(b, {})[a] = length

    def from_place(self, place):
        return sorted(self.roads.get(place, {}).items())


def read_network(text):
    network = Network()
    for line in text.splitlines():
        if line:
            a, b, length = line.split()
            network.add(a, b, int(length))
    return network
