"""School marks: averages rounded to halves, and the order of merit."""

GRADES = {
    "Iris": [1, 2, 2, 3],
    "Jon": [2, 2, 3, 2, 1, 3, 2],
    "Kirk": [4, 3, 5, 3],
    "Lea": [1, 1, 2, 1],
}


def average(grades):
    return sum(grades) / len(grades)


def to_half(value):
    return round(value * 2) / 2


def mark(grades):
    return to_half(average(grades))


def certificate(name, grades):
    value = mark(grades)
    passed = "passed" if value <= 4 else "failed"
    return f"{name}: {value:.1f} {passed}"


def merit(classroom):
    return sorted(classroom, key=lambda name: (average(classroom[name]), name))


def main():
    for name in merit(GRADES):
        print(certificate(name, GRADES[name]))


if __name__ == "__main__":
    main()
