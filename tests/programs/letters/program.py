"""Which words are anagrams of each other, and which letters are the most frequent."""

TEXT = "listen silent enlist google elbow below bowel state taste night thing stare"


def count_letters(word):
    counts = {}
    for letter in word:
        counts[letter] = counts.get(letter, 1) + 1
    return counts


def signature(word):
    return tuple(sorted(count_letters(word).items()))


def anagrams(words):
    groups = {}
    for word in words:
        groups.setdefault(signature(word), []).append(word)
    return [group for group in groups.values() if len(group) > 1]


def add(total, counts):
    for letter, count in counts.items():
        total[letter] = total.get(letter, 0) + count


def frequencies(words):
    total = {}
    for word in words:
        add(total, count_letters(word))
    return sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))


def main():
    words = TEXT.split()
    print(anagrams(words))
    print(frequencies(words)[:6])


if __name__ == "__main__":
    main()
