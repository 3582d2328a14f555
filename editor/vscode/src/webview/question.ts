// The script of the Question view. It writes only text, never markup, and sends the chosen commands to the editor.
import type { Question, Row, TreeNode, Verdict } from '../protocol';
import type { Chosen, Page, Wish } from '../questionView';

declare function acquireVsCodeApi(): { postMessage(message: Chosen | Wish): void };

const editor = acquireVsCodeApi();
const [heading, buttons, elsewhere, messages, asked, values] = ['heading', 'buttons', 'elsewhere', 'messages', 'asked', 'values'].map(
  byId,
) as Six;
type Six = [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];

/** Answers of the protocol that have a button: command, label and key. */
const ANSWERS: Record<string, Choice> = {
  yes: ['adebug.yes', 'Yes', 'y'],
  no: ['adebug.no', 'No', 'n'],
  unknown: ['adebug.unknown', "Don't know", 'd'],
  inadmissible: ['adebug.inadmissible', 'Bad input', 'x'],
  trust: ['adebug.trust', 'Trust', 't'],
};
/** Commands that lead to another question. */
const ANSWERING = new Set(Object.values(ANSWERS).map(([command]) => command));
ANSWERING.add('adebug.takeBack').add('adebug.notTheBug').add('adebug.askSkipped');
type Choice = [command: string, text: string, key: string];
const ASIDE: Choice[] = [
  ['adebug.expected', 'Should be...', 'e'],
  ['adebug.takeBack', 'Undo', 'z'],
  ['adebug.explain', 'Why?', 'w'],
];
const AFTER: Choice[] = [
  ['adebug.verifyFix', 'Verify the fix', 'v'],
  ['adebug.notTheBug', 'Not the bug', 'r'],
  ['adebug.keepAsTest', 'Save as test', 's'],
  ['adebug.takeBack', 'Undo', 'z'],
];
const SKIPPED: Choice = ['adebug.askSkipped', 'Ask skipped questions again', 'a'];
let keys = new Map<string, string>();
let focused = '';
/** The shown question, which is the target of the answers. */
let shownId: number | undefined;
/** State to show once the last answer was processed and the page has the focus again. */
let waiting: Page | undefined;

