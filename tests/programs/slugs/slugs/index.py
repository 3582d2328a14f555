"""Finds titles by their words."""

from slugs.normal import normal
from slugs.slug import unique_slug, words


class Index:
    def __init__(self):
        self.titles = {}
        self.entries = {}

    def add(self, title):
        address = unique_slug(title, self.titles)
        self.titles[address] = title
        for word in words(title):
            self.entries.setdefault(normal(word), set()).add(address)
        return address

    def find(self, query):
        """The titles that hold all words of the query, in order of their addresses."""
        hits = [self.entries.get(normal(word), set()) for word in words(query)]
        if not hits:
            return []
        return [self.titles[address] for address in sorted(set.intersection(*hits))]
