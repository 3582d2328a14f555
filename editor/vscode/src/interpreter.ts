// The interpreter to use: from the settings, otherwise the one selected in the Python extension, otherwise the default.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { said } from './problem';

export interface Interpreter {
  python: string;
  /** Whether the user chose it; if not, adebug looks for the workspace's own interpreter to run programs. */
  chosen: boolean;
}

export class Interpreters implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when another interpreter is selected in the Python extension. */
  readonly changed = this.changes.event;
  private watching: vscode.Disposable | undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {}

  dispose(): void {
    this.watching?.dispose();
    this.changes.dispose();
  }

  async find(folder?: vscode.Uri): Promise<Interpreter> {
    const setting = vscode.workspace.getConfiguration('adebug', folder ?? null).get('interpreter', '').trim();
    if (setting) return { python: setting.replace('${workspaceFolder}', folder?.fsPath ?? '.'), chosen: true };
    const selected = await this.selected(folder);
    if (selected) return { python: selected, chosen: true };
    return { python: process.platform === 'win32' ? 'python' : 'python3', chosen: false };
  }

  private async selected(folder?: vscode.Uri): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
    if (!extension) return undefined;
    try {
      const { environments } = await extension.activate();
      this.watching ??= environments.onDidChangeActiveEnvironmentPath(() => this.changes.fire());
      const active = environments.getActiveEnvironmentPath(folder);
      return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
    } catch (error) {
      this.log.warn(`the Python extension did not return its interpreter: ${said(error)}`);
      return undefined;
    }
  }
}

/** Folder with the debugpy bundled in the Python Debugger extension, if that is installed. */
export async function folderOfDebugpy(): Promise<string[]> {
  const extension = vscode.extensions.getExtension<DebugpyExtension>('ms-python.debugpy');
  const found = await extension?.activate().then(
    (api) => api?.debug?.getDebuggerPackagePath(),
    () => undefined,
  );
  return found ? [path.dirname(found)] : [];
}

/** The part of the Python extension's API that is used here. */
interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(of: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

interface DebugpyExtension {
  debug?: { getDebuggerPackagePath(): Promise<string | undefined> };
}
