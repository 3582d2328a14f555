"""Quicksort in place, on numbers from a small generator."""


def numbers(count, seed=12345):
    values = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        values.append(seed // 65536 % 100)
    return values


def swap(items, i, j):
    items[i], items[j] = items[j], items[i]


def partition(items, low, high):
    """Move what is not above the pivot, items[high], in front of it; return where the pivot ends up."""
    pivot = items[high]
    border = low
    for i in range(low, high):
        if items[i] <= pivot:
            swap(items, i, border)
            border += 1
    swap(items, border, high)
    return border


def quicksort(items, low, high):
    if low < high:
        middle = partition(items, low, high)
        quicksort(items, low, middle - 1)
        quicksort(items, middle + 1, high)


def sort(items):
    quicksort(items, 0, len(items) - 1)


def main():
    items = numbers(40)
    sort(items)
    print(items)


if __name__ == "__main__":
    main()
