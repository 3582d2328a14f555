"""Transfers between accounts; no money may appear or vanish."""


class NotEnoughError(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        if amount > self.balance:
            raise NotEnoughError(self.owner)
        self.balance -= amount


def transfer(source, target, amount):
    """Move an amount; False if there is not enough."""
    try:
        source.withdraw(amount)
    except NotEnoughError:
        pass
    target.deposit(amount)
    return True


def run(accounts, orders):
    return [transfer(accounts[a], accounts[b], amount) for a, b, amount in orders]


def total(accounts):
    return sum(account.balance for account in accounts.values())


def main():
    accounts = {name: Account(name, balance) for name, balance in (("rent", 500), ("food", 120), ("fun", 40))}
    orders = [("rent", "food", 200), ("fun", "rent", 60), ("food", "fun", 20), ("rent", "fun", 300)]
    print(run(accounts, orders))
    print({name: account.balance for name, account in accounts.items()}, total(accounts))


if __name__ == "__main__":
    main()
