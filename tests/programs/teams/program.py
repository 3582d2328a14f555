"""Children are counted off into teams."""


class Team:
    members = []

    def __init__(self, name):
        self.name = name
        self.captain = None

    def add(self, child):
        if self.captain is None:
            self.captain = child
        self.members.append(child)

    def size(self):
        return len(self.members)

    def describe(self):
        return f"{self.name} ({self.captain}): {', '.join(self.members)}"


def make_teams(names):
    return [Team(name) for name in names]


def count_off(children, teams):
    for number, child in enumerate(children):
        teams[number % len(teams)].add(child)


def is_fair(teams):
    sizes = [team.size() for team in teams]
    return max(sizes) - min(sizes) <= 1 and max(sizes) <= 4


def main():
    teams = make_teams(["red", "green", "blue"])
    count_off("Abi Bo Cleo Dan Ed Flo Gil Hana".split(), teams)
    for team in teams:
        print(team.describe())
    print("fair" if is_fair(teams) else "not fair")


if __name__ == "__main__":
    main()
