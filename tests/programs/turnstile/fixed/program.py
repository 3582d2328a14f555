"""A turnstile as a state machine: coins open it, a push goes through, a forced push sounds the alarm."""

from enum import Enum

TRANSITIONS = {
    ("locked", "coin"): "open",
    ("locked", "push"): "alarm",
    ("open", "coin"): "open",
    ("open", "push"): "locked",
    ("alarm", "coin"): "alarm",
    ("alarm", "push"): "alarm",
    ("alarm", "reset"): "locked",
}


class Light(Enum):
    GREEN = "open"
    RED = "locked"
    FLASHING = "alarm"


class Turnstile:
    def __init__(self):
        self.state = "locked"
        self.passed = 0
        self.coins = 0

    def handle(self, event):
        if event == "coin":
            self.coins += 1
        if event == "push" and self.state == "open":
            self.passed += 1
        self.state = TRANSITIONS.get((self.state, event), self.state)

    def light(self):
        return Light(self.state)


def simulate(events):
    gate = Turnstile()
    lights = []
    for event in events:
        gate.handle(event)
        lights.append(gate.light().name)
    return gate, lights


def main():
    events = "coin push coin coin push push reset coin push".split()
    gate, lights = simulate(events)
    print(" ".join(lights))
    print(gate.passed, "passed,", gate.coins, "coins")


if __name__ == "__main__":
    main()