window.addEventListener('message', (event: MessageEvent<Page>) => {
  waiting = event.data;
  if (!isBusy() || waiting.settled) settle();
});
window.addEventListener('keydown', (event) => {
  const command = keys.get(event.key.toLowerCase());
  if (!command || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  choose(command);
});
// Keep the focus after an answer: keys typed for the next question must not go into the program.
window.addEventListener('blur', () => {
  if (isBusy()) editor.postMessage('focus');
});
window.addEventListener('focus', () => {
  document.getElementById(focused)?.focus();
  settle();
});
editor.postMessage('ready');

/** Disables the buttons between an answer and the next question. */
function isBusy(): boolean {
  return buttons.ariaBusy === 'true';
}

function settle(): void {
  const page = waiting;
  waiting = undefined;
  if (page) show(page);
}

function show(page: Page): void {
  buttons.ariaBusy = 'false';
  shownId = page.question?.id;
  elsewhere.replaceChildren(...(page.elsewhere ? aside(page.elsewhere) : []));
  messages.replaceChildren(...page.messages.map((text) => element('p', text, 'note')));
  values.replaceChildren();
  if (page.question) showQuestion(page.question);
  else if (page.verdict) showVerdict(page.verdict, page.fixed);
  else showNothing(page.recording);
  if (page.messages.length) messages.scrollIntoView({ block: 'nearest' });
}

/** The node that the user is looking at instead of the question, which can be judged, too. */
function aside(node: TreeNode): HTMLElement[] {
  const choices = element('div', '', 'choices');
  for (const [text, command] of [['This is right', 'adebug.yes'], ['This is wrong', 'adebug.no']] as const) {
    choices.append(button(text, () => choose(command, { node: node.node })));
  }
  choices.append(button('Go to the question', () => choose('adebug.showQuestion')));
  return [element('p', 'You are not looking at the question, but at:'), element('code', node.text, 'text'), choices];
}

function showQuestion(question: Question): void {
  const { presentation } = question;
  heading.textContent = presentation.prompt;
  asked.replaceChildren(
    title(question.callable, question.path, question.range?.start.line),
    element('code', presentation.asked, 'text'),
  );
  if (question.default) asked.append(element('p', `You answered ${question.default} before.`, 'note'));
  if (question.coarse) asked.append(element('p', `Less exact than usual: ${question.coarse}`, 'note'));
  offer([...question.answers.map((word) => ANSWERS[word]).filter((one) => one !== undefined), ...ASIDE]);
  values.replaceChildren(...table(question));
}

function showVerdict(verdict: Verdict, fixed: boolean): void {
  const titles: Partial<Record<Verdict['kind'], string>> = {
    none: 'No bug found',
    candidates: 'Dead end: one of these is the bug',
    inadmissible: 'Bug found: a call with bad input',
  };
  const [first] = verdict.buggy;
  const what = fixed ? 'Fixed' : (titles[verdict.kind] ?? 'Bug found');
  heading.textContent = what;
  const found = title(verdict.callable, first?.path ?? null, first?.range.start.line);
  const code = verdict.buggy.map((place) => element('code', place.text ?? '', 'text'));
  asked.replaceChildren(found, ...code, element('p', `${verdict.explanation}.`));
  asked.append(element('p', `${verdict.asked} answers from you, ${verdict.questions - verdict.asked} from oracles.`, 'note'));
  offer(verdict.kind === 'candidates' ? [SKIPPED, ...AFTER] : AFTER);
}

function showNothing(recording: boolean): void {
  const text = recording
    ? 'Recording… Questions start when the program ends.'
    : 'There is no open question.';
  heading.textContent = '';
  asked.replaceChildren(element('p', text));
  offer(recording ? [['adebug.findNow', 'Find the bug now', 'f']] : []);
}

/** The name of the routine, and a link to the code. */
function title(callable: string, path: string | null, line: number | undefined): HTMLElement {
  const found = element('div', '', 'title');
  found.append(element('strong', callable));
  if (path && line !== undefined) {
    const link = element('a', `${path}:${line + 1}`) as HTMLAnchorElement;
    link.href = '#';
    link.addEventListener('click', () => choose('adebug.showQuestion'));
    found.append(link);
  }
  return found;
}

/** The rows that the headline does not show, and where the call was made. */
function table({ presentation }: Question): HTMLElement[] {
  const found = element('table');
  const below = presentation.rows.filter((one) => !one.in_headline);
  below.forEach((one, index) => {
    const isFirst = below[index - 1]?.section !== one.section;
    found.append(row([isFirst && one.section !== 'effect' ? one.label : '', one], one.section));
  });
  const { called } = presentation;
  const from = called ? [element('p', `Called by ${called.routine}: ${called.text}`, 'note')] : [];
  return below.length ? [found, ...from] : from;
}

/** A table row: the label of its section, then the name with the value; output as it was written. */
function row([label, shown]: [string, Row], kind: string): HTMLElement {
  const found = element('tr', '', kind);
  const first = element('th', label);
  first.setAttribute('scope', 'row');
  const cell = element('td');
  cell.append(element('div', shown.line, 'line'));
  if (shown.lines.length) cell.append(element('pre', shown.lines.join('\n')));
  found.append(first, cell);
  return found;
}

/** Shows buttons; the focus stays on the same one, so that several questions can be answered with one key. */
function offer(choices: Choice[]): void {
  const hadFocus = buttons.contains(document.activeElement);
  keys = new Map(choices.map(([command, , key]) => [key, command]));
  buttons.replaceChildren(
    ...choices.map(([command, text, key], index) => {
      const made = button(text, () => choose(command), index < 2 ? 'main' : '');
      made.id = command;
      made.title = `${text} (${key})`;
      made.setAttribute('aria-keyshortcuts', key);
      return made;
    }),
  );
  if (hadFocus) (document.getElementById(focused) ?? buttons.querySelector('button'))?.focus();
}

function button(text: string, act: () => void, kind = ''): HTMLButtonElement {
  const made = element('button', text, kind) as HTMLButtonElement;
  made.addEventListener('click', act);
  return made;
}

function choose(command: string, about: Chosen['about'] = shownId === undefined ? {} : { id: shownId }): void {
  if (isBusy()) return;
  focused = document.activeElement?.id || command;
  if (ANSWERING.has(command)) buttons.ariaBusy = 'true';
  editor.postMessage({ command, about });
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
