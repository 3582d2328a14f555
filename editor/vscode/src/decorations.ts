// Decorations from the server's projection: code that ran is highlighted, and the result follows the code.
import * as vscode from 'vscode';
import type { Range } from './protocol';
import type { Server, Shown } from './server';

const LONGEST = 80;

export class Decorations implements vscode.Disposable {
  private readonly ran = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    borderColor: new vscode.ThemeColor('editor.selectionHighlightBorder'),
    borderStyle: 'solid',
    borderWidth: '1px',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.selectionHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly result = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('descriptionForeground'), margin: '0 0 0 2em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private shown: Shown | undefined;
  private readonly listening: vscode.Disposable[];

  constructor(server: Server) {
    this.listening = [
      server.shown((shown) => {
        this.shown = shown;
        this.apply();
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.apply()),
    ];
  }

  dispose(): void {
    for (const one of [...this.listening, this.ran, this.result]) one.dispose();
  }

  private apply(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const here = this.shown?.uri && vscode.Uri.parse(this.shown.uri).fsPath === editor.document.uri.fsPath;
      editor.setDecorations(this.ran, here && this.shown ? this.shown.ran.map(range) : []);
      editor.setDecorations(this.result, here && this.shown ? results(this.shown, editor.document) : []);
    }
  }
}

/** The result of the call in question, after its first line; statements and expressions already show their values. */
function results(shown: Shown, document: vscode.TextDocument): vscode.DecorationOptions[] {
  const place = shown.inQuestion[0];
  const { type, kind, result, raised } = shown.question ?? {};
  const text = raised ? `raised ${raised}` : result ? `= ${result}` : '';
  if (!place || !text || type !== 'question' || kind !== 'routine') return [];
  const line = document.lineAt(Math.min(place.start.line, document.lineCount - 1));
  const contentText = text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
  return [{ range: new vscode.Range(line.range.end, line.range.end), renderOptions: { after: { contentText } } }];
}

export function range(given: Range): vscode.Range {
  return new vscode.Range(given.start.line, given.start.character, given.end.line, given.end.character);
}
