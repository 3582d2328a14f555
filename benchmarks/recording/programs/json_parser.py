"""A recursive-descent parser of JSON: methods that look at one character at a time."""

WHITE = " \t\n\r"
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
WORDS = {"true": True, "false": False, "null": None}


class Parser:
    """Reads one document from a text; `place` is the next character to look at."""

    def __init__(self, text):
        self.text = text
        self.place = 0

    def skip(self):
        while self.place < len(self.text) and self.text[self.place] in WHITE:
            self.place += 1

    def expect(self, character):
        self.skip()
        if self.text[self.place] != character:
            raise ValueError(f"{character!r} expected at {self.place}")
        self.place += 1

    def peek(self):
        self.skip()
        return self.text[self.place]

    def value(self):
        first = self.peek()
        if first == "{":
            return self.object()
        if first == "[":
            return self.array()
        if first == '"':
            return self.string()
        if first in "-0123456789":
            return self.number()
        return self.word()

    def object(self):
        found = {}
        self.expect("{")
        while self.peek() != "}":
            key = self.string()
            self.expect(":")
            found[key] = self.value()
            if self.peek() == ",":
                self.place += 1
        self.expect("}")
        return found

    def array(self):
        found = []
        self.expect("[")
        while self.peek() != "]":
            found.append(self.value())
            if self.peek() == ",":
                self.place += 1
        self.expect("]")
        return found

    def string(self):
        self.expect('"')
        parts = []
        while (character := self.text[self.place]) != '"':
            if character == "\\":
                self.place += 1
                character = ESCAPES[self.text[self.place]]
            parts.append(character)
            self.place += 1
        self.place += 1
        return "".join(parts)

    def number(self):
        start = self.place
        while self.place < len(self.text) and self.text[self.place] in "+-.eE0123456789":
            self.place += 1
        text = self.text[start : self.place]
        return float(text) if "." in text else int(text)

    def word(self):
        for word, meaning in WORDS.items():
            if self.text.startswith(word, self.place):
                self.place += len(word)
                return meaning
        raise ValueError(f"no value at {self.place}")


def document(count):
    row = '{"id": %d, "name": "item\\t%d", "tags": ["a", "b", null, true], "price": %d.25, "in": {"x": [1, 2, [3]]}}'
    return "[" + ", ".join(row % (number, number, number) for number in range(count)) + "]"


def main(size):
    found = Parser(document(size)).value()
    return len(found), sum(item["price"] for item in found), found[-1]["name"]
