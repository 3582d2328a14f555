"""What 3.12 and later have."""
def name(x):
    print("eval", x)
    return x
class Box[T: (int, str), *Ts, **P](list):
    kind: T
    def put[K](self, item: T, key: K = name("default")) -> "Box[T]":
        return [item, key, K.__name__, T.__name__, self.__class__.__name__, super().__len__()]
    type Alias[Q] = list[Q | T]
    def gen[S](self, n: S):
        for i in range(n):
            yield i, S
print(Box[int]().put(1), Box.__type_params__, Box.put.__type_params__, Box.Alias, Box.Alias.__value__)
print(list(Box().gen(2)))
type Pair[A] = tuple[A, Later]
try:
    Pair.__value__
except NameError as e:
    print(e)
Later = int
print(Pair.__value__, Pair.__type_params__)
def generic[T, U: name("never")](x: T, y: U = name("y")) -> T:
    def inner[V](z: V): return (x, y, z, T, V)
    return inner(3), [f"{x!r:{'>'}{10}} {f"{y + f'{x}'}"}" for _ in "a"]
print(generic("a"), generic.__annotations__)
class Outer:
    x = 1
    y = [x for _ in range(1)] if False else 2
    z = [i for i in range(3) if i]
    def m(self):
        return [__class__.__name__ for _ in range(1)], [super(Outer, self).__init__() for _ in range(1)], [lambda: i for i in range(2)][0]()
print(Outer().m(), Outer.z)
def comp(x):
    x2 = [x for x in range(3)]
    y = [(x, y) for y in x2 if (w := y)]
    try:
        [q for q in [1] if 1 / 0]
    except ZeroDivisionError:
        pass
    return x, y, w
print(comp("x"))
