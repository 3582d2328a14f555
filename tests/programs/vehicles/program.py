"""Tolls for vehicles: by wheels, with a rebate for clean ones and a surcharge for trailers."""


class Vehicle:
    def __init__(self, name, price, wheels=4):
        self.name = name
        self.price = price
        self.wheels = wheels

    def toll(self):
        return self.price * self.wheels


class Truck(Vehicle):
    def __init__(self, name, price, wheels, load):
        super().__init__(name, price)
        self.load = load

    def toll(self):
        return super().toll() + 5 * self.load


class CleanMixin:
    def toll(self):
        return super().toll() * 3 // 4


class ElectricTruck(CleanMixin, Truck):
    pass


def fleet():
    return [
        Vehicle("car", 20),
        Vehicle("bike", 20, wheels=2),
        Truck("lorry", 25, 10, 12),
        ElectricTruck("van", 25, 6, 3),
    ]


def collect(vehicles):
    return {vehicle.name: vehicle.toll() for vehicle in vehicles}


def main():
    tolls = collect(fleet())
    print(tolls)
    print(sum(tolls.values()))


if __name__ == "__main__":
    main()
