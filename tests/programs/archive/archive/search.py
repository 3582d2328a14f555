"""Binary search in sorted numbers."""


def first_at_least(numbers, wanted):
    """The index of the first number that is not below the wanted one; the length if there is none."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < wanted:
            low = middle + 2
        else:
            high = middle
    return low


def index_range(numbers, first, last):
    """Start and end of the numbers between first and last, both included."""
    return first_at_least(numbers, first), first_at_least(numbers, last + 1)
