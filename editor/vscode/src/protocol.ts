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

/** A piece of source. */
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
  /** the code that ran */
  projection: Place[];
  /** about how many questions are left */
  remaining: number;
  /** the words that make sense now */
  answers: string[];
  /** the answer given before */
  default?: string;
  /** why this question is less exact than usual */
  coarse?: string;
}

/** How the search ended. As in the JSON protocol of the terminal. */
export interface Verdict {
  type: 'verdict';
  version: number;
  kind: 'expression' | 'statement' | 'routine' | 'inadmissible' | 'candidates' | 'none';
  callable: string;
  /** the wrong code */
  buggy: Place[];
  /** how many were answered, by anyone */
  questions: number;
  /** how many of these by a person */
  asked: number;
  explanation: string;
}

/** Where the session stands: at a question, or at a verdict. */
export interface State {
  question: Question | null;
  verdict: Verdict | null;
  /** messages for the person */
  told: string[];
}

/** An answer. */
export interface AnswerArguments {
  /** yes, no, unknown, inadmissible, trust, ... */
  answer: string;
  /** the part that is wrong, such as result[2] */
  mark?: string;
  /** with no: the value that was meant */
  expected?: string;
  /** decides all questions about this routine */
  rule?: string;
  /** of the question; refused if another one is open now. Needed where the replay has moved elsewhere */
  id?: number;
  /** to judge this node instead; it must be in the tree that is searched now */
  node?: string;
}

/** Which way. */
export interface UndoArguments {
  /** redo the step that was undone last */
  redo?: boolean;
}

/** Why a question is asked, and what each answer would leave. */
export interface Why {
  because: string;
  /** how many nodes could be the bug */
  candidates: number;
  yesLeaves: number;
  noLeaves: number;
  /** an estimate */
  questionsLeft: number;
  /** all of it as a sentence */
  text: string;
}

/** The part of the behaviour that is wrong. */
export interface MarkArguments {
  /** after.NAME, before.NAME, result or raised, with a way to a part such as [1].name; or call */
  place: string;
  /** of the question; refused if another one is open now */
  id?: number;
  /** the node that the value belongs to, if not that of the question */
  node?: string;
  /** the same, by the stack frame that shows the value */
  frameId?: number;
  /** whether all but the marked argument is as it should be */
  restIsRight?: boolean;
}

/** A node of the execution tree. */
export interface NodeArguments {
  /** where it is left out: that of the frame */
  node?: string;
  /** where it is left out: where the replay stands */
  frameId?: number;
}

/** A page of children. */
export interface ChildrenArguments {
  /** where it is left out: the root */
  node?: string;
  /** the first child of the page (0) */
  start?: number;
  /** how many (100) */
  count?: number;
}

/** A node of the execution tree. */
export interface TreeNode {
  /** its name: numbers, from the tree of the run inwards */
  node: string;
  text: string;
  kind: string;
  state: 'undefined' | 'correct' | 'wrong' | 'unknown' | 'inadmissible' | 'trusted';
  /** whether it is in question now */
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
  /** the verdict if this node is the buggy one */
  code: Place[];
}

/** A way through the execution tree. */
export interface Path {
  /** the root first */
  path: TreeNode[];
}

/** A diagram in two forms; both are empty for a program without processes. */
export interface Diagram {
  /** As text. */
  lines: string[];
  /** As a picture, in which `data-node` has the numbers of nodes. */
  svg: string;
}

/** A session as it is kept. */
export interface Session {
  /** its id in the store */
  session: string | null;
  /** the file */
  recording: string;
  /** which part of the recording is asked about; empty: the run */
  test: string;
  strategy: string;
  granularity: 'routine' | 'statement' | 'expression';
  /** all that can be chosen */
  strategies: string[];
}

/** How fine the questions are. */
export interface ZoomArguments {
  granularity?: 'routine' | 'statement' | 'expression';
}

/** A strategy. */
export interface StrategyArguments {
  strategy: string;
}

/** The answers compared with a new run. */
export interface Verified {
  /** whether all that was meant holds now */
  holds: boolean;
  /** the report */
  lines: string[];
}

/** The custom requests, with their arguments and the bodies of their responses. */
export interface Requests {
  /** While the program runs: end it, and go to its recording so far. */
  'adebug/find': { arguments: Nothing; body: Nothing };
  /** Go to the open question, or to the verdict. */
  'adebug/nextQuestion': { arguments: Nothing; body: State };
  /** Answer the open question, or judge another node. All words of the terminal are understood. */
  'adebug/answer': { arguments: AnswerArguments; body: State };
  /** Undo the last step, or redo it. */
  'adebug/undo': { arguments: UndoArguments; body: State };
  /** Why the open question is asked. */
  'adebug/why': { arguments: Nothing; body: Why };
  /** Say that a part of a value is wrong, by the evaluateName of a variable. With its frame, the node of that frame is judged. */
  'adebug/mark': { arguments: MarkArguments; body: State };
  /** One page of the nodes that a node of the execution tree directly depends on. */
  'adebug/children': { arguments: ChildrenArguments; body: Children };
  /** The code that a node executed. */
  'adebug/projection': { arguments: NodeArguments; body: Projection };
  /** The way from the root of the execution tree to a node. */
  'adebug/path': { arguments: NodeArguments; body: Path };
  /** Who started whom and who sent what to whom, in a run of processes. The numbers are nodes: the answer `restart NODE` looks for the bug from there. */
  'adebug/diagram': { arguments: Nothing; body: Diagram };
  /** Describes this session to another front end: the argument of the language server's command adebug.follow. */
  'adebug/session': { arguments: Nothing; body: Session };
  /** The verdict, if there is one. */
  'adebug/verdict': { arguments: Nothing; body: State };
  /** Ask about finer code, or about code of the given granularity. */
  'adebug/zoom': { arguments: ZoomArguments; body: State };
  /** Let another strategy choose the questions. */
  'adebug/strategy': { arguments: StrategyArguments; body: State };
  /** After an edit: run again, and compare with the answers. */
  'adebug/verify': { arguments: Nothing; body: Verified };
}

/** The custom events, for those who launch with customEvents. */
export interface Events {
  /** There is a question to answer. Follows the stopped event. */
  'adebug/question': Question;
  /** The search has come to an end. Follows the stopped event. */
  'adebug/verdict': Verdict;
}
