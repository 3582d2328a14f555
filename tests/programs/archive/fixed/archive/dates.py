"""Dates as numbers of days, in a calendar of twelve months of thirty days."""


def day_number(text):
    year, month, day = (int(part) for part in text.split("-"))
    return (year * 12 + month - 1) * 30 + day - 1


def days_between(first, last):
    return day_number(last) - day_number(first)
