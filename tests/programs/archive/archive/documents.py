"""The archive itself."""

from archive.dates import day_number
from archive.search import index_range


class Archive:
    def __init__(self, entries):
        self.entries = sorted(entries)
        self.days = [day_number(date) for date, _ in self.entries]

    def between(self, first, last):
        start, end = index_range(self.days, day_number(first), day_number(last))
        return [title for _, title in self.entries[start:end]]

    def on(self, date):
        return self.between(date, date)

    def month(self, year, month):
        return self.between(f"{year}-{month:02}-01", f"{year}-{month:02}-30")
