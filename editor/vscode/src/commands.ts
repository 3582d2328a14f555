// Commands: answers to the open question, and actions on a session and its verdict.
import * as vscode from 'vscode';
import { range } from './decorations';
import { showDiagram } from './diagram';
import { findInFile, findInPiece, findInTest, findInTests, openRecording } from './finding';
import type { Answering, Investigation } from './investigation';
import { said, tell } from './problem';
import type { Range } from './protocol';
import type { Server } from './server';

const ANSWERS = ['yes', 'no', 'unknown', 'inadmissible', 'trust'];
const OLD = 'that question is not open any more';
const GRANULARITIES = ['routine', 'statement', 'expression'] as const;

export function commands(investigation: Investigation, server: Server): Record<string, (...given: never[]) => unknown> {
  const answers = ANSWERS.map(
    (word) => [`adebug.${word}`, (given?: unknown) => investigation.answer(word, answering(given))] as const,
  );
  return {
    ...Object.fromEntries(answers),
    'adebug.findInFile': findInFile,
    'adebug.findInTests': findInTests,
    'adebug.findInTest': findInTest,
    'adebug.openRecording': openRecording,
    'adebug.findNow': () => investigation.request('adebug/find', {}).catch(tell),
    'adebug.expected': (given?: unknown) => expected(investigation, answering(given)),
    'adebug.takeBack': () => investigation.say('adebug/undo', {}),
    'adebug.repeat': () => investigation.say('adebug/undo', { redo: true }),
    'adebug.explain': () => investigation.explain(),
    'adebug.showQuestion': () => investigation.say('adebug/nextQuestion', {}),
    'adebug.showTree': () => vscode.commands.executeCommand('adebug.tree.focus'),
    'adebug.showDiagram': () => showDiagram(investigation),
    'adebug.changeStrategy': () => changeStrategy(investigation),
    'adebug.changeGranularity': () => changeGranularity(investigation),
    'adebug.wrongValue': (given: Variable) => wrongValue(investigation, given),
    'adebug.notTheBug': () => investigation.order('reject'),
    'adebug.askSkipped': () => investigation.order('skipped'),
    'adebug.verifyFix': () => verifyFix(investigation, server),
    'adebug.keepAsTest': () => onServer(server, 'adebug.saveAsTest'),
    'adebug.showNode': (path: string, place: Range) => showCode(investigation, path, place),
  };
}

/** Handles the server's commands while a debug session asks; returns false to leave them to the server. */
export async function insteadOfServer(
  investigation: Investigation,
  server: () => Server,
  command: string,
  given: unknown[],
): Promise<boolean> {
  if (command === 'adebug.findBug') {
    await findInPiece(server(), given);
    return true;
  }
  if (!investigation.inReplay) return false;
  const doing: Record<string, () => unknown> = {
    'adebug.answer': () =>
      server().isOpen(given[1])
        ? investigation.answer(String(given[0]), investigation.open)
        : tell(new Error(OLD)),
    'adebug.undo': () => investigation.say('adebug/undo', {}),
    'adebug.why': () => investigation.explain(),
    'adebug.reject': () => investigation.order('reject'),
    'adebug.stop': () => vscode.debug.stopDebugging(investigation.current?.session),
  };
  // The server follows the session, and knows the answers that a verdict is based on.
  const found = command === 'adebug.why' && !investigation.question ? undefined : doing[command];
  await found?.();
  return found !== undefined;
}

/** The target of an answer, as passed by a button; the editor's keys and menus pass no target of ours. */
function answering(given: unknown): Answering {
  const { id, node } = (given ?? {}) as { id?: unknown; node?: unknown };
  if (typeof node === 'string') return { node };
  return typeof id === 'number' ? { id } : {};
}

async function expected(investigation: Investigation, about: Answering): Promise<void> {
  const title = 'What should it have been?';
  const value = await vscode.window.showInputBox({ title, prompt: 'The expected value, in the syntax of the program' });
  if (value) await investigation.answer('no', { ...about, expected: value });
}

async function changeStrategy(investigation: Investigation): Promise<void> {
  try {
    const { strategy, strategies } = await investigation.request('adebug/session', {});
    const others = strategies.filter((one) => one !== strategy).map((label) => ({ label }));
    const items = [{ label: strategy, description: 'now' }, ...others];
    const chosen = await vscode.window.showQuickPick(items, { title: 'Strategy that picks the next question' });
    if (chosen) await investigation.say('adebug/strategy', { strategy: chosen.label });
  } catch (error) {
    await tell(error);
  }
}

async function changeGranularity(investigation: Investigation): Promise<void> {
  const chosen = await vscode.window.showQuickPick(GRANULARITIES, { title: 'The finest code that questions are about' });
  const granularity = GRANULARITIES.find((one) => one === chosen);
  if (granularity) await investigation.say('adebug/zoom', { granularity });
}

/** A variable in the Variables view: its evaluateName is its address in the selected stack frame. */
async function wrongValue(investigation: Investigation, given: Variable): Promise<void> {
  const place = given.variable.evaluateName;
  const node = (await investigation.lookedAt())?.node;
  if (place && node) await investigation.say('adebug/mark', { place, node });
  else void vscode.window.showInformationMessage('adebug: only values of the question can be marked.');
}

interface Variable {
  variable: { evaluateName?: string };
}

/** Saves edited files first, as at the start of a debug session: the program runs from the files on disk. */
async function verifyFix(investigation: Investigation, server: Server): Promise<void> {
  const saving = vscode.workspace.getConfiguration('debug').get('saveBeforeStart');
  if (saving !== 'none') await vscode.workspace.saveAll(false);
  const session = investigation.inReplay ? investigation.current?.session : undefined;
  if (session && !session.configuration['recording']) return verifyInSession(investigation, server);
  const verified = await onServer<{ report?: string[]; holds?: boolean }>(server, 'adebug.verify');
  investigation.note(verified?.report ?? [], verified?.holds ?? false);
}

/** Runs the program again in the debug session; its progress can be cancelled, and Stop ends it. */
async function verifyInSession(investigation: Investigation, server: Server): Promise<void> {
  const session = investigation.current?.session;
  investigation.note(['Running the program again...']);
  try {
    const { holds, lines } = await investigation.request('adebug/verify', {});
    if (holds) server.follow(Promise.resolve(null)); // its verdict is obsolete
    investigation.note(lines, holds);
    const show = holds ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    void show(`adebug: ${lines.join('\n')}`);
  } catch (error) {
    if (investigation.current?.session === session) investigation.note([`Not verified: ${said(error)}.`]);
  }
}

/** Runs a command on the server, which reports the result to the user itself; returns undefined on an error. */
async function onServer<T>(server: Server, command: string): Promise<T | undefined> {
  try {
    return await server.command<T>(command);
  } catch (error) {
    void tell(error);
    return undefined;
  }
}

async function showCode(investigation: Investigation, path: string, place: Range): Promise<void> {
  const file = investigation.file(path);
  if (file) await vscode.window.showTextDocument(file, { selection: range(place), preserveFocus: true });
}
