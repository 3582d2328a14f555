// The debug session that asks: its question or verdict, and adebug's custom DAP requests.
import * as vscode from 'vscode';
import { tell } from './problem';
import type { Question, Requests, State, TreeNode, Verdict } from './protocol';

export const TYPE = 'adebug';

/** State of a debug session. */
interface Standing {
  session: vscode.DebugSession;
  question: Question | null;
  verdict: Verdict | null;
  /** Messages about the last request. */
  messages: string[];
  /** Whether a fix of the verdict was verified. */
  fixed: boolean;
  /** The node that the user is looking at, if it is not the one in question. */
  elsewhere: TreeNode | null;
}

/** Target of an answer: the question with an id, or another node. Neither: the node that the user is looking at. */
export interface Answering {
  id?: number;
  node?: string;
  expected?: string;
}

export class Investigation implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when the session moves on, or another or no session becomes current. */
  readonly changed = this.changes.event;
  private readonly all = new Map<string, Standing>();
  private readonly listening: vscode.Disposable[];

  constructor() {
    this.listening = [
      this.changes,
      vscode.debug.onDidStartDebugSession((session) => this.begin(session)),
      vscode.debug.onDidTerminateDebugSession((session) => this.end(session)),
      vscode.debug.onDidChangeActiveDebugSession(() => this.announce()),
      vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => this.take(event)),
      vscode.debug.onDidChangeActiveStackItem(() => void this.lookAround()),
    ];
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  /** The active adebug session, or otherwise the last one. */
  get current(): Standing | undefined {
    const active = vscode.debug.activeDebugSession;
    return (active && this.all.get(active.id)) ?? [...this.all.values()].pop();
  }

  get question(): Question | null {
    return this.current?.question ?? null;
  }

  get verdict(): Verdict | null {
    return this.current?.verdict ?? null;
  }

  get fixed(): boolean {
    return this.current?.fixed ?? false;
  }

  /** Target of an answer to the open question. */
  get open(): Answering {
    return this.question ? { id: this.question.id } : {};
  }

  get elsewhere(): TreeNode | null {
    return this.question && (this.current?.elsewhere ?? null);
  }

  /** A key that is unique to each question and verdict of each session. */
  get moment(): string {
    return [this.current?.session.id, this.question?.id, this.verdict && JSON.stringify(this.verdict)].join(' ');
  }

  /** Whether the program has ended and its recording is being replayed. */
  get inReplay(): boolean {
    return this.question !== null || this.verdict !== null;
  }

  /** URI of a path relative to the workspace. */
  file(path: string): vscode.Uri | undefined {
    const session = this.current?.session;
    const folder = session?.configuration['workspace'] as string | undefined;
    if (path.startsWith('<')) return undefined;
    return folder ? vscode.Uri.joinPath(vscode.Uri.file(folder), path) : vscode.Uri.file(path);
  }

  async request<C extends keyof Requests>(
    command: C,
    given: Requests[C]['arguments'],
  ): Promise<Requests[C]['body']> {
    const session = this.current?.session;
    if (!session) throw new Error('nothing is being debugged with adebug');
    return session.customRequest(command, given) as Promise<Requests[C]['body']>;
  }

  /** Sends a request that may move the session on; reports errors to the user. */
  async say<C extends Saying>(command: C, given: Requests[C]['arguments']): Promise<void> {
    try {
      this.show(await this.request(command, given));
    } catch (error) {
      void tell(error);
    }
  }

  /** Answers in words, as in the debug console. Asks which node is meant if the user is looking at another one. */
  async answer(answer: string, about: Answering = {}): Promise<void> {
    const isSaid = about.id !== undefined || about.node !== undefined;
    const meant = isSaid ? {} : await this.meant();
    if (meant) await this.say('adebug/answer', { answer, ...about, ...meant });
  }

  /** Sends a command that does not answer the question, such as rejecting the verdict. */
  async order(answer: string): Promise<void> {
    await this.say('adebug/answer', { answer });
  }

  /** Target of an answer by keyboard; undefined if the user cancelled. */
  private async meant(): Promise<Answering | undefined> {
    const { question } = this;
    const shown = await this.lookedAt();
    if (!question || !shown || shown.asked) return this.open;
    const items: (vscode.QuickPickItem & { meant: Answering })[] = [
      { label: 'The question', detail: question.text, meant: this.open },
      { label: 'The node you are looking at', detail: shown.text, meant: { node: shown.node } },
    ];
    const title = 'You are not looking at the question. Which one do you mean?';
    return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.meant;
  }

  /** Node of the selected stack frame, or otherwise the current node of the replay. */
  async lookedAt(): Promise<TreeNode | undefined> {
    const item = vscode.debug.activeStackItem;
    const isFrame = item instanceof vscode.DebugStackFrame && item.session.id === this.current?.session.id;
    const here = () => this.request('adebug/path', {});
    // The frame is stale: the replay has moved on.
    const found = isFrame ? this.request('adebug/path', { frameId: item.frameId }).catch(here) : here();
    return (await found.catch(() => undefined))?.path.at(-1);
  }

  private async lookAround(): Promise<void> {
    const standing = this.current;
    if (!standing?.question) return;
    const shown = await this.lookedAt();
    const elsewhere = shown && !shown.asked ? shown : null;
    if (elsewhere?.node === standing.elsewhere?.node) return;
    standing.elsewhere = elsewhere;
    this.announce();
  }

  /** Shows why the open question is asked, next to the question. */
  async explain(): Promise<void> {
    try {
      this.note([(await this.request('adebug/why', {})).text]);
    } catch (error) {
      void tell(error);
    }
  }

  /** Shows messages next to the question or the verdict. */
  note(lines: string[], fixed = this.fixed): void {
    if (!this.current) return;
    Object.assign(this.current, { messages: lines, fixed });
    this.announce();
  }

  private show(state: State): void {
    const standing = this.current;
    if (!standing) return;
    const { question, verdict, messages } = state;
    Object.assign(standing, { question, verdict, messages, fixed: false, elsewhere: null });
    this.announce();
  }

  private begin(session: vscode.DebugSession): void {
    if (session.type !== TYPE || this.all.has(session.id)) return;
    this.all.set(session.id, { session, question: null, verdict: null, messages: [], fixed: false, elsewhere: null });
    this.announce();
  }

  private end(session: vscode.DebugSession): void {
    if (this.all.delete(session.id)) this.announce();
  }

  private take(event: vscode.DebugSessionCustomEvent): void {
    if (event.session.type !== TYPE) return;
    this.begin(event.session);
    const standing = this.all.get(event.session.id);
    if (!standing) return;
    const question = event.event === 'adebug/question' ? (event.body as Question) : null;
    const verdict = event.event === 'adebug/verdict' ? (event.body as Verdict) : null;
    if (!question && !verdict) return;
    // The response to our own request arrived before this event, with the same state.
    const isNew = JSON.stringify([question, verdict]) !== JSON.stringify([standing.question, standing.verdict]);
    if (isNew) Object.assign(standing, { question, verdict, messages: [], fixed: false });
    standing.elsewhere = null;
    this.announce();
  }

  private announce(): void {
    const facts = {
      active: this.current !== undefined,
      replay: this.inReplay,
      asking: this.question !== null,
      concluded: this.verdict !== null,
    };
    for (const [name, value] of Object.entries(facts)) {
      void vscode.commands.executeCommand('setContext', `adebug.${name}`, value);
    }
    this.changes.fire();
  }
}

/** Requests whose response is the state of the session. */
type Saying = { [C in keyof Requests]: Requests[C]['body'] extends State ? C : never }[keyof Requests];
