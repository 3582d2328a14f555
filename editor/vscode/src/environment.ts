// Which interpreter runs adebug, with which folders on its path, and what to do about what is missing.
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';

const run = promisify(execFile);
const OLDEST = [3, 10] as const;
const NEEDED = { numpy: 'numpy>=1.26,<3', debugpy: 'debugpy>=1.8.5,<2' };

/** What an interpreter says about itself. */
interface Probe {
  version: [number, number, number];
  executable: string;
  adebug_lsp: boolean;
  numpy: boolean;
  debugpy: boolean;
}

/** An interpreter that can run adebug. */
export interface Environment {
  python: string;
  /** Whether a person chose it; otherwise adebug looks for the workspace's own to run programs. */
  chosen: boolean;
  hasDebugpy: boolean;
  /** The arguments that make the interpreter the command adebug. */
  command: string[];
}

/** Something to tell the person, with a button that does something about it. */
export class Problem extends Error {
  constructor(
    message: string,
    readonly remedy: string,
    readonly mend: () => Thenable<unknown>,
  ) {
    super(message);
  }
}

export class Environments implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Another interpreter was chosen, or something was installed. */
  readonly changed = this.changes.event;
  private readonly known = new Map<string, Promise<Probe>>();
  private readonly listening: vscode.Disposable[] = [this.changes];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const settings = ['adebug.interpreter', 'adebug.importStrategy'];
    this.listening.push(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (settings.some((name) => event.affectsConfiguration(name))) this.changes.fire();
      }),
    );
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  /** The interpreter for a folder; throws a `Problem` if it cannot run adebug. */
  async find(folder?: vscode.Uri): Promise<Environment> {
    const { python, chosen } = await this.interpreter(folder);
    const bundled = setting(folder, 'importStrategy') === 'useBundled';
    const own = bundled ? [this.context.asAbsolutePath('bundled/libs')] : [];
    const first = await this.probe(python, own);
    const [major, minor] = first.version;
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      const version = first.version.join('.');
      throw chooseAnother(`adebug needs Python ${OLDEST.join('.')} or newer; ${python} is Python ${version}.`);
    }
    const folders = [...own, this.installed(first), ...(await debugpyOfPython())];
    const probe = await this.probe(python, folders);
    if (!probe.adebug_lsp) {
      throw new Problem(
        `adebug is not installed for ${python}, and the setting adebug.importStrategy says to take it from there.`,
        'Use the Bundled One',
        () => vscode.workspace.getConfiguration('adebug', folder).update('importStrategy', 'useBundled'),
      );
    }
    if (!probe.numpy) throw this.missing('numpy', python, first);
    this.log.info(`${python} (Python ${first.version.join('.')}), libraries in ${folders.join(', ')}`);
    return {
      python,
      chosen,
      hasDebugpy: probe.debugpy,
      command: [this.context.asAbsolutePath('bundled/run.py'), folders.join(path.delimiter)],
    };
  }

  /** What to say when breakpoints are set, and nothing is there to stop at them. */
  async missingDebugpy(environment: Environment): Promise<Problem> {
    const probe = await this.probe(environment.python, []);
    return this.missing('debugpy', environment.python, probe);
  }

  private missing(name: keyof typeof NEEDED, python: string, probe: Probe): Problem {
    const why = name === 'debugpy' ? ' to stop at breakpoints' : '';
    const message = `adebug needs ${name}${why}, and ${python} has none. It can be installed for adebug alone; your environment stays as it is.`;
    return new Problem(message, `Install ${name}`, () => this.install(name, python, probe));
  }

  /** The folder for what a person has us install: one for each version of Python, outside all environments. */
  private installed(probe: Probe): string {
    return path.join(this.context.globalStorageUri.fsPath, `libs-${probe.version[0]}.${probe.version[1]}`);
  }

  private async install(name: keyof typeof NEEDED, python: string, probe: Probe): Promise<void> {
    const target = this.installed(probe);
    const command = ['-m', 'pip', 'install', '--target', target, '--upgrade', NEEDED[name]];
    const title = `adebug: installing ${name}`;
    this.log.info([python, ...command].join(' '));
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
        run(python, command),
      );
    } catch (error) {
      this.log.error(said(error));
      throw new Problem(`${name} could not be installed. ${lastLine(said(error))}`, 'Show the Log', async () =>
        this.log.show(),
      );
    }
    this.known.clear();
    this.changes.fire();
  }

  private async interpreter(folder?: vscode.Uri): Promise<{ python: string; chosen: boolean }> {
    const named = setting(folder, 'interpreter').replace('${workspaceFolder}', folder?.fsPath ?? '.');
    if (named) return { python: named, chosen: true };
    const selected = await this.selected(folder);
    if (selected) return { python: selected, chosen: true };
    return { python: process.platform === 'win32' ? 'python' : 'python3', chosen: false };
  }

  /** What is selected in the Python extension, if there is that. */
  private async selected(folder?: vscode.Uri): Promise<string | undefined> {
    const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
    if (!extension) return undefined;
    try {
      const environments = (await extension.activate()).environments;
      if (this.listening.length === 2) {
        this.listening.push(environments.onDidChangeActiveEnvironmentPath(() => this.changes.fire()));
      }
      const active = environments.getActiveEnvironmentPath(folder);
      return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
    } catch (error) {
      this.log.warn(`the Python extension does not tell its interpreter: ${said(error)}`);
      return undefined;
    }
  }

  private probe(python: string, folders: string[]): Promise<Probe> {
    const script = this.context.asAbsolutePath('bundled/run.py');
    const key = [python, ...folders].join(path.delimiter);
    const probing = this.known.get(key) ?? probe(python, script, folders.join(path.delimiter));
    this.known.set(key, probing);
    probing.catch((error) => {
      this.log.warn(said(error));
      this.known.delete(key);
    });
    return probing;
  }
}

/** Tell what went wrong; a problem that can be mended has a button. */
export async function tell(error: unknown): Promise<void> {
  if (!(error instanceof Problem)) {
    void vscode.window.showErrorMessage(`adebug: ${said(error)}`);
    return;
  }
  if ((await vscode.window.showErrorMessage(error.message, error.remedy)) !== error.remedy) return;
  try {
    await error.mend();
  } catch (other) {
    await tell(other);
  }
}

export function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function setting(folder: vscode.Uri | undefined, name: string): string {
  return vscode.workspace.getConfiguration('adebug', folder ?? null).get<string>(name, '').trim();
}

async function probe(python: string, script: string, folders: string): Promise<Probe> {
  try {
    const { stdout } = await run(python, [script, folders], { timeout: 30_000 });
    return JSON.parse(stdout) as Probe;
  } catch (error) {
    throw chooseAnother(`adebug cannot run ${python}. ${lastLine(said(error))}`);
  }
}

function chooseAnother(message: string): Problem {
  return new Problem(message, 'Choose an Interpreter', () =>
    vscode.commands.executeCommand('workbench.action.openSettings', 'adebug.interpreter'),
  );
}

function lastLine(text: string): string {
  return text.trim().split('\n').pop() ?? '';
}

/** The folder with the debugpy that the Python Debugger extension brings. */
async function debugpyOfPython(): Promise<string[]> {
  const extension = vscode.extensions.getExtension<DebugpyExtension>('ms-python.debugpy');
  const found = await extension?.activate().then(
    (api) => api?.debug?.getDebuggerPackagePath(),
    () => undefined,
  );
  return found ? [path.dirname(found)] : [];
}

/** The part of the Python extension's interface that is used here. */
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
