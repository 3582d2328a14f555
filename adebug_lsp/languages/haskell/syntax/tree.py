"""The syntax tree of a module as written: operators flat, patterns as expressions, every node with its span."""

from attrs import define, field

Span = tuple[int, int]
"""Offsets of the first character and behind the last one."""


@define(eq=False)
class Node:
    """A node with a place in the text."""

    span: Span


# Types


@define(eq=False)
class TypeName(Node):
    """A type constructor; `->`, `[]`, `()` and `(,)` are constructors too."""

    name: str


@define(eq=False)
class TypeVariable(Node):
    name: str


@define(eq=False)
class TypeApplication(Node):
    function: "Type"
    argument: "Type"


Type = TypeName | TypeVariable | TypeApplication


@define(eq=False)
class Qualified(Node):
    """A type with its context: `(Eq a, Show a) => a -> String`."""

    context: list[tuple[str, "Type", Span]]
    type: Type


# Expressions, and patterns in the form of expressions


@define(eq=False)
class Var(Node):
    name: str


@define(eq=False)
class Con(Node):
    name: str


@define(eq=False)
class Literal(Node):
    kind: str
    """`int`, `frac`, `char` or `string`."""
    value: int | float | str


@define(eq=False)
class Apply(Node):
    function: "Expression"
    arguments: list["Expression"]


@define(eq=False)
class Infix(Node):
    """Alternating operands and operators, before fixities are known; an operand can be a `Negation`."""

    items: list["Expression"]


@define(eq=False)
class Negation(Node):
    operand: "Expression"


@define(eq=False)
class Lambda(Node):
    parameters: list["Expression"]
    body: "Expression"


@define(eq=False)
class Let(Node):
    declarations: list["Declaration"]
    body: "Expression"


@define(eq=False)
class If(Node):
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


@define(eq=False)
class Case(Node):
    scrutinee: "Expression"
    alternatives: list["Alternative"]


@define(eq=False)
class Alternative(Node):
    pattern: "Expression"
    rhs: "Rhs"


@define(eq=False)
class Do(Node):
    statements: list["Statement"]


@define(eq=False)
class Parenthesised(Node):
    inner: "Expression"


@define(eq=False)
class Tuple(Node):
    items: list["Expression"]


@define(eq=False)
class List(Node):
    items: list["Expression"]


@define(eq=False)
class EnumRange(Node):
    first: "Expression"
    second: "Expression | None"
    last: "Expression | None"


@define(eq=False)
class Comprehension(Node):
    item: "Expression"
    statements: list["Statement"]


@define(eq=False)
class LeftSection(Node):
    """`(x +)`"""

    operand: "Expression"
    operator: "Expression"


@define(eq=False)
class RightSection(Node):
    """`(+ x)`"""

    operator: "Expression"
    operand: "Expression"


@define(eq=False)
class Annotation(Node):
    expression: "Expression"
    type: Qualified


@define(eq=False)
class Wildcard(Node):
    pass


@define(eq=False)
class AsPattern(Node):
    name: str
    name_span: Span
    pattern: "Expression"


@define(eq=False)
class LazyPattern(Node):
    pattern: "Expression"


@define(eq=False)
class BangPattern(Node):
    pattern: "Expression"


@define(eq=False)
class Record(Node):
    """Construction, update or pattern: `P { x = 1 }`."""

    head: "Expression"
    fields: list[tuple[str, "Expression"]]


Expression = (
    Var
    | Con
    | Literal
    | Apply
    | Infix
    | Negation
    | Lambda
    | Let
    | If
    | Case
    | Do
    | Parenthesised
    | Tuple
    | List
    | EnumRange
    | Comprehension
    | LeftSection
    | RightSection
    | Annotation
    | Wildcard
    | AsPattern
    | LazyPattern
    | BangPattern
    | Record
)


@define(eq=False)
class Generator(Node):
    """`pattern <- expression`"""

    pattern: Expression
    expression: Expression


@define(eq=False)
class Condition(Node):
    """A statement, guard or filter that is an expression."""

    expression: Expression


@define(eq=False)
class LetStatement(Node):
    declarations: list["Declaration"]


Statement = Generator | Condition | LetStatement


@define(eq=False)
class Guarded(Node):
    """One `| guards = body`; a plain right-hand side has no guards."""

    guards: list[Statement]
    body: Expression


@define(eq=False)
class Rhs(Node):
    branches: list[Guarded]
    declarations: list["Declaration"]
    """The declarations of its `where`."""


# Declarations


@define(eq=False)
class Equation(Node):
    left: Expression
    rhs: Rhs


@define(eq=False)
class Signature(Node):
    names: list[tuple[str, Span]]
    type: Qualified


@define(eq=False)
class Fixity(Node):
    associativity: str
    """`infixl`, `infixr` or `infix`."""
    precedence: int
    operators: list[str]


@define(eq=False)
class Constructor(Node):
    name: str
    fields: list[Type]
    labels: list[str] = field(factory=list)
    strict: list[bool] = field(factory=list)


@define(eq=False)
class Data(Node):
    """`data` and `newtype`."""

    name: str
    parameters: list[str]
    constructors: list[Constructor]
    deriving: list[tuple[str, Span]]
    is_newtype: bool


@define(eq=False)
class Synonym(Node):
    name: str
    parameters: list[str]
    type: Type


@define(eq=False)
class Class(Node):
    context: list[tuple[str, Type, Span]]
    name: str
    variable: str
    declarations: list["Declaration"]


@define(eq=False)
class Instance(Node):
    context: list[tuple[str, Type, Span]]
    name: str
    type: Type
    declarations: list["Declaration"]


@define(eq=False)
class Import(Node):
    module: str
    qualified: bool
    alias: str | None
    hiding: bool
    names: list[tuple[str, list[str] | None]] | None
    """Imported names, each with its constructors or methods (None for none, `..` for all); None imports everything."""


Declaration = Equation | Signature | Fixity | Data | Synonym | Class | Instance | Import


@define(eq=False)
class Module:
    name: str
    exports: list[tuple[str, list[str] | None]] | None
    declarations: list[Declaration]
