"""Lines of a fixed width."""

WIDTH = 24


def line(left, right):
    gap = WIDTH - len(left) - len(right)
    return f"{left}{'.' * gap}{right}"


def rule():
    return "=" * WIDTH
