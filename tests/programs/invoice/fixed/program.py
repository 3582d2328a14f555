"""Invoices in cents: lines, a discount for regular customers, then tax."""

REGULAR = {"Ada", "Grace"}
TAX = 19


def line_amount(line):
    name, quantity, price = line
    return quantity * price


def net_amount(lines):
    return sum(line_amount(line) for line in lines)


def discount(net, customer):
    if customer in REGULAR and net >= 10_000:
        return net * 3 // 100
    return 0


def payable(net, customer):
    return net - discount(net, customer)


def with_tax(amount):
    return amount + amount * TAX // 100


def invoice(customer, lines):
    net = net_amount(lines)
    return {"customer": customer, "net": net, "gross": with_tax(payable(net, customer))}


def main():
    lines = [("cable", 12, 450), ("lamp", 2, 3999), ("fuse", 100, 25)]
    for customer in ("Ada", "Linus"):
        print(invoice(customer, lines))
    print(invoice("Grace", lines[:1]))


if __name__ == "__main__":
    main()
