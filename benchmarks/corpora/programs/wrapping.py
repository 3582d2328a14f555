"""Fills paragraphs: words, lines, justified and centred text."""


def words(text):
    """The words of a text."""
    return split(text, "")


def split(text, word):
    """The words of a text, the first of which has begun."""
    if not text:
        return flush(word)
    if text[0] == " ":
        return flush(word) + split(text[1:], "")
    return split(text[1:], word + text[0])


def flush(word):
    """A word as a tuple, without empty ones."""
    if word:
        return (word,)
    return ()


def width(line):
    """How wide a line is, with single blanks."""
    if not line:
        return 0
    return sum(len(word) for word in line) + len(line) - 1


def fits(line, word, limit):
    """Whether a word can be added to a line."""
    return width((*line, word)) <= limit


def fill(rest, line, limit):
    """The words as lines; the first line has begun."""
    if not rest:
        return (line,) if line else ()
    if not line or fits(line, rest[0], limit):
        return fill(rest[1:], (*line, rest[0]), limit)
    return (line, *fill(rest, (), limit))


def gaps(line, blanks, number):
    """The words from one on, each after its share of the blanks."""
    if not line:
        return ""
    share = blanks // number
    if blanks % number:
        share = share + 1
    return " " * share + line[0] + gaps(line[1:], blanks - share, max(1, number - 1))


def justify(line, limit):
    """A line as wide as the limit."""
    if len(line) == 1:
        return line[0]
    blanks = limit - sum(len(word) for word in line)
    return line[0] + gaps(line[1:], blanks, len(line) - 1)


def centre(line, limit):
    """A line in the middle of the limit."""
    text = " ".join(line)
    return " " * ((limit - len(text)) // 2) + text


def lines(filled, limit):
    """All lines justified but the last."""
    if len(filled) <= 1:
        return tuple(" ".join(line) for line in filled)
    return (justify(filled[0], limit), *lines(filled[1:], limit))


def paragraph(text, limit):
    """A text as justified lines."""
    return "|".join(lines(fill(words(text), (), limit), limit))


def title(text, limit):
    """A text as centred lines."""
    return "|".join(centre(line, limit) for line in fill(words(text), (), limit))


INPUTS = [
    ("paragraph", "to be or not", 7),
    ("title", "on the nature of things", 10),
    ("paragraph", "the cat sat on a wide mat and saw the rat run", 13),
    ("paragraph", "it was a bright cold day in april and the clocks were striking thirteen as he slipped in", 24),
    ("title", "a very long title that has to be broken into several lines", 16),
]
