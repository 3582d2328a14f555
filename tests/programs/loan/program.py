"""Monthly payments of a loan, and how the debt shrinks."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def rounded(amount):
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def growth(rate, months):
    """By which factor a debt grows in some months without payment."""
    return 1 + rate / 12**months


def payment(debt, rate, months):
    factor = growth(rate, months)
    return rounded(debt * (rate / 12) * factor / (factor - 1))


def next_debt(debt, rate, paid):
    return rounded(debt + debt * rate / 12 - paid)


def schedule(debt, rate, months):
    paid = payment(debt, rate, months)
    debts = [debt]
    for _ in range(months):
        debts.append(next_debt(debts[-1], rate, paid))
    return paid, debts


def main():
    paid, debts = schedule(Decimal(6000), Decimal("0.06"), 24)
    print("payment", paid)
    print("after a year", debts[12])
    print("settled" if abs(debts[-1]) < 1 else "not settled")


if __name__ == "__main__":
    main()
