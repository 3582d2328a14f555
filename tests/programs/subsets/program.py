"""All ways to fill a knapsack exactly, by trying each item in turn."""


class Knapsack:
    def __init__(self, weights):
        self.weights = weights
        self.found = []

    def note(self, chosen):
        found = self.found
        found.append(chosen)

    def fill(self, index, room, chosen):
        if room == 0:
            self.note(chosen)
            return
        if index == len(self.weights) or room < 0:
            return
        weight = self.weights[index]
        chosen.append(weight)
        self.fill(index + 1, room - weight, chosen)
        chosen.pop()
        self.fill(index + 1, room, chosen)

    def solve(self, room):
        self.found = []
        self.fill(0, room, [])
        return self.found


def shortest(solutions):
    return min(solutions, key=len, default=None)


def main():
    knapsack = Knapsack([8, 5, 3, 2, 7, 4, 1])
    solutions = knapsack.solve(15)
    print(len(solutions), "solutions")
    for solution in solutions:
        print(solution)
    print("shortest:", shortest(solutions))


if __name__ == "__main__":
    main()
