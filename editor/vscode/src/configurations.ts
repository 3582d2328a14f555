// Launch configurations: the ones offered, and the defaults filled in. No launch.json is needed.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { LANGUAGES } from './documents';
import type { Environments } from './environment';
import { whatToRun } from './finding';
import { TYPE } from './investigation';
import { tell } from './problem';

const IN_FILE = { name: 'adebug: find the bug in this file', program: '${file}' };
const IN_TESTS = { name: 'adebug: find the bug of a failing test', pytest: ['--last-failed'] };

export class Configurations implements vscode.DebugConfigurationProvider {
  constructor(private readonly environments: Environments) {}

  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [IN_FILE, IN_TESTS].map((one) => ({ type: TYPE, request: 'launch', ...one }));
  }

  /** Resolves an empty configuration, as without a launch.json, to the file in the editor. */
  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    if (given.type || given.request || given.name) return given;
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !LANGUAGES.includes(document.languageId)) {
      void vscode.window.showInformationMessage('adebug: open the Python or Erlang file that goes wrong, and begin again.');
      return undefined;
    }
    return { ...given, type: TYPE, request: 'launch', name: IN_FILE.name, ...whatToRun(document.uri) };
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const home = folder?.uri.fsPath ?? (given['program'] ? path.dirname(given['program']) : undefined);
    try {
      const environment = await this.environments.find(folder?.uri);
      if (!environment.hasDebugpy && !given.noDebug && (given['stopOnEntry'] || hasBreakpoints())) {
        throw this.environments.missingDebugpy(environment);
      }
      return {
        ...(home ? { cwd: home, workspace: home } : {}),
        ...(environment.chosen ? { python: environment.python } : {}),
        ...fromSettings(folder?.uri),
        ...given,
        customEvents: true,
      };
    } catch (error) {
      void tell(error);
      return undefined;
    }
  }
}

function hasBreakpoints(): boolean {
  return vscode.debug.breakpoints.some((one) => one.enabled);
}

function fromSettings(folder?: vscode.Uri): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration('adebug', folder ?? null);
  const names = ['strategy', 'granularity', 'timeout', 'reference'];
  return Object.fromEntries(names.map((name) => [name, settings.get(name)]).filter(([, value]) => value));
}

/** Starts `adebug dap` with the folder's interpreter. */
export class Adapters implements vscode.DebugAdapterDescriptorFactory {
  constructor(private readonly environments: Environments) {}

  async createDebugAdapterDescriptor(session: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor> {
    const environment = await this.environments.find(session.workspaceFolder?.uri);
    const cwd = session.configuration['cwd'] as string | undefined;
    return new vscode.DebugAdapterExecutable(
      environment.python,
      [...environment.command, 'dap'],
      cwd ? { cwd } : {},
    );
  }
}
