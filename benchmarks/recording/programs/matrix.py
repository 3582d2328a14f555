"""Matrix multiplication and elimination with nested loops over lists of lists."""


def identity_like(size):
    return [[1.0 if row == column else (row * column % 7) / 10 for column in range(size)] for row in range(size)]


def multiply(left, right):
    size = len(left)
    product = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(size):
            total = 0.0
            for step in range(size):
                total += left[row][step] * right[step][column]
            product[row][column] = total
    return product


def determinant(matrix):
    rows = [row[:] for row in matrix]
    result = 1.0
    for pivot in range(len(rows)):
        best = max(range(pivot, len(rows)), key=lambda row: abs(rows[row][pivot]))
        if rows[best][pivot] == 0:
            return 0.0
        if best != pivot:
            rows[best], rows[pivot] = rows[pivot], rows[best]
            result = -result
        result *= rows[pivot][pivot]
        for row in range(pivot + 1, len(rows)):
            factor = rows[row][pivot] / rows[pivot][pivot]
            for column in range(pivot, len(rows)):
                rows[row][column] -= factor * rows[pivot][column]
    return result


def main(size):
    matrix = identity_like(size)
    product = multiply(matrix, matrix)
    return round(sum(map(sum, product)), 3), f"{determinant(matrix):.6e}"
