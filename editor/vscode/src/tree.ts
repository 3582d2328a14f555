// The execution tree: children on demand, a page at a time, with the node in question always among them.
import * as vscode from 'vscode';
import { said } from './problem';
import type { Investigation } from './investigation';
import type { Children, TreeNode } from './protocol';

const PAGE = 100;
/** Maximum depth that is expanded automatically: deeper trees make the view slow. */
const DEEPEST = 200;

/** A node of the execution tree, or the item that loads more of them. */
type Element = Shown | More;

interface Shown {
  node: TreeNode;
  parent: Shown | undefined;
}

interface More {
  /** The node whose children are loaded. */
  more: string;
  left: number;
  parent: Shown;
}

const LOOKS: Record<TreeNode['state'], [icon: string, color: string, words: string]> = {
  correct: ['pass', 'testing.iconPassed', 'correct'],
  wrong: ['error', 'testing.iconFailed', 'wrong'],
  unknown: ['question', 'testing.iconUnset', 'not known'],
  inadmissible: ['circle-slash', 'testing.iconErrored', 'bad input'],
  trusted: ['shield', 'testing.iconPassed', 'trusted'],
  undefined: ['circle-large-outline', 'testing.iconUnset', 'not asked yet'],
};
const ASKED = ['debug-stackframe', 'debugIcon.breakpointCurrentStackframeForeground', 'in question'] as const;

export class Tree implements vscode.TreeDataProvider<Element>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly view: vscode.TreeView<Element>;
  private readonly listening: vscode.Disposable[];
  /** Number of children shown of a node, if more than one page. */
  private readonly wanted = new Map<string, number>();
  /** Path from the root to the node in question. */
  private path: TreeNode[] = [];
  private session: string | undefined;
  private moment = '';

  constructor(private readonly investigation: Investigation) {
    this.view = vscode.window.createTreeView('adebug.tree', { treeDataProvider: this, showCollapseAll: true });
    this.listening = [
      this.view,
      this.changes,
      investigation.changed(() => this.refresh()),
      this.view.onDidChangeVisibility(() => this.reveal()),
    ];
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  async getChildren(element?: Element): Promise<Element[]> {
    if (!this.investigation.inReplay || (element && 'more' in element)) return [];
    try {
      return element ? await this.below(element) : await this.root();
    } catch (error) {
      this.view.message = said(error);
      return [];
    }
  }

  getParent(element: Element): Element | undefined {
    return element.parent;
  }

  getTreeItem(element: Element): vscode.TreeItem {
    return 'more' in element ? moreItem(element) : nodeItem(element.node);
  }

  /** Shows another page of the children of a node. */
  more(element: Element): void {
    if (!('more' in element)) return;
    this.wanted.set(element.more, (this.wanted.get(element.more) ?? PAGE) + PAGE);
    this.changes.fire();
  }

  private async root(): Promise<Element[]> {
    const { node } = await this.investigation.request('adebug/children', { count: 0 });
    return [{ node, parent: undefined }];
  }

  private async below(parent: Shown): Promise<Element[]> {
    const name = parent.node.node;
    const count = this.wanted.get(name) ?? PAGE;
    const page: Children = await this.investigation.request('adebug/children', { node: name, count });
    const found: Element[] = page.children.map((node) => ({ node, parent }));
    const above = this.path.findIndex((node) => node.node === name);
    const asked = above >= 0 ? this.path[above + 1] : undefined;
    const left = page.total - page.children.length;
    if (left > 0) found.push({ more: name, left, parent });
    if (asked && !page.children.some((node) => node.node === asked.node)) found.push({ node: asked, parent });
    return found;
  }

  private async refresh(): Promise<void> {
    if (this.investigation.moment === this.moment) return;
    this.moment = this.investigation.moment;
    const session = this.investigation.current?.session.id;
    if (session !== this.session) this.wanted.clear();
    this.session = session;
    this.view.message = '';
    this.path = [];
    if (this.investigation.inReplay) {
      const found = await this.investigation.request('adebug/path', {}).catch(() => undefined);
      this.path = found?.path ?? [];
    }
    this.changes.fire();
    await this.reveal();
  }

  /** Expands the tree down to the node in question. */
  private async reveal(): Promise<void> {
    let element: Shown | undefined;
    for (const node of this.path) element = { node, parent: element };
    if (element && this.view.visible && this.path.length <= DEEPEST) {
      await this.view.reveal(element, { select: true, focus: false }).then(undefined, () => undefined);
    }
  }
}

function nodeItem(node: TreeNode): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(node.text, node.expandable ? Collapsed : None);
  const [icon, color, words] = node.asked ? ASKED : LOOKS[node.state];
  item.id = node.node;
  item.description = words;
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.tooltip = `${node.text}\n${node.kind}, ${words}`;
  item.accessibilityInformation = { label: `${words}: ${node.kind} ${node.text}` };
  if (node.path && node.range) {
    item.command = { command: 'adebug.showNode', title: 'Show the Code', arguments: [node.path, node.range] };
  }
  return item;
}

function moreItem(element: More): vscode.TreeItem {
  const item = new vscode.TreeItem(`Show more (${element.left} left)`);
  item.id = `${element.more} more`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'adebug.moreNodes', title: 'Show More', arguments: [element] };
  return item;
}
