// Offers adebug when an ordinary Python debug session stops at an uncaught exception.
import * as vscode from 'vscode';
import { find } from './finding';

const UNCAUGHT = ['unhandled', 'userUnhandled'];
const FIND = 'Find the Bug';

export class Offers implements vscode.DebugAdapterTrackerFactory {
  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    const what = equivalent(session.configuration);
    if (!what) return undefined;
    let offered = false;
    return {
      onDidSendMessage: (message: Message) => {
        if (offered || !isUncaught(message) || !wanted(session.workspaceFolder?.uri)) return;
        offered = true;
        void offer(session, what, message.body?.exceptionId ?? 'An exception');
      },
    };
  }
}

async function offer(session: vscode.DebugSession, what: Record<string, unknown>, name: string): Promise<void> {
  const text = `${name} was not caught. adebug can record the program, and find the bug with a few questions.`;
  if ((await vscode.window.showInformationMessage(text, FIND)) !== FIND) return;
  await vscode.debug.stopDebugging(session);
  await find(what, session.workspaceFolder?.uri, session.configuration.name);
}

/** Whether a message is debugpy's response about an uncaught exception; the editor requests it at a stop. */
function isUncaught(message: Message): boolean {
  if (message.type !== 'response' || message.command !== 'exceptionInfo') return false;
  return UNCAUGHT.includes(message.body?.breakMode ?? '');
}

function wanted(folder?: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('adebug', folder ?? null).get('offerOnException', true);
}

/** Converts a debugpy configuration to ours; returns undefined for a program that runs elsewhere. */
export function equivalent(given: vscode.DebugConfiguration): Record<string, unknown> | undefined {
  if (given.request !== 'launch') return undefined;
  const args: unknown = given['args'];
  const kept = pick(given, ['cwd', 'env', 'justMyCode']);
  if (given['module'] === 'pytest') return { ...kept, pytest: Array.isArray(args) ? args : [] };
  if (given['module']) return { ...kept, module: given['module'], ...(Array.isArray(args) ? { args } : {}) };
  if (given['program']) return { ...kept, program: given['program'], ...(Array.isArray(args) ? { args } : {}) };
  return undefined;
}

function pick(given: vscode.DebugConfiguration, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

/** The fields of a debug adapter message that are used here. */
interface Message {
  type: string;
  command?: string;
  body?: { breakMode?: string; exceptionId?: string };
}
