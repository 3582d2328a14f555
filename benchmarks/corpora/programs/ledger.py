"""A bank's monthly report. Entries are (day, account, kind, cents); kinds are "in", "out" and "fee"."""

ACCOUNTS = (("A1", "Ames"), ("B2", "Boyd"), ("C3", "Cole"))
FREE = 2
FEE = 35


def day(entry):
    """The day of an entry."""
    return entry[0]


def belongs(entry, account):
    """Whether an entry is about an account."""
    return entry[1] == account


def signed(entry):
    """What an entry adds to the balance."""
    _, _, kind, cents = entry
    if kind == "in":
        return cents
    return -cents


def of_account(entries, account):
    """The entries about an account."""
    if not entries:
        return ()
    if belongs(entries[0], account):
        return (entries[0], *of_account(entries[1:], account))
    return of_account(entries[1:], account)


def until(entries, last):
    """The entries up to a day."""
    return tuple(entry for entry in entries if day(entry) <= last)


def balance(entries, start):
    """The balance after some entries."""
    if not entries:
        return start
    return balance(entries[1:], start + signed(entries[0]))


def lowest(entries, start):
    """The least balance on the way."""
    if not entries:
        return start
    after = start + signed(entries[0])
    return min(start, lowest(entries[1:], after))


def withdrawals(entries):
    """How many entries take money out."""
    if not entries:
        return 0
    if entries[0][2] == "out":
        return 1 + withdrawals(entries[1:])
    return withdrawals(entries[1:])


def fee(entries):
    """What the withdrawals of a month cost: some are free."""
    count = withdrawals(entries)
    if count <= FREE:
        return 0
    return (count - FREE) * FEE


def interest(cents, per_mille):
    """Interest, rounded down; none on a debt."""
    if cents <= 0:
        return 0
    return cents * per_mille // 1000


def penalty(entries):
    """What it costs to have been below zero."""
    under = lowest(entries, 0)
    if under >= 0:
        return 0
    return 500 + interest(-under, 20)


def closing(entries):
    """The balance at the end of the month, after fees and interest."""
    plain = balance(entries, 0)
    return plain - fee(entries) - penalty(entries) + interest(plain, 5)


def money(cents):
    """An amount as text."""
    if cents < 0:
        return "-" + money(-cents)
    return str(cents // 100) + "." + pad(cents % 100)


def pad(number):
    """Two digits."""
    if number < 10:
        return "0" + str(number)
    return str(number)


def right(text, wide):
    """A text moved to the right."""
    if len(text) >= wide:
        return text
    return right(" " + text, wide)


def row(account, owner, entries):
    """One line of the report."""
    own = of_account(entries, account)
    return owner + right(money(balance(until(own, 15), 0)), 10) + right(money(closing(own)), 10)


def total(accounts, entries):
    """All closing balances together."""
    if not accounts:
        return 0
    return closing(of_account(entries, accounts[0][0])) + total(accounts[1:], entries)


def report(entries):
    """All lines, and the total."""
    lines = tuple(row(account, owner, entries) for account, owner in ACCOUNTS)
    return (*lines, "Sum " + right(money(total(ACCOUNTS, entries)), 20))


INPUTS = [
    ("closing", ((1, "A1", "in", 10000), (9, "A1", "out", 2550), (20, "A1", "fee", 120))),
    (
        "report",
        (
            (1, "A1", "in", 50000), (2, "B2", "in", 12000), (5, "A1", "out", 7525), (9, "B2", "out", 15000),
            (15, "C3", "in", 99), (16, "A1", "out", 1000), (21, "B2", "in", 4005), (28, "A1", "out", 2000),
        ),
    ),
    (
        "report",
        (
            (3, "C3", "out", 700), (4, "A1", "in", 2008), (4, "C3", "in", 650), (8, "B2", "in", 30303),
            (11, "B2", "out", 101), (12, "B2", "out", 202), (13, "B2", "out", 303), (15, "B2", "out", 404),
            (17, "A1", "fee", 2), (25, "C3", "in", 51), (29, "A1", "out", 6), (30, "B2", "fee", 1000),
        ),
    ),
]  # fmt: skip
