"""Amounts in cents, as text and back."""


def to_text(amount):
    sign = "-" if amount < 0 else ""
    euros, cents = divmod(abs(amount), 100)
    return f"{sign}{euros}.{cents}"


def to_cents(text):
    euros, _, cents = text.strip().partition(".")
    sign = -1 if euros.startswith("-") else 1
    return sign * (abs(int(euros)) * 100 + int(cents or 0))
