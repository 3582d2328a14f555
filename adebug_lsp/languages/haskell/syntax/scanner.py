"""Splits Haskell source into tokens, each with its offsets, its column and whether it is the first on its line."""

import re
from collections.abc import Iterator

from lark import Token

from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

KEYWORDS = frozenset(
    [
        "case",
        "class",
        "data",
        "deriving",
        "do",
        "else",
        "if",
        "import",
        "in",
        "infix",
        "infixl",
        "infixr",
        "instance",
        "let",
        "module",
        "newtype",
        "of",
        "then",
        "type",
        "where",
    ]
)
UNSUPPORTED = {"default": "default declarations", "foreign": "foreign declarations"}
RESERVED_OPERATORS = {
    "..": "DOTDOT",
    ":": "COLON",
    "::": "DCOLON",
    "=": "EQUALS",
    "\\": "BACKSLASH",
    "|": "BAR",
    "<-": "LARROW",
    "->": "RARROW",
    "@": "AT",
    "~": "TILDE",
    "=>": "DARROW",
    "-": "MINUS",
}
_SPECIAL = {
    "(": "LPAREN",
    ")": "RPAREN",
    "[": "LBRACK",
    "]": "RBRACK",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ";": "SEMI",
    "`": "BACKQUOTE",
}
_ASCII_NAMES = (
    r"NUL|SOH|STX|ETX|EOT|ENQ|ACK|BEL|BS|HT|LF|VT|FF|CR|SO|SI|DLE|DC[1-4]|NAK|SYN|ETB|CAN|EM|SUB|ESC|FS|GS|RS|US|SP|DEL"
)
_ESCAPE = rf"\\(?:[abfnrtv\\\"'&]|\^[A-Z@\[\\\]^_]|\d+|o[0-7]+|x[0-9A-Fa-f]+|{_ASCII_NAMES})"
_SYMBOL = r"[!#$%&*+./<=>?@\\^|\-~:]|[^\x00-\x7f\w\s(),;\[\]`{}_\"']"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\n\f\v]+)
  | (?P<comment>--+(?!{_SYMBOL})[^\n]*)
  | (?P<block>\{{-)
  | (?P<FLOAT>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
  | (?P<INTEGER>0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+)
  | (?P<name>(?:[A-Z][\w']*\.)*(?:[^\W\d][\w']*))
  | (?P<CHAR>'(?:[^'\\\n]|{_ESCAPE})')
  | (?P<STRING>"(?:[^"\\\n]|{_ESCAPE}|\\[ \t\r\n\f\v]+\\)*")
  | (?P<special>[()\[\]{{}},;`])
  | (?P<symbol>(?:{_SYMBOL})+)
    """,
    re.VERBOSE,
)
_QUALIFIED_SYMBOL = re.compile(rf"(?:[A-Z][\w']*\.)+((?:{_SYMBOL})+)")
_ASCII = [
    "NUL",
    "SOH",
    "STX",
    "ETX",
    "EOT",
    "ENQ",
    "ACK",
    "BEL",
    "BS",
    "HT",
    "LF",
    "VT",
    "FF",
    "CR",
    "SO",
    "SI",
    "DLE",
    "DC1",
    "DC2",
    "DC3",
    "DC4",
    "NAK",
    "SYN",
    "ETB",
    "CAN",
    "EM",
    "SUB",
    "ESC",
    "FS",
    "GS",
    "RS",
    "US",
    "SP",
]
_CONTROL = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))


def scan(text: str) -> Iterator[Token]:
    """The tokens of a text; `line` and `column` count from 0, and a tab goes to the next multiple of eight."""
    position, line, line_start, previous_end = 0, 0, 0, -1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise HaskellSyntaxError(_unexpected(text, position), position, position + 1)
        kind, end = match.lastgroup or "", match.end()
        if kind == "block":
            end = _end_of_comment(text, position)
        elif kind not in ("space", "comment"):
            token = _token(kind, match, text, previous_end)
            token.line, token.column = line, _column(text, line_start, position)
            previous_end = end = token.end_pos or end
            yield token
        newline = text.rfind("\n", position, end)
        if newline >= 0:
            line, line_start = line + text.count("\n", position, end), newline + 1
        position = end


def _token(kind: str, match: "re.Match[str]", text: str, previous_end: int) -> Token:
    start, word, end = match.start(), match[0], match.end()
    if kind == "name":
        qualified = _QUALIFIED_SYMBOL.match(text, start)
        if qualified is not None and qualified.end() > end:  # `Map.!`, and also the `.` of `Just.f`, as in GHC
            symbol = qualified[1]
            word, end = qualified[0], qualified.end()
            kind = "QCONSYM" if symbol.startswith(":") else "QVARSYM"
        else:
            kind = _name_kind(word, start, end)
    elif kind == "special":
        kind = _SPECIAL[word]
    elif kind == "symbol":
        kind = _symbol_kind(word, text, start, end, previous_end)
    return Token(kind, word, start_pos=start, end_pos=end)


def _name_kind(word: str, start: int, end: int) -> str:
    """The kind of a name: a keyword, or a variable or constructor, perhaps qualified."""
    if word in KEYWORDS:
        return word.upper()
    if word == "_":
        return "UNDERSCORE"
    if word in UNSUPPORTED:
        raise HaskellSyntaxError(f"{UNSUPPORTED[word]} are not supported; remove it", start, end)
    qualifier, _, last = word.rpartition(".")
    kind = "CONID" if last[0].isupper() else "VARID"
    return f"Q{kind}" if qualifier else kind


def _symbol_kind(word: str, text: str, start: int, end: int, previous_end: int) -> str:
    following = text[end : end + 1]
    if word == "!" and previous_end != start and (following.isalnum() or following in ("(", "[", "_")):
        return "BANG"  # a strict pattern or field: space before it and none behind, as in GHC
    if word in RESERVED_OPERATORS:
        return RESERVED_OPERATORS[word]
    return "CONSYM" if word.startswith(":") else "VARSYM"


def _column(text: str, line_start: int, position: int) -> int:
    if "\t" not in text[line_start:position]:
        return position - line_start
    return len(text[line_start:position].expandtabs(8))


def _end_of_comment(text: str, start: int) -> int:
    depth = 0
    for match in re.compile(r"\{-|-\}").finditer(text, start):
        depth += 1 if match[0] == "{-" else -1
        if depth == 0:
            return match.end()
    raise HaskellSyntaxError("this comment does not end; close it with -}", start, start + 2)


def _unexpected(text: str, position: int) -> str:
    if text[position] == '"':
        return "this string does not end on its line; close it with a quote"
    if text[position] == "'":
        return "not a character; write one character between quotes, such as 'a' or '\\n'"
    return f"unexpected character {text[position]!r}"


def unescape(body: str) -> str:
    """The text that the inside of a string or character literal denotes."""
    if "\\" not in body:
        return body
    return re.sub(rf"{_ESCAPE}|\\[ \t\r\n\f\v]+\\", lambda match: _escaped(match[0][1:]), body)


def _escaped(code: str) -> str:
    if code[0] == "&" or code[0].isspace():
        return ""
    if code in _CONTROL:
        return _CONTROL[code]
    if code[0] == "^":
        return chr(ord(code[1]) - 64)
    if code[0].isdigit():
        return chr(int(code))
    if code[0] in "ox" and len(code) > 1:
        return chr(int(code[1:], 8 if code[0] == "o" else 16))
    if code == "DEL":
        return "\x7f"
    return chr(_ASCII.index(code)) if code in _ASCII else code
