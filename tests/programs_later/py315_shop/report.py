"""Lines of a report."""


def line(customer, amount, missing):
    return f"{customer}: {amount / 100:.2f}" + (f" without {', '.join(missing)}" if missing else "")
