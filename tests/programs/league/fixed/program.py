"""A league table: points first, then goals, then the name."""

from dataclasses import dataclass

RESULTS = [
    ("Owls", "Bears", 2, 1),
    ("Cats", "Owls", 0, 0),
    ("Bears", "Cats", 7, 0),
    ("Bears", "Owls", 0, 1),
    ("Owls", "Cats", 1, 1),
    ("Cats", "Bears", 1, 0),
]


@dataclass
class Team:
    name: str
    points: int = 0
    goals: int = 0

    def count(self, scored, conceded):
        self.goals += scored
        self.points += points_for(scored, conceded)


def points_for(scored, conceded):
    if scored > conceded:
        return 3
    return 1 if scored == conceded else 0


def rank(team):
    return (-team.points, -team.goals, team.name)


def table(results):
    teams = {}
    for home, guest, home_goals, guest_goals in results:
        teams.setdefault(home, Team(home)).count(home_goals, guest_goals)
        teams.setdefault(guest, Team(guest)).count(guest_goals, home_goals)
    return sorted(teams.values(), key=rank)


if __name__ == "__main__":
    for place, team in enumerate(table(RESULTS), 1):
        print(place, team.name, team.points, team.goals)
