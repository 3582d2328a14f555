// The Question view: a web view that shows the question or the verdict; its buttons run commands of the editor.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Investigation } from './investigation';
import type { Question, TreeNode, Verdict } from './protocol';

/** State sent to the page. */
export interface Page {
  question: Question | null;
  verdict: Verdict | null;
  /** The node that the user is looking at, if it is not the one in question. */
  elsewhere: TreeNode | null;
  messages: string[];
  /** Whether a fix of the verdict was verified. */
  fixed: boolean;
  /** Whether a program is being recorded. */
  recording: boolean;
  /** Whether the editor has finished the command chosen on the page, and will not take the focus for it any more. */
  settled: boolean;
}

/** Message from the page: a chosen command, and its target. */
export interface Chosen {
  command: string;
  about: { id?: number; node?: string };
}

/** Other messages from the page: it is ready for state; it wants the focus back. */
export type Wish = 'ready' | 'focus';

/** Timeouts in milliseconds: for a stop to be shown, for the editor to take the focus afterwards, and for the page to
 * keep it once returned. They are long because keys typed too early on a busy machine would go into the program. */
const SHOWING = 10_000;
const FOCUSING = 5_000;
const RESTING = 1_500;

export class QuestionView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private readonly listening: vscode.Disposable[];
  private opened: string | undefined;
  private chosen = 0;
  private acting = false;
  /** Time at which the editor last took the focus from the page while the page was waiting. */
  private lost = 0;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly investigation: Investigation,
  ) {
    this.listening = [
      vscode.window.registerWebviewViewProvider('adebug.question', this),
      investigation.changed(() => this.show()),
    ];
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const localResourceRoots = ['dist', 'media'].map((folder) => vscode.Uri.joinPath(this.extension, folder));
    view.webview.options = { enableScripts: true, localResourceRoots };
    view.webview.html = this.html(view.webview);
    view.webview.onDidReceiveMessage((message: Chosen | Wish) => {
      if (message === 'ready') this.send();
      else if (message === 'focus') this.takeBack(view);
      else if (/^adebug\.\w+$/.test(message.command)) void this.act(message);
    });
    view.onDidChangeVisibility(() => this.send());
    view.onDidDispose(() => (this.view = undefined));
  }

  /** Runs the chosen command, then updates the page, which waits for that even if nothing has changed. */
  private async act({ command, about }: Chosen): Promise<void> {
    const number = ++this.chosen;
    this.acting = true;
    const before = this.investigation.moment;
    const [began, shown] = [Date.now(), stopShown()];
    try {
      await vscode.commands.executeCommand(command, about);
      if (this.investigation.moment !== before && takesFocus()) {
        await shown;
        await this.focusIsBack(began);
      }
    } finally {
      this.acting = number !== this.chosen;
      this.send();
    }
  }

  private takeBack(view: vscode.WebviewView): void {
    this.lost = Date.now();
    view.show(false);
  }

  /** Waits until the page has had the focus back for a while, or until the editor's time to take it is over. */
  private async focusIsBack(since: number): Promise<void> {
    const end = Date.now() + FOCUSING;
    const isBack = () => this.lost >= since && Date.now() - this.lost > RESTING;
    while (!isBack() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  private show(): void {
    const { current, inReplay } = this.investigation;
    // Reveal the view at the first question of a session.
    const isFirst = inReplay && current?.session.id !== this.opened;
    if (isFirst || (current?.messages.length && !this.view?.visible)) {
      this.opened = current?.session.id;
      void this.bringForward(isFirst);
    }
    this.send();
  }

  /** Reveals the view; with the first question, also the values and the tree. */
  private async bringForward(isFirst: boolean): Promise<void> {
    const views = isFirst ? ['adebug.tree', 'adebug.question'] : ['adebug.question'];
    for (const view of views) await vscode.commands.executeCommand(`${view}.focus`, { preserveFocus: true });
  }

  private send(): void {
    const { question, verdict, elsewhere, fixed, current } = this.investigation;
    const [messages, recording, settled] = [current?.messages ?? [], current !== undefined, !this.acting];
    const page: Page = { question, verdict, elsewhere, messages, fixed, recording, settled };
    void this.view?.webview.postMessage(page);
    if (this.view) this.view.description = question ? `about ${question.remaining} left` : '';
  }

  private html(webview: vscode.Webview): string {
    const nonce = randomBytes(16).toString('hex');
    const script = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, 'dist', 'question.js'));
    const style = webview.asWebviewUri(vscode.Uri.joinPath(this.extension, 'media', 'question.css'));
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>Question</title>
</head>
<body>
<header>
<h2 id="heading"></h2>
<div id="buttons" role="group" aria-label="Answers"></div>
</header>
<main>
<div id="elsewhere" aria-live="polite"></div>
<div id="messages" aria-live="polite"></div>
<div id="asked" aria-live="polite"></div>
<div id="values"></div>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
  }
}

function takesFocus(): boolean {
  return vscode.workspace.getConfiguration('debug').get('focusEditorOnBreak', true);
}

/** Waits until the next stop is shown. */
function stopShown(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      listening.dispose();
      clearTimeout(giveUp);
      resolve();
    };
    const listening = vscode.debug.onDidChangeActiveStackItem((item) => {
      if (item instanceof vscode.DebugStackFrame) done();
    });
    const giveUp = setTimeout(done, SHOWING);
  });
}
