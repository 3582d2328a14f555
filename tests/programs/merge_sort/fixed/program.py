"""Merge sort of names without regard to upper and lower case."""


def key(name):
    return name.lower()


def merge(left, right):
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if key(left[i]) <= key(right[j]):
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + left[i:] + right[j:]


def halves(names):
    middle = len(names) // 2
    return names[:middle], names[middle:]


def merge_sort(names):
    if len(names) <= 1:
        return names
    left, right = halves(names)
    return merge(merge_sort(left), merge_sort(right))


def main():
    names = "pine Oak elm birch Ash maple larch Yew alder beech".split()
    ordered = merge_sort(names)
    print(len(ordered), *ordered)


if __name__ == "__main__":
    main()
