// The status bar: the number of questions left, the verdict, or the error that keeps adebug from working.
import * as vscode from 'vscode';
import type { Investigation } from './investigation';

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('adebug.status', vscode.StatusBarAlignment.Left, 1);
  private readonly listening: vscode.Disposable;
  /** The error that keeps the language server from starting, if any. */
  private problem: string | undefined;

  constructor(private readonly investigation: Investigation) {
    this.item.name = 'adebug';
    this.listening = investigation.changed(() => this.show());
  }

  dispose(): void {
    this.listening.dispose();
    this.item.dispose();
  }

  /** Shows or clears the error that keeps the language server from starting. */
  trouble(problem: string | undefined): void {
    this.problem = problem;
    this.show();
  }

  private show(): void {
    const { question, verdict, fixed, current } = this.investigation;
    this.item.command = 'adebug.showQuestion';
    this.item.backgroundColor = undefined;
    if (question) {
      this.set(`$(question) about ${questions(question.remaining)} left`, question.text);
    } else if (verdict && fixed) {
      this.set('$(verified) fixed', 'All your answers hold now.');
    } else if (verdict) {
      this.set(verdict.kind === 'none' ? '$(pass) no bug found' : '$(bug) bug found', verdict.explanation);
    } else if (current) {
      this.item.command = 'adebug.findNow';
      this.set('$(record) recording', 'adebug records the program. Click to end it, and ask about what it did so far.');
    } else if (this.problem) {
      this.item.command = 'adebug.restartServer';
      this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
      this.set('$(warning) adebug', this.problem);
    } else {
      this.item.hide();
    }
  }

  private set(text: string, tooltip: string): void {
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `adebug: ${text.replace(/\$\([\w-]+\) /, '')}` };
    this.item.show();
  }
}

function questions(count: number): string {
  return count === 1 ? '1 question' : `${count} questions`;
}
