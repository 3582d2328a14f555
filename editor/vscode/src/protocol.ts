// Custom requests and events of adebug in DAP. Generated from adebug.schema.json; do not edit.

/** An object without properties. */
export type Nothing = Record<string, never>;

/** A position as in LSP: counted from 0, characters in UTF-16 code units. */
export interface Position {
  line: number;
  character: number;
}

/** A range as in LSP: the end is exclusive. */
export interface Range {
  start: Position;
  end: Position;
}

/** A source range. */
export interface Place {
  /** relative to the workspace, with forward slashes */
  path: string;
  range: Range;
  /** the source text, in verdicts only */
  text?: string;
}

/** Is this what the code should have done? As in the JSON protocol of the terminal. */
export interface Question {
  type: 'question';
  version: number;
  /** counts the questions of this session from 1 */
  id: number;
  /** the node that is asked about */
  node: string;
  kind: 'routine' | 'loop' | 'range' | 'iteration' | 'block' | 'statement' | 'expression';
  /** module.qualname of the routine that the code belongs to */
  callable: string;
  /** the whole behaviour on one line */
  text: string;
  path: string | null;
  range: Range | null;
  /** names and values */
  before: Record<string, string>;
  /** variables that were written, with their new values */
  after: Record<string, string>;
  result: string | null;
  raised: string | null;
  presentation: Presentation;
  /** the code that ran */
  projection: Place[];
  /** estimated number of questions left */
  remaining: number;
  /** the answers that apply now */
  answers: string[];
  /** the answer given before */
  default?: string;
  /** why this question is less exact than usual */
  coarse?: string;
}

/** The question as it is shown to a person. */
export interface Presentation {
  /** the headline: what ran and, where that is short, what it did */
  asked: string;
  /** what is judged */
  prompt: string;
  /** what there is to look at */
  rows: Row[];
  called: CallSite | null;
}

/** An input, a change, a result, an effect, or what followed from a condition. */
export interface Row {
  section: 'given' | 'changed' | 'unchanged' | 'result' | 'raised' | 'effect' | 'consequence';
  /** the label of the section */
  label: string;
  /** the variable, the part of it, or the kind of the effect */
  name: string;
  /** the value, or the change */
  text: string;
  /** name and text */
  line: string;
  /** text of several lines, as written */
  lines: string[];
  /** names the value in answers and marks; may be empty */
  address: string;
  markable: boolean;
  /** whether the headline shows it already */
  in_headline: boolean;
}

/** Where the routine was called. */
export interface CallSite {
  path: string;
  range: Range;
  /** the statement */
  text: string;
  /** the routine that made the call */
  routine: string;
}

/** How the search ended. As in the JSON protocol of the terminal. */
export interface Verdict {
  type: 'verdict';
  version: number;
  kind: 'expression' | 'statement' | 'routine' | 'inadmissible' | 'candidates' | 'none';
  callable: string;
  /** the wrong code */
  buggy: Place[];
  /** number of questions answered, by anyone */
  questions: number;
  /** number of those answered by the user */
  asked: number;
  explanation: string;
  /** for `candidates`: how many are not listed */
  left_out?: number;
}

/** The state of the session: a question, or a verdict. */
export interface State {
  question: Question | null;
  verdict: Verdict | null;
  /** messages for the user */
  messages: string[];
}

/** An answer. */
export interface AnswerArguments {
  /** yes, no, unknown, inadmissible, trust, ... */
  answer: string;
  /** the part that is wrong, such as result[2] */
  mark?: string;
  /** with no: the intended value */
  expected?: string;
  /** decides all questions about this routine */
  rule?: string;
  /** number of the question; rejected if another one is open. Required if the replay has moved elsewhere */
  id?: number;
  /** the node to judge instead; it must be in the tree being searched */
  node?: string;
}

/** Undo or redo. */
export interface UndoArguments {
  /** redo the step that was undone last */
  redo?: boolean;
}

