print("loud is imported")
value = 5


def double(n):
    print("double")
    return 2 * n


class Kind:
    pass
