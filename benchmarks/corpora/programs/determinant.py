"""Matrices as tuples of rows: determinant by cofactors, product, transpose, inverse times determinant."""


def without(row, column):
    """A row without one of its entries."""
    return row[:column] + row[column + 1 :]


def minor(matrix, line, column):
    """The matrix without a row and a column."""
    rows = matrix[:line] + matrix[line + 1 :]
    return tuple(without(row, column) for row in rows)


def sign(line, column):
    """The sign of a cofactor."""
    if (line + column) % 2 == 0:
        return 1
    return -1


def determinant(matrix):
    """By expansion along the first row."""
    if len(matrix) == 1:
        return matrix[0][0]
    return expand(matrix, 0)


def expand(matrix, column):
    """The part of the expansion from one column on."""
    if column == len(matrix):
        return 0
    return matrix[0][column] * cofactor(matrix, 0, column) + expand(matrix, column + 1)


def cofactor(matrix, line, column):
    """The signed determinant of a minor."""
    return sign(line, column) * determinant(minor(matrix, line, column))


def transpose(matrix):
    """Rows become columns."""
    if not matrix[0]:
        return ()
    return (tuple(row[0] for row in matrix), *transpose(tuple(row[1:] for row in matrix)))


def adjugate(matrix):
    """The transpose of the matrix of cofactors."""
    size = range(len(matrix))
    return transpose(tuple(tuple(cofactor(matrix, line, column) for column in size) for line in size))


def dot(left, right):
    """The scalar product."""
    if not left:
        return 0
    return left[0] * right[0] + dot(left[1:], right[1:])


def product(left, right):
    """The product of two matrices."""
    columns = transpose(right)
    return tuple(tuple(dot(row, column) for column in columns) for row in left)


INPUTS = [
    ("determinant", ((3, 8), (4, 6))),
    ("determinant", ((6, 1, 1), (4, -2, 5), (2, 8, 7))),
    ("product", ((1, 2), (3, 4)), ((0, 5), (6, 7))),
    ("adjugate", ((2, 0, 1), (1, 3, 2), (1, 1, 4))),
    ("determinant", ((1, 2, 0, 3), (4, 1, 2, 1), (0, 5, 3, 2), (2, 1, 4, 6))),
    ("determinant", ((2, 1, 0, 3, 1), (1, 4, 2, 0, 5), (0, 3, 1, 2, 2), (6, 1, 1, 0, 4), (3, 2, 5, 1, 0))),
]
