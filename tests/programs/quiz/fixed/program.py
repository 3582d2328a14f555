"""Marks a quiz: points for each pupil and the questions that were missed."""

KEY = {"q1": "b", "q2": "d", "q3": "a", "q4": "c", "q5": "b"}


def is_right(question, answer):
    return KEY[question] == answer


def grade(answers, missed=None):
    missed = [] if missed is None else missed
    """The number of right answers, and the questions missed, after those missed before."""
    points = 0
    for question, answer in answers.items():
        if is_right(question, answer):
            points += 1
        else:
            missed.append(question)
    return points, missed


def answers_of(letters):
    return dict(zip(KEY, letters))


def sheet(name, letters):
    points, missed = grade(answers_of(letters))
    return f"{name}: {points} of {len(KEY)}, missed {', '.join(missed) or 'nothing'}"


def main():
    print(sheet("Kim", "bdacb"))
    print(sheet("Lou", "bdbcb"))
    print(sheet("Mia", "cdacb"))
    print(sheet("Noa", "bdaca"))


if __name__ == "__main__":
    main()