/** Why a question is asked, and how many candidates each answer would leave. */
export interface Why {
  because: string;
  /** number of nodes that could be the bug */
  candidates: number;
  yesLeaves: number;
  noLeaves: number;
  /** an estimate */
  questionsLeft: number;
  /** all of this as a sentence */
  text: string;
}

/** The part of the behaviour that is wrong. */
export interface MarkArguments {
  /** after.NAME, before.NAME, result or raised, followed by the path to a part, such as [1].name; or call */
  place: string;
  /** number of the question; rejected if another one is open */
  id?: number;
  /** the node that the value belongs to (default: the node of the question) */
  node?: string;
  /** the same, by the stack frame that shows the value */
  frameId?: number;
  /** whether everything except the marked argument is right */
  restIsRight?: boolean;
}

/** A part of the behaviour. */
export interface PlaceArguments {
  /** after.NAME, before.NAME, result or raised, followed by the path to a part, such as [1].name; adebug/track also takes output[3:7], characters of what is shown as printed */
  place: string;
  /** number of the question; rejected if another one is open */
  id?: number;
  /** the node that the value belongs to (default: the node of the question) */
  node?: string;
  /** the same, by the stack frame that shows the value */
  frameId?: number;
}

/** Where a part came from. */
export interface Track {
  address: string;
  /** all of it as the end of a sentence */
  text: string;
  /** exact: the recording shows every step; derived: one follows from a model of a library function or from an equal value; unknown: the way ends at something that is not recorded; null: the language does not say */
  certainty: string | null;
  /** the maker first */
  stages: Stage[];
}

/** Where a value was made, or how it was handed on. */
export interface Stage {
  text: string;
  place: Place | null;
}

/** The writes of one place. */
export interface History {
  address: string;
  /** the newest last, at most 200 */
  writes: Write[];
  /** why no earlier write is listed */
  before: string;
}

/** One write. */
export interface Write {
  /** the statement that wrote it */
  text: string;
  routine: string;
  /** the value afterwards */
  value: string;
  place: Place | null;
}

/** A part of the behaviour, and which way to follow it. */
export interface SliceArguments {
  /** after.NAME, before.NAME, result or raised, followed by the path to a part, such as [1].name */
  place: string;
  /** what depends on the value, instead of what it depends on */
  forward?: boolean;
  /** number of the question; rejected if another one is open */
  id?: number;
  /** the node that the value belongs to (default: the node of the question) */
  node?: string;
  /** the same, by the stack frame that shows the value */
  frameId?: number;
}

/** A slice of the run. */
export interface Slice {
  address: string;
  files: SliceFile[];
  /** code of these files that is not in it */
  outside: Place[];
  /** executed statements, in order */
  steps: SliceStep[];
  /** forward: index of the first step that uses the value; null: none does */
  next: number | null;
  /** how many dependences were followed, if there were more; then all that had run is counted */
  followed: number | null;
}

/** The lines of a file that are in a slice. */
export interface SliceFile {
  /** relative to the workspace, with forward slashes */
  path: string;
  /** counted from 0 */
  lines: number[];
}

/** One executed statement. */
export interface SliceStep {
  place: Place;
  /** exact, derived (most likely) or unknown (perhaps) */
  certainty: string;
}

/** A node of the execution tree. */
export interface NodeArguments {
  /** default: the node of the frame */
  node?: string;
  /** default: the current position of the replay */
  frameId?: number;
}

/** A page of children. */
export interface ChildrenArguments {
  /** default: the root */
  node?: string;
  /** index of the first child on the page (default: 0) */
  start?: number;
  /** maximum number of children (default: 100) */
  count?: number;
}

/** A node of the execution tree. */
export interface TreeNode {
  /** its path of numbers, from the tree of the run inwards */
  node: string;
  text: string;
  kind: string;
  state: 'undefined' | 'correct' | 'wrong' | 'unknown' | 'inadmissible' | 'trusted';
  /** whether the open question is about it */
  asked: boolean;
  /** whether it may have children */
  expandable: boolean;
  path: string | null;
  range: Range | null;
}

