"""Rain water tanks that fill up and overflow into the next one."""


class Tank:
    def __init__(self, name, capacity):
        self.name = name
        self.capacity = capacity
        self._litres = 0

    @property
    def litres(self):
        return self._litres

    @litres.setter
    def litres(self, amount):
        self._litres = max(0, min(amount, self.capacity))

    @property
    def level(self):
        """How full the tank is, from 0 to 1."""
        return self._litres / self.capacity

    def pour(self, amount):
        """Take what fits and give back the rest."""
        before = self.litres
        self.litres = before + amount
        return amount - (self.litres - before)


def rain(tanks, amount):
    for tank in tanks:
        amount = tank.pour(amount)
    return amount


def gauge(tank):
    bars = round(tank.level * 10)
    return f"{tank.name:<6}[{'#' * bars:<10}]"


def main():
    tanks = [Tank("roof", 200), Tank("yard", 500), Tank("cellar", 1000)]
    lost = sum(rain(tanks, amount) for amount in (120, 260, 90, 0, 410))
    for tank in tanks:
        print(gauge(tank), tank.litres)
    print("lost", lost)


if __name__ == "__main__":
    main()
