"""A list sorted in place: few calls, many item writes to one long list."""


def numbers(count, seed=42):
    found = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2147483648
        found.append(seed)
    return found


def partition(items, low, high):
    pivot = items[(low + high) // 2]
    left, right = low, high
    while left <= right:
        while items[left] < pivot:
            left += 1
        while items[right] > pivot:
            right -= 1
        if left <= right:
            items[left], items[right] = items[right], items[left]
            left += 1
            right -= 1
    return left, right


def quicksort(items, low, high):
    while low < high:
        left, right = partition(items, low, high)
        if right - low < high - left:
            quicksort(items, low, right)
            low = left
        else:
            quicksort(items, left, high)
            high = right


def main(size):
    items = numbers(size)
    quicksort(items, 0, len(items) - 1)
    return items[0], items[size // 2], items[-1]
