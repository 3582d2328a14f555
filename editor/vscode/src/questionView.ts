// The question view: a page that shows the question or the verdict, and whose buttons are commands of the editor.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Investigation } from './investigation';
import type { Question, Verdict } from './protocol';

/** What the page is told. */
export interface Page {
  question: Question | null;
  verdict: Verdict | null;
  told: string[];
  /** Whether a program is being recorded. */
  recording: boolean;
}

/** What the page tells: a command of ours that was chosen. */
export interface Chosen {
  command: string;
  given: unknown[];
}

export class QuestionView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private readonly listening: vscode.Disposable[];
  private opened: string | undefined;

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
    view.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, 'dist'), vscode.Uri.joinPath(this.extension, 'media')] };
    view.webview.html = this.html(view.webview);
    view.webview.onDidReceiveMessage((chosen: Chosen | 'ready') => {
      if (chosen === 'ready') this.send();
      else if (/^adebug\.\w+$/.test(chosen.command)) void vscode.commands.executeCommand(chosen.command, ...chosen.given);
    });
    view.onDidChangeVisibility(() => this.send());
    view.onDidDispose(() => (this.view = undefined));
  }

  private show(): void {
    const session = this.investigation.current?.session.id;
    // Views in the debug container start folded: the first question of a session unfolds this one.
    if (session !== this.opened && this.investigation.inReplay) {
      this.opened = session;
      void vscode.commands.executeCommand('adebug.question.focus', { preserveFocus: true });
    }
    this.send();
  }

  private send(): void {
    const { question, verdict, current } = this.investigation;
    const page: Page = { question, verdict, told: current?.told ?? [], recording: current !== undefined };
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
<main id="shown" aria-live="polite"></main>
<div id="buttons" role="group" aria-label="Answers"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
  }
}
