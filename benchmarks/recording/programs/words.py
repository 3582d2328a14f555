"""String processing: split, clean, count and rank words, with methods of str and dicts of counts."""

TEXT = """The quick brown fox jumps over the lazy dog. It was, they said, a bright cold day in April; and the
clocks were striking thirteen! "Who is there?" asked the watchman -- nobody answered him. Call me by my name, said
the fox: I have been called worse, and by better dogs than you."""


def clean(word):
    return "".join(letter for letter in word.lower() if letter.isalpha())


def words_of(text):
    found = []
    for line in text.splitlines():
        for word in line.split():
            cleaned = clean(word)
            if cleaned:
                found.append(cleaned)
    return found


def stem(word):
    for ending in ("ing", "ed", "ly", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


def count(words):
    counts = {}
    for word in words:
        key = stem(word)
        counts[key] = counts.get(key, 0) + 1
    return counts


def caesar(text, shift):
    coded = []
    for letter in text:
        if letter.isascii() and letter.isalpha():
            base = ord("a") if letter.islower() else ord("A")
            coded.append(chr((ord(letter) - base + shift) % 26 + base))
        else:
            coded.append(letter)
    return "".join(coded)


def main(size):
    totals = {}
    for step in range(size):
        for word, times in count(words_of(caesar(TEXT, step % 26))).items():
            totals[word] = totals.get(word, 0) + times
    ranked = sorted(totals.items(), key=lambda entry: (-entry[1], entry[0]))
    return ranked[:3]
