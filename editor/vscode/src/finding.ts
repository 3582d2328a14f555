// Ways to start a session: a file, the failing tests, one test, code with a lens, a recording.
import * as vscode from 'vscode';
import { tell } from './problem';
import { TYPE } from './investigation';
import type { Server } from './server';

/** Files that pytest collects tests from. */
const TESTS = /\/(test_[^/]*|[^/]*_test)\.py$/;

type Configuration = Record<string, unknown>;

/** Starts a debug session that records and asks. */
export async function find(what: Configuration, at?: vscode.Uri, name = 'Find the bug'): Promise<void> {
  const folder = folderOf(at);
  await vscode.debug.startDebugging(folder, { type: TYPE, request: 'launch', name, ...what });
}

function folderOf(at?: vscode.Uri): vscode.WorkspaceFolder | undefined {
  const place = at ?? vscode.window.activeTextEditor?.document.uri;
  return (place && vscode.workspace.getWorkspaceFolder(place)) ?? vscode.workspace.workspaceFolders?.[0];
}

export async function findInFile(uri?: vscode.Uri): Promise<void> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (file) await find(whatToRun(file), file);
  else void vscode.window.showInformationMessage('adebug: open the file to debug, then try again.');
}

/** Launch configuration for a file: pytest for a test file, which does nothing when run as a program. */
export function whatToRun(file: vscode.Uri): Configuration {
  return TESTS.test(file.path) ? { pytest: [file.fsPath] } : { program: file.fsPath };
}

/** Records the tests that failed last time, or all tests if none did. */
export async function findInTests(): Promise<void> {
  await find({ pytest: ['--last-failed'] });
}

/** Records code with a lens; the server knows how to run it. */
export async function findInPiece(server: Server, given: unknown[]): Promise<void> {
  try {
    const reply = await server.command<Reply>('adebug.configuration', ...given);
    const uri = typeof given[0] === 'string' && given[0].includes(':/') ? vscode.Uri.parse(given[0]) : undefined;
    if (reply.type === 'configuration') await find(reply.launch, uri);
  } catch (error) {
    await tell(error);
  }
}

type Reply = { type: 'configuration'; launch: Configuration } | { type: 'error'; message: string };

/** Records a test of the Testing view, or the test that a message is about. */
export async function findInTest(chosen: vscode.TestItem | { test: vscode.TestItem }): Promise<void> {
  const test = 'test' in chosen ? chosen.test : chosen;
  await find({ pytest: pytestName(test) }, test.uri);
}

/** Pytest arguments that select a test: its file and the part of its id after `::`, or otherwise its name. */
function pytestName(test: vscode.TestItem): string[] {
  const file = test.uri?.fsPath;
  const separator = test.id.indexOf('::');
  if (!file) return [test.id];
  if (separator >= 0) return [file + test.id.slice(separator)];
  const isFile = test.id === file || test.children.size > 0;
  return isFile ? [file] : [file, '-k', test.label];
}

export async function openRecording(): Promise<void> {
  const home = folderOf()?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: 'Open a Recording',
    ...(home ? { defaultUri: vscode.Uri.joinPath(home, '.adebug') } : {}),
  });
  if (chosen?.[0]) await find({ recording: chosen[0].fsPath }, undefined, 'Recording');
}
