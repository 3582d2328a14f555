"""Views into buffers: what is looked at through one cannot be resized until nobody has the view any more."""

import array
import io


def by_name(data):
    view = memoryview(data)
    view[0] = 7
    size = len(view)
    del view
    data.append(size)
    return data


def unnamed(data):
    data.extend([sum(memoryview(data))])
    return data


def second(view):
    part = view[1:]
    return part[0]


def handed_on(data):
    found = second(memoryview(data))
    data += bytes([found])
    return data


def in_a_with(data):
    with memoryview(data) as view:
        first = view[0]
    data.insert(0, first)
    return data


def of_a_file():
    file = io.BytesIO(b"abc")
    view = file.getbuffer()
    view[0] = 65
    del view
    file.write(b"x" * 10)
    return file.getvalue()


def held(data):
    view = memoryview(data)
    try:
        data.append(1)
    except BufferError as error:
        return type(error), bytes(view)


def of_an_array():
    numbers = array.array("i", [1, 2])
    memoryview(numbers)[0] = 5
    numbers.append(3)
    return numbers


for use in (by_name, unnamed, handed_on, in_a_with, held):
    print(use.__name__, use(bytearray(b"\1\2\3")))
print(of_a_file(), of_an_array())

data = bytearray(b"abc")
view = memoryview(data)
print(view[1])
del view
data.append(4)
print(data, sum(memoryview(data)))
data.append(5)
print(data)
