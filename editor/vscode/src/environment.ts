// Requirements for running adebug on an interpreter: folders on its import path, and how to install missing packages.
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { folderOfDebugpy, type Interpreter, Interpreters } from './interpreter';
import { Problem, said } from './problem';

const run = promisify(execFile);
const OLDEST = [3, 10] as const;
const NEEDED = { numpy: 'numpy>=1.26,<3', debugpy: 'debugpy>=1.8.5,<2' };
const SETTINGS = ['adebug.interpreter', 'adebug.importStrategy'];

/** Facts that an interpreter reports about itself. */
interface Probe {
  version: [number, number, number];
  adebug_lsp: boolean;
  numpy: boolean;
  debugpy: boolean;
}

/** An interpreter that can run adebug. */
export interface Environment extends Interpreter {
  version: string;
  hasDebugpy: boolean;
  /** Arguments with which the interpreter runs the command adebug. */
  command: string[];
}

export class Environments implements vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Fires when another interpreter is selected, or a package is installed. */
  readonly changed = this.changes.event;
  private readonly interpreters: Interpreters;
  private readonly script: string;
  /** Cache of interpreters that can run adebug. */
  private readonly known = new Map<string, Probe>();
  private readonly listening: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.script = context.asAbsolutePath('bundled/run.py');
    this.interpreters = new Interpreters(log);
    this.listening = [
      this.changes,
      this.interpreters,
      this.interpreters.changed(() => this.changes.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SETTINGS.some((name) => event.affectsConfiguration(name))) this.changes.fire();
      }),
    ];
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  /** The interpreter for a folder; throws a `Problem` if it cannot run adebug. */
  async find(folder?: vscode.Uri): Promise<Environment> {
    const interpreter = await this.interpreters.find(folder);
    const { python } = interpreter;
    const version = await this.version(python);
    const settings = vscode.workspace.getConfiguration('adebug', folder ?? null);
    const bundled = settings.get('importStrategy') === 'useBundled';
    const own = bundled ? [this.context.asAbsolutePath('bundled/libs')] : [];
    const folders = [...own, this.installed(version), ...(await folderOfDebugpy())].join(path.delimiter);
    const probe = await this.probe(python, folders);
    if (!probe.adebug_lsp) {
      throw new Problem(
        `adebug is not installed for ${python}, but the setting adebug.importStrategy is fromEnvironment.`,
        'Use the Bundled adebug',
        () => settings.update('importStrategy', 'useBundled'),
      );
    }
    if (!probe.numpy) throw this.missing('numpy', python, version);
    return { ...interpreter, version, hasDebugpy: probe.debugpy, command: [this.script, folders] };
  }

  /** The problem to report if breakpoints are set but debugpy is missing. */
  missingDebugpy({ python, version }: Environment): Problem {
    return this.missing('debugpy', python, version);
  }

  private missing(name: keyof typeof NEEDED, python: string, version: string): Problem {
    const why = name === 'debugpy' ? ' to stop at breakpoints' : '';
    const message =
      `adebug needs ${name}${why}, but it is missing or too old in ${python}. ` +
      'It can be installed for adebug only; your environment does not change.';
    return new Problem(message, `Install ${name}`, () => this.install(name, python, version));
  }

  /** Folder for packages installed at the user's request: one per Python version, outside all environments. */
  private installed(version: string): string {
    return path.join(this.context.globalStorageUri.fsPath, `libs-${version}`);
  }

  private async install(name: keyof typeof NEEDED, python: string, version: string): Promise<void> {
    const command = ['-m', 'pip', 'install', '--target', this.installed(version), '--upgrade', NEEDED[name]];
    const title = `adebug: installing ${name}`;
    this.log.info([python, ...command].join(' '));
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
        run(python, command),
      );
    } catch (error) {
      this.log.error(said(error));
      const message = `${name} could not be installed. ${lastLine(said(error))}`;
      throw new Problem(message, 'Show the Log', async () => this.log.show());
    }
    this.known.clear();
    this.changes.fire();
  }

  /** Major and minor version; throws a `Problem` if the interpreter is too old for adebug. */
  private async version(python: string): Promise<string> {
    const { version } = await this.probe(python, '');
    const [major, minor] = version;
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      const needed = `adebug needs Python ${OLDEST.join('.')} or newer`;
      throw chooseAnother(`${needed}; ${python} is Python ${version.join('.')}.`);
    }
    return `${major}.${minor}`;
  }

  private async probe(python: string, folders: string): Promise<Probe> {
    const key = [python, folders].join(path.delimiter);
    const known = this.known.get(key);
    if (known) return known;
    try {
      const { stdout } = await run(python, [this.script, folders], { timeout: 30_000 });
      const probe = JSON.parse(stdout) as Probe;
      this.log.info(`${python} with ${folders || 'nothing else'}: ${stdout.trim()}`);
      if (!folders || (probe.adebug_lsp && probe.numpy && probe.debugpy)) this.known.set(key, probe);
      return probe;
    } catch (error) {
      this.log.error(said(error));
      throw chooseAnother(`adebug cannot run ${python}. ${lastLine(said(error))}`);
    }
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
