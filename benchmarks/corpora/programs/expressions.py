"""A calculator: scanner, parser by recursive descent, evaluator and printer for arithmetic."""


def scan(text):
    """The tokens of a text."""
    if not text:
        return ()
    if text[0] == " ":
        return scan(text[1:])
    if text[0].isdigit():
        digits = number(text)
        return (digits, *scan(text[len(digits) :]))
    return (text[0], *scan(text[1:]))


def number(text):
    """The digits that a text starts with."""
    if not text or not text[0].isdigit():
        return ""
    return text[0] + number(text[1:])


def parse_sum(tokens):
    """A sum of products, and the tokens after it."""
    left, rest = parse_product(tokens)
    return more_terms(left, rest)


def more_terms(left, tokens):
    """Further terms, which group to the left."""
    if tokens and tokens[0] in "+-":
        right, rest = parse_product(tokens[1:])
        return more_terms((tokens[0], left, right), rest)
    return left, tokens


def parse_product(tokens):
    """A product of factors, and the tokens after it."""
    left, rest = parse_factor(tokens)
    return more_factors(left, rest)


def more_factors(left, tokens):
    """Further factors, which group to the left."""
    if tokens and tokens[0] in "*/":
        right, rest = parse_factor(tokens[1:])
        return more_factors((tokens[0], left, right), rest)
    return left, tokens


def parse_factor(tokens):
    """A number, a negated factor or a sum in parentheses, and the tokens after it."""
    if not tokens:
        raise SyntaxError("unfinished")
    if tokens[0] == "-":
        inner, rest = parse_factor(tokens[1:])
        return ("-", 0, inner), rest
    if tokens[0] == "(":
        inner, rest = parse_sum(tokens[1:])
        return inner, rest[1:]
    return int(tokens[0]), tokens[1:]


def apply(operator, left, right):
    """The value of one operation; division rounds down."""
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    return left // right


def evaluate(tree):
    """The value of a parsed expression."""
    if isinstance(tree, int):
        return tree
    operator, left, right = tree
    return apply(operator, evaluate(left), evaluate(right))


def calculate(text):
    """The value of an expression."""
    tree, rest = parse_sum(scan(text))
    if rest:
        raise SyntaxError("unexpected " + rest[0])
    return evaluate(tree)


def simplify(tree):
    """The same expression without additions of 0 and multiplications by 0 and 1."""
    if isinstance(tree, int):
        return tree
    operator, left, right = tree[0], simplify(tree[1]), simplify(tree[2])
    if operator == "+" and left == 0:
        return right
    if operator in "+-" and right == 0:
        return left
    if operator == "*" and (left == 0 or right == 0):
        return 0
    if operator == "*" and left == 1:
        return right
    if operator in "*/" and right == 1:
        return left
    return operator, left, right


def show(tree):
    """The expression as text, with all parentheses."""
    if isinstance(tree, int):
        return str(tree)
    operator, left, right = tree
    return "(" + show(left) + operator + show(right) + ")"


def tidy(text):
    """A simplified expression and its value."""
    tree = simplify(parse_sum(scan(text))[0])
    return show(tree), evaluate(tree)


INPUTS = [
    ("calculate", "2+3*4"),
    ("calculate", "10 - 4 - 3"),
    ("calculate", "-(7 + 12) * 2 + 81 / (3 + 6)"),
    ("tidy", "1*(4 + 0*17) - 0 + 3*(2*5 + 1/1)"),
    ("tidy", "(1 + 2 * (3 - 4) * 0 + 5) * (60 / 7 + 8 * 9) - (10 - (11 - (12 + 1 * 13))) / 2 + 14 * 15"),
    ("calculate", "((3 + 4) * (5 - 6) + 70) / (8 - 3) - 2 * (9 - (4 - 1) * (2 + 2)) + 100 / 9 / 2"),
]
