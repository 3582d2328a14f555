"""Custom requests and events of adebug in DAP. Generated from `adebug.schema.json`; do not edit."""

from typing import Literal, TypedDict


class Nothing(TypedDict):
    """An object without properties."""


class Position(TypedDict):
    """A position as in LSP: counted from 0, characters in UTF-16 code units."""

    line: int
    character: int


class Range(TypedDict):
    """A range as in LSP: the end is exclusive."""

    start: "Position"
    end: "Position"


class _Place(TypedDict):
    """Required properties of Place."""

    path: str
    range: "Range"


class Place(_Place, total=False):
    """A source range."""

    text: str


class _Question(TypedDict):
    """Required properties of Question."""

    type: Literal["question"]
    version: int
    id: int
    node: str
    kind: Literal["routine", "loop", "range", "iteration", "block", "statement", "expression"]
    callable: str
    text: str
    path: str | None
    range: "Range | None"
    before: dict[str, str]
    after: dict[str, str]
    result: str | None
    raised: str | None
    presentation: "Presentation"
    projection: list["Place"]
    remaining: int
    answers: list[str]


class Question(_Question, total=False):
    """Is this what the code should have done? As in the JSON protocol of the terminal."""

    default: str
    coarse: str


class Presentation(TypedDict):
    """The question as it is shown to a person."""

    asked: str
    prompt: str
    rows: list["Row"]
    called: "CallSite | None"


class Row(TypedDict):
    """An input, a change, a result, an effect, or what followed from a condition."""

    section: Literal["given", "changed", "unchanged", "result", "raised", "effect", "consequence"]
    label: str
    name: str
    text: str
    line: str
    lines: list[str]
    address: str
    markable: bool
    in_headline: bool


class CallSite(TypedDict):
    """Where the routine was called."""

    path: str
    range: "Range"
    text: str
    routine: str


class _Verdict(TypedDict):
    """Required properties of Verdict."""

    type: Literal["verdict"]
    version: int
    kind: Literal["expression", "statement", "routine", "inadmissible", "candidates", "none"]
    callable: str
    buggy: list["Place"]
    questions: int
    asked: int
    explanation: str


class Verdict(_Verdict, total=False):
    """How the search ended. As in the JSON protocol of the terminal."""

    left_out: int


class State(TypedDict):
    """The state of the session: a question, or a verdict."""

    question: "Question | None"
    verdict: "Verdict | None"
    messages: list[str]


class _AnswerArguments(TypedDict):
    """Required properties of AnswerArguments."""

    answer: str


class AnswerArguments(_AnswerArguments, total=False):
    """An answer."""

    mark: str
    expected: str
    rule: str
    id: int
    node: str


class UndoArguments(TypedDict, total=False):
    """Undo or redo."""

    redo: bool


class Why(TypedDict):
    """Why a question is asked, and how many candidates each answer would leave."""

    because: str
    candidates: int
    yesLeaves: int
    noLeaves: int
    questionsLeft: int
    text: str


class _MarkArguments(TypedDict):
    """Required properties of MarkArguments."""

    place: str


class MarkArguments(_MarkArguments, total=False):
    """The part of the behaviour that is wrong."""

    id: int
    node: str
    frameId: int
    restIsRight: bool


class _PlaceArguments(TypedDict):
    """Required properties of PlaceArguments."""

    place: str


class PlaceArguments(_PlaceArguments, total=False):
    """A part of the behaviour."""

    id: int
    node: str
    frameId: int


class Track(TypedDict):
    """Where a part came from."""

    address: str
    text: str
    certainty: str | None
    stages: list["Stage"]


class Stage(TypedDict):
    """Where a value was made, or how it was handed on."""

    text: str
    place: "Place | None"


class History(TypedDict):
    """The writes of one place."""

    address: str
    writes: list["Write"]
    before: str


class Write(TypedDict):
    """One write."""

    text: str
    routine: str
    value: str
    place: "Place | None"


class _SliceArguments(TypedDict):
    """Required properties of SliceArguments."""

    place: str


class SliceArguments(_SliceArguments, total=False):
    """A part of the behaviour, and which way to follow it."""

    forward: bool
    id: int
    node: str
    frameId: int


class Slice(TypedDict):
    """A slice of the run."""

    address: str
    files: list["SliceFile"]
    outside: list["Place"]
    steps: list["SliceStep"]
    next: int | None
    followed: int | None


class SliceFile(TypedDict):
    """The lines of a file that are in a slice."""

    path: str
    lines: list[int]


class SliceStep(TypedDict):
    """One executed statement."""

    place: "Place"
    certainty: str


class NodeArguments(TypedDict, total=False):
    """A node of the execution tree."""

    node: str
    frameId: int


class ChildrenArguments(TypedDict, total=False):
    """A page of children."""

    node: str
    start: int
    count: int


class TreeNode(TypedDict):
    """A node of the execution tree."""

    node: str
    text: str
    kind: str
    state: Literal["undefined", "correct", "wrong", "unknown", "inadmissible", "trusted"]
    asked: bool
    expandable: bool
    path: str | None
    range: "Range | None"


class Children(TypedDict):
    """A page of children."""

    node: "TreeNode"
    children: list["TreeNode"]
    total: int


class Projection(TypedDict):
    """The code of a node."""

    node: str
    projection: list["Place"]
    code: list["Place"]


class Path(TypedDict):
    """A path in the execution tree."""

    path: list["TreeNode"]


class Diagram(TypedDict):
    """A diagram in two forms; both are empty for a program without processes."""

    lines: list[str]
    svg: str


class Session(TypedDict):
    """A stored session."""

    session: str | None
    recording: str
    test: str
    strategy: str
    granularity: Literal["routine", "statement", "expression"]
    strategies: list[str]


class ZoomArguments(TypedDict, total=False):
    """The granularity of questions."""

    granularity: Literal["routine", "statement", "expression"]


class StrategyArguments(TypedDict):
    """A strategy."""

    strategy: str


class Verified(TypedDict):
    """The result of comparing the answers with a new run."""

    holds: bool
    lines: list[str]
