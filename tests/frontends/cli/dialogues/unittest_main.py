# adebug run; answers: yes
"""A program that runs its own tests with unittest."""

import unittest


def initials(name: str) -> str:
    return "".join(word[0] for word in name.split("-"))


class TestInitials(unittest.TestCase):
    def test_two_words(self) -> None:
        self.assertEqual(initials("Ada Lovelace"), "AL")


if __name__ == "__main__":
    unittest.main()
