"""A tiny spreadsheet: numbers as text, sums of rows and columns, and a check of the two."""

SHEET = """\
12, 7, 30
 4, , 16
 9, 21, 5
"""


def cell(text):
    text = text.strip()
    return int(text) if text else 0


def parse(sheet):
    return [[cell(part) for part in line.split(",")] for line in sheet.splitlines()]


def row_sums(rows):
    sums = []
    total = 0
    for row in rows:
        for number in row:
            total += number
        sums.append(total)
    return sums


def column_sums(rows):
    return [sum(column) for column in zip(*rows)]


def framed(rows):
    """The rows, each with its sum, and a last row of sums."""
    result = [[*row, total] for row, total in zip(rows, row_sums(rows))]
    result.append([*column_sums(rows), sum(row_sums(rows))])
    return result


def main():
    for row in framed(parse(SHEET)):
        print(" ".join(f"{number:>4}" for number in row))


if __name__ == "__main__":
    main()
