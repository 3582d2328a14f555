"""The best streak of daily changes: the consecutive days with the greatest sum."""

HISTORY = {
    "copper": [3, -4, 5, 1, -2, 6, -9, 4],
    "tin": [-5, -2, -8, -3, -7],
    "zinc": [-1, 2, -3, 4, -1, 2, 1, -5, 4],
}


def extend(running, change):
    """The best sum that ends today: go on, or start anew."""
    return max(running + change, change)


def best_sum(changes):
    best = changes[0]
    running = changes[0]
    for change in changes[1:]:
        running = extend(running, change)
        if running > best:
            best = running
    return best


def rating(total):
    if total < 0:
        return "falling"
    return "steady" if total < 6 else "rising"


def overview(history):
    result = {}
    for metal, changes in history.items():
        total = best_sum(changes)
        result[metal] = (total, rating(total))
    return result


if __name__ == "__main__":
    for metal, (total, word) in overview(HISTORY).items():
        print(f"{metal:<7}{total:>4}  {word}")
