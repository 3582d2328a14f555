// The script of the question view. It writes text only, never markup, and asks the editor to do what is chosen.
import type { Question, Verdict } from '../protocol';
import type { Chosen, Page } from '../questionView';

declare function acquireVsCodeApi(): { postMessage(message: Chosen | 'ready'): void };

const editor = acquireVsCodeApi();
const shown = byId('shown');
const buttons = byId('buttons');

/** Words of the protocol that have buttons, their commands, texts and keys. */
const ANSWERS: Record<string, [command: string, text: string, key: string]> = {
  yes: ['adebug.yes', 'Yes', 'y'],
  no: ['adebug.no', 'No', 'n'],
  unknown: ['adebug.unknown', "Don't know", 'd'],
  inadmissible: ['adebug.inadmissible', 'Inadmissible', 'x'],
  trust: ['adebug.trust', 'Trust', 't'],
};
const ASIDE: [string, string, string][] = [
  ['adebug.expected', 'Should have been...', 'e'],
  ['adebug.takeBack', 'Undo', 'z'],
  ['adebug.explain', 'Why?', 'w'],
];
const AFTER: [string, string, string][] = [
  ['adebug.verifyFix', 'Verify the fix', 'v'],
  ['adebug.notTheBug', 'Not the bug', 'n'],
  ['adebug.keepAsTest', 'Save as test', 's'],
  ['adebug.takeBack', 'Undo', 'z'],
  ['adebug.explain', 'Why?', 'w'],
];
let keys = new Map<string, string>();

window.addEventListener('message', (event: MessageEvent<Page>) => show(event.data));
window.addEventListener('keydown', (event) => {
  const command = keys.get(event.key.toLowerCase());
  if (!command || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  choose(command);
});
editor.postMessage('ready');

function show(page: Page): void {
  if (page.question) {
    const answers = page.question.answers.map((word) => ANSWERS[word]).filter((one) => one !== undefined);
    shown.replaceChildren(...question(page.question), ...notes(page.told));
    offer([...answers, ...ASIDE]);
  } else if (page.verdict) {
    shown.replaceChildren(...verdict(page.verdict), ...notes(page.told));
    offer(AFTER);
  } else {
    const text = page.recording
      ? 'The program runs, and is recorded. Questions come when it has ended.'
      : 'Nothing is asked now.';
    shown.replaceChildren(element('p', text));
    offer(page.recording ? [['adebug.findNow', 'Find the bug now', 'f']] : []);
  }
}

function question(asked: Question): HTMLElement[] {
  const found = [element('h2', 'Is this right?'), ...where(asked.callable, asked.path, asked.range?.start.line)];
  found.push(element('code', asked.text, 'text'));
  const values = table(asked);
  if (values) found.push(values);
  if (asked.default) found.push(element('p', `You answered ${asked.default} before.`, 'note'));
  if (asked.coarse) found.push(element('p', `Less exact than usual: ${asked.coarse}`, 'note'));
  return found;
}

function verdict(found: Verdict): HTMLElement[] {
  const titles: Partial<Record<Verdict['kind'], string>> = {
    none: 'No bug found',
    candidates: 'One of these is wrong',
    inadmissible: 'Bug found: an inadmissible call',
  };
  const shown = [element('h2', titles[found.kind] ?? 'Bug found'), element('p', found.explanation)];
  for (const place of found.buggy) {
    shown.push(...where(found.callable, place.path, place.range.start.line));
    if (place.text) shown.push(element('pre', place.text, 'text'));
  }
  shown.push(element('p', `${found.questions} answers, ${found.asked} of them yours.`, 'note'));
  return shown;
}

/** The routine, and a link to the code. */
function where(callable: string, path: string | null, line: number | undefined): HTMLElement[] {
  const found = element('p', '', 'where');
  if (callable) found.append(element('strong', callable), ' ');
  if (path && line !== undefined) {
    const link = element('a', `${path}:${line + 1}`) as HTMLAnchorElement;
    link.href = '#';
    link.addEventListener('click', () => choose('adebug.showQuestion'));
    found.append(link);
  }
  return [found];
}

/** The values before and after; columns that would be empty are left out. */
function table(asked: Question): HTMLElement | undefined {
  const names = [...new Set([...Object.keys(asked.before), ...Object.keys(asked.after)])];
  const rows = names.map((name) => [name, asked.before[name] ?? '', asked.after[name] ?? '']);
  if (asked.result !== null) rows.push(['result', '', asked.result]);
  if (asked.raised !== null) rows.push(['raised', '', asked.raised]);
  if (!rows.length) return undefined;
  const found = element('table');
  found.append(row('th', ['', 'before', 'after']));
  for (const cells of rows) found.append(row('td', cells));
  return found;
}

function row(kind: 'td' | 'th', cells: string[]): HTMLElement {
  const found = element('tr');
  cells.forEach((cell, index) => {
    const made = element(index === 0 && kind === 'td' ? 'th' : kind, cell);
    made.setAttribute('scope', kind === 'th' ? 'col' : 'row');
    if (kind === 'td' && index > 0) made.removeAttribute('scope');
    found.append(made);
  });
  return found;
}

function notes(told: string[]): HTMLElement[] {
  return told.map((text) => element('p', text, 'note'));
}

/** Show buttons; the one that had the focus keeps it, so that a series can be answered with one key. */
function offer(choices: [command: string, text: string, key: string][]): void {
  const focused = document.activeElement?.id;
  keys = new Map(choices.map(([command, , key]) => [key, command]));
  buttons.replaceChildren(
    ...choices.map(([command, text, key], index) => {
      const button = element('button', text, index < 2 ? 'main' : '') as HTMLButtonElement;
      button.id = command;
      button.title = `${text} (${key})`;
      button.setAttribute('aria-keyshortcuts', key);
      button.addEventListener('click', () => choose(command));
      return button;
    }),
  );
  if (focused) document.getElementById(focused)?.focus();
}

function choose(command: string, ...given: unknown[]): void {
  editor.postMessage({ command, given });
}

function element(name: string, text = '', kind = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}
