"""A vending machine whose coin slots are callbacks."""


def coin_slots(amounts):
    """One callback for each kind of coin; calling it gives the coin's worth."""
    makers = []
    for amount in amounts:
        makers.append(lambda: amount)
    return makers


class Machine:
    def __init__(self, price, amounts):
        self.price = price
        self.paid = 0
        self.slots = dict(zip(amounts, coin_slots(amounts)))

    def insert(self, coin):
        self.paid += self.slots[coin]()

    def is_paid(self):
        return self.paid >= self.price

    def change(self):
        return self.paid - self.price


def buy(price, coins):
    machine = Machine(price, (10, 20, 50, 100, 200))
    used = 0
    for coin in coins:
        if machine.is_paid():
            break
        machine.insert(coin)
        used += 1
    return used, machine.change()


def main():
    print(buy(120, [50, 50, 10, 20, 100]))
    print(buy(80, [100]))
    print(buy(250, [200, 20, 20, 10]))


if __name__ == "__main__":
    main()
