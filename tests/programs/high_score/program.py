"""A dart game that keeps streaks of good throws in closures: three in a row earn a bonus."""

THROWS = {
    "Uma": [20, 5, 1, 20, 20, 20, 3],
    "Vic": [20, 20, 1, 20, 5, 20],
    "Wes": [20, 20, 20, 20, 1, 20, 20],
}


def is_good(points):
    return points >= 15


def make_counter():
    """Two functions that share a streak: one throw was good, one was not."""
    streak = 0

    def good():
        nonlocal streak
        streak += 1
        return 25 if streak % 3 == 0 else 0

    def lost():
        streak = 0
        return streak

    return good, lost


def score(throws):
    good, lost = make_counter()
    total = 0
    for points in throws:
        bonus = good() if is_good(points) else lost()
        total += points + bonus
    return total


def champion(scores):
    return max(scores, key=scores.get)


def main():
    scores = {player: score(throws) for player, throws in THROWS.items()}
    print(scores)
    print("champion:", champion(scores))


if __name__ == "__main__":
    main()
