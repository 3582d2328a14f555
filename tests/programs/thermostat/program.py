"""A heater under a simple controller, simulated minute by minute."""

MIN_POWER = 0.0
MAX_POWER = 2.0


def clamp(value, low, high):
    """The value, moved into the interval."""
    return max(low, min(high, value))


def wanted_power(target, temperature):
    power = 0.5 * (target - temperature)
    return clamp(power, MAX_POWER, MIN_POWER)


class Room:
    def __init__(self, temperature, outside):
        self.temperature = temperature
        self.outside = outside

    def loss(self):
        return 0.02 * (self.temperature - self.outside)

    def step(self, power):
        self.temperature += 0.3 * power - self.loss()


def simulate(room, target, minutes):
    history = []
    for _ in range(minutes):
        room.step(wanted_power(target, room.temperature))
        history.append(round(room.temperature, 2))
    return history


def main():
    history = simulate(Room(15.0, 5.0), 21.0, 120)
    print("after 10 minutes:", history[9])
    print("at the end:", history[-1])
    print("highest:", max(history))


if __name__ == "__main__":
    main()
