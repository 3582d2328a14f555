"""Passwords are accepted if every rule accepts them."""


def long_enough(word):
    return len(word) >= 8


def has_digit(word):
    return any(letter.isdigit() for letter in word)


def has_both_cases(word):
    return word.lower() != word and word.upper() != word


def not_repeated(word):
    return all(a != b for a, b in zip(word, word[1:]))


RULES = [long_enough, has_digit, has_both_cases, not_repeated]


def accepted(word, rules=RULES):
    """Does every rule accept the word?"""
    for rule in rules:
        if not rule(word):
            return False
        return True


def advice(word):
    return [rule.__name__ for rule in RULES if not rule(word)]


def judge(words):
    return {word: "good" if accepted(word) else "bad" for word in words}


def main():
    words = ["Tr1cycle", "bicycle", "unicycles", "Wheel77x", "c4R"]
    for word, verdict in judge(words).items():
        print(f"{word:<10} {verdict:<5} {' '.join(advice(word))}")


if __name__ == "__main__":
    main()
