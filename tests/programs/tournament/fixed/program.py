"""A knock-out tournament: strength decides, and the table shows how many rounds each player won."""

STRENGTH = {"Ana": 71, "Ben": 64, "Cem": 88, "Dora": 90, "Eli": 55, "Fay": 82, "Gus": 60, "Hal": 77}


def winner(a, b):
    return a if STRENGTH[a] >= STRENGTH[b] else b


def play_round(players):
    """The winners of one round; the first plays against the last, and so on."""
    waiting = list(players)
    winners = []
    while len(waiting) > 1:
        first = waiting.pop(0)
        last = waiting.pop()
        winners.append(winner(first, last))
    return winners + waiting


def tournament(players):
    rounds = [players]
    while len(rounds[-1]) > 1:
        rounds.append(play_round(rounds[-1]))
    return rounds


def table(rounds):
    wins = {}
    for number, players in enumerate(rounds):
        for player in players:
            wins[player] = number
    return sorted(wins.items(), key=lambda entry: (-entry[1], entry[0]))


def main():
    rounds = tournament(sorted(STRENGTH))
    for player, won in table(rounds):
        print(f"{player:5}{won}")


if __name__ == "__main__":
    main()
