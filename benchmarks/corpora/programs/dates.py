"""Dates as (year, month, day): arithmetic, weekdays and a calendar page."""

LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def is_leap(year):
    """Whether a year has 366 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def year_length(year):
    """The days of a year."""
    if is_leap(year):
        return 366
    return 365


def month_length(year, month):
    """The days of a month."""
    if month == 2 and is_leap(year):
        return 29
    return LENGTHS[month - 1]


def days_before_month(year, month):
    """The days of a year before a month."""
    if month == 1:
        return 0
    return days_before_month(year, month - 1) + month_length(year, month - 1)


def day_of_year(date):
    """The number of a day in its year, from 1."""
    year, month, day = date
    return days_before_month(year, month) + day


def days_before_year(year):
    """The days before a year, since the year 1990."""
    if year == 1990:
        return 0
    return days_before_year(year - 1) + year_length(year - 1)


def number(date):
    """The days from the first of January 1990."""
    return days_before_year(date[0]) + day_of_year(date) - 1


def days_between(start, end):
    """How many days lie between two dates."""
    return number(end) - number(start)


def weekday(date):
    """The name of the day; the count starts on a Monday."""
    return NAMES[number(date) % 7]


def next_month(year, month):
    """The month after, and its year."""
    if month == 12:
        return year + 1, 1
    return year, month + 1


def add_days(date, count):
    """The date so many days later."""
    year, month, day = date
    left = month_length(year, month) - day
    if count <= left:
        return year, month, day + count
    later_year, later_month = next_month(year, month)
    return add_days((later_year, later_month, 1), count - left - 1)


def is_workday(date):
    """Whether a date is not on a weekend."""
    return weekday(date) not in ("Sat", "Sun")


def workdays(start, count):
    """How many of the days from a date on are workdays."""
    if count == 0:
        return 0
    rest = workdays(add_days(start, 1), count - 1)
    if is_workday(start):
        return rest + 1
    return rest


def deadline(start, days):
    """The date when so many workdays have passed."""
    if days == 0:
        return start
    later = add_days(start, 1)
    if is_workday(later):
        return deadline(later, days - 1)
    return deadline(later, days)


INPUTS = [
    ("days_between", (1996, 2, 27), (1996, 3, 2)),
    ("weekday", (2000, 7, 4)),
    ("add_days", (1999, 11, 20), 120),
    ("workdays", (1992, 2, 26), 9),
    ("deadline", (2004, 12, 29), 5),
    ("workdays", (1999, 12, 20), 20),
    ("days_between", (1991, 5, 17), (2003, 10, 9)),
]
