"""What customers need not pay, in per cent."""

RATES = frozendict(old=10, staff=25)


def reduced(amount, customer):
    rate = RATES.get(customer, 0)
    return amount - amount * rate // 100
