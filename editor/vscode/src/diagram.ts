// The diagram of a run's processes, in its own panel; clicking an event looks for the bug from there.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Investigation } from './investigation';
import { tell } from './problem';

let panel: vscode.WebviewPanel | undefined;

export async function showDiagram(investigation: Investigation): Promise<void> {
  try {
    const { svg } = await investigation.request('adebug/diagram', {});
    if (!svg) {
      void vscode.window.showInformationMessage('adebug: there are no processes in this run that have to do with one another.');
      return;
    }
    panel ??= open(investigation);
    panel.webview.html = page(svg);
    panel.reveal(undefined, true);
  } catch (error) {
    void tell(error);
  }
}

function open(investigation: Investigation): vscode.WebviewPanel {
  const made = vscode.window.createWebviewPanel(
    'adebug.diagram',
    'Processes',
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, localResourceRoots: [] },
  );
  made.onDidDispose(() => (panel = undefined));
  made.webview.onDidReceiveMessage((node: unknown) => {
    if (Number.isInteger(node)) void investigation.order(`restart ${String(node)}`);
  });
  return made;
}

/** The page around the adapter's SVG, in which text of the program is escaped; nothing else may be loaded or run. */
function page(svg: string): string {
  const nonce = randomBytes(16).toString('hex');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Processes</title>
<style nonce="${nonce}">
  body { color: var(--vscode-editor-foreground); overflow: auto; }
  g[data-node] { cursor: pointer; }
  g[data-node]:hover, g[data-node]:focus { fill: var(--vscode-textLink-foreground); outline: none; }
</style>
</head>
<body>
${svg}
<script nonce="${nonce}">
  const editor = acquireVsCodeApi();
  const choose = (event) => {
    const chosen = event.target.closest('[data-node]');
    if (chosen) editor.postMessage(Number(chosen.dataset.node));
  };
  document.addEventListener('click', choose);
  document.addEventListener('keydown', (event) => event.key === 'Enter' && choose(event));
</script>
</body>
</html>`;
}