/** A page of children. */
export interface Children {
  node: TreeNode;
  children: TreeNode[];
  total: number;
}

/** The code of a node. */
export interface Projection {
  node: string;
  /** the code that ran and was needed */
  projection: Place[];
  /** the verdict, if this node is the buggy one */
  code: Place[];
}

/** A path in the execution tree. */
export interface Path {
  /** nodes, starting at the root */
  path: TreeNode[];
}

/** A diagram in two forms; both are empty for a program without processes. */
export interface Diagram {
  /** as text */
  lines: string[];
  /** as an SVG image; `data-node` attributes contain the numbers of nodes */
  svg: string;
}

/** A stored session. */
export interface Session {
  /** its id in the store */
  session: string | null;
  /** path of the file */
  recording: string;
  /** the test that questions are about; empty for the whole run */
  test: string;
  strategy: string;
  granularity: 'routine' | 'statement' | 'expression';
  /** the names of all strategies */
  strategies: string[];
}

/** The granularity of questions. */
export interface ZoomArguments {
  granularity?: 'routine' | 'statement' | 'expression';
}

/** A strategy. */
export interface StrategyArguments {
  strategy: string;
}

/** The result of comparing the answers with a new run. */
export interface Verified {
  /** whether all intended results now hold */
  holds: boolean;
  /** the report */
  lines: string[];
}

/** The custom requests, with their arguments and the bodies of their responses. */
export interface Requests {
  /** While the program runs: end it, and continue with the recording so far. */
  'adebug/find': { arguments: Nothing; body: Nothing };
  /** Go to the open question, or to the verdict. */
  'adebug/nextQuestion': { arguments: Nothing; body: State };
  /** Answer the open question, or judge another node. All answers of the terminal are accepted. */
  'adebug/answer': { arguments: AnswerArguments; body: State };
  /** Undo the last step, or redo it. */
  'adebug/undo': { arguments: UndoArguments; body: State };
  /** Explain why the open question is asked. */
  'adebug/why': { arguments: Nothing; body: Why };
  /** Mark a part of a value as wrong, by the evaluateName of a variable. With a frame, the node of that frame is judged. */
  'adebug/mark': { arguments: MarkArguments; body: State };
  /** Show where a part of a value came from, without judging it. */
  'adebug/track': { arguments: PlaceArguments; body: Track };
  /** List the writes of a variable, attribute or element. */
  'adebug/history': { arguments: PlaceArguments; body: History };
  /** Show what a part of a value depends on, or what depends on it: the code, the rest of its files to be greyed out, and the steps in order. */
  'adebug/slice': { arguments: SliceArguments; body: Slice };
  /** Return one page of the children of a node in the execution tree. */
  'adebug/children': { arguments: ChildrenArguments; body: Children };
  /** Return the code that a node executed. */
  'adebug/projection': { arguments: NodeArguments; body: Projection };
  /** Return the path from the root of the execution tree to a node. */
  'adebug/path': { arguments: NodeArguments; body: Path };
  /** Draw who started whom and who sent what to whom, for a run with processes. The numbers are nodes: the answer `restart NODE` searches from there. */
  'adebug/diagram': { arguments: Nothing; body: Diagram };
  /** Describe this session to another front end; the response is the argument of the language server's command adebug.follow. */
  'adebug/session': { arguments: Nothing; body: Session };
  /** Return the verdict, if there is one. */
  'adebug/verdict': { arguments: Nothing; body: State };
  /** Ask about finer code, or about code of the given granularity. */
  'adebug/zoom': { arguments: ZoomArguments; body: State };
  /** Let another strategy pick the questions. */
  'adebug/strategy': { arguments: StrategyArguments; body: State };
  /** After an edit: run the program again, and compare the new run with the answers. */
  'adebug/verify': { arguments: Nothing; body: Verified };
}

/** The custom events, for those who launch with customEvents. */
export interface Events {
  /** A question was asked. Follows the stopped event. */
  'adebug/question': Question;
  /** The search has ended. Follows the stopped event. */
  'adebug/verdict': Verdict;
}
