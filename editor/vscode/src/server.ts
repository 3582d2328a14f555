// The language server `adebug lsp`. In this editor, a debug session asks; the server follows it, and shows it in files.
import * as vscode from 'vscode';
import {
  CodeLensRequest,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type ServerOptions,
} from 'vscode-languageclient/node';
import { DOCUMENTS } from './documents';
import type { Environments } from './environment';
import type { Investigation } from './investigation';
import { said } from './problem';
import type { Range, Session } from './protocol';

/** The server's notification about the code in question. */
export interface Shown {
  uri: string | null;
  question: { type: string; kind: string; result?: string | null; raised?: string | null } | null;
  inQuestion: Range[];
  ran: Range[];
}

/** Handles a command in place of the server; returns false to leave it to the server. */
export type Instead = (command: string, given: unknown[]) => Promise<boolean>;

/** Milliseconds before lenses are refreshed again: an editor that loses the focus meanwhile skips the refresh. */
const AGAIN = [500, 2_000];

export class Server implements vscode.Disposable {
  private readonly shows = new vscode.EventEmitter<Shown>();
  /** Fires when the code in question changes. */
  readonly shown = this.shows.event;
  private client: LanguageClient | undefined;
  private starting: Promise<void> = Promise.resolve();
  /** Number of the question that the server shows for a debug session; undefined if it follows none. */
  private shownNumber: number | undefined;
  private following: Promise<void> = Promise.resolve();

  constructor(
    private readonly environments: Environments,
    private readonly log: vscode.LogOutputChannel,
    private readonly instead: Instead,
  ) {}

  dispose(): void {
    this.shows.dispose();
    void this.client?.dispose();
  }

  /** Starts or restarts the server, one start at a time. Returns the error that prevents it, if any. */
  restart(): Promise<unknown> {
    const begun = this.starting.then(() => this.begin());
    this.starting = begun.then(() => undefined, () => undefined);
    return begun.then(
      () => undefined,
      (error) => error,
    );
  }

  /** Executes a command on the server; throws the error that it returns. */
  async command<T>(command: string, ...given: unknown[]): Promise<T> {
    await this.starting;
    if (!this.client?.isRunning()) throw new Error('the language server does not run');
    const found = await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: given });
    return found as T;
  }

  /** Shows the question of a debug session; null: the session has ended. */
  follow(session: Promise<Session | null>): void {
    this.following = session.then((found) => this.goTo(found));
  }

  private async goTo(session: Session | null): Promise<void> {
    if (!session && this.shownNumber === undefined) return;
    try {
      const line = await this.command<{ id?: number }>('adebug.follow', session);
      this.shownNumber = session ? (line.id ?? 0) : undefined;
      for (const wait of AGAIN) setTimeout(() => this.refreshLenses(), wait);
    } catch (error) {
      this.log.warn(`the language server cannot follow the debug session: ${said(error)}`);
    }
  }

  /** Whether a lens or an action belongs to the open question; an old one may still be on the screen. */
  isOpen(number: unknown): boolean {
    return number === undefined || number === this.shownNumber;
  }

  private refreshLenses(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      const provider = this.client?.getFeature(CodeLensRequest.method).getProvider(document);
      provider?.onDidChangeCodeLensEmitter.fire();
    }
  }

  private async begin(): Promise<void> {
    await this.client?.dispose();
    this.client = undefined;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const environment = await this.environments.find(folder);
    const server: ServerOptions = {
      command: environment.python,
      args: [...environment.command, 'lsp'],
      ...(folder ? { options: { cwd: folder.fsPath } } : {}),
    };
    const client = new LanguageClient('adebug', 'adebug', server, this.options(environment.chosen, environment.python));
    client.onNotification('adebug/projection', (shown: Shown) => this.shows.fire(shown));
    await client.start();
    this.client = client;
  }

  private options(chosen: boolean, python: string): LanguageClientOptions {
    return {
      documentSelector: DOCUMENTS,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // The debugger shows values at the ends of lines; hints would show them twice.
      initializationOptions: {
        ask: 'lens',
        projection: true,
        inlayHints: false,
        ...(chosen ? { interpreter: python } : {}),
      },
      middleware: {
        // The editor requests inline values once per stop, so wait until the server has followed.
        provideInlineValues: async (document, place, context, token, next) => {
          await this.following;
          return next(document, place, context, token);
        },
        executeCommand: async (command, given, next) =>
          (await this.instead(command, given)) ? undefined : next(command, given),
      },
    };
  }
}

/** Keeps the server in sync with the debug session. */
export function keepFollowing(server: Server, investigation: Investigation): vscode.Disposable {
  let last = '';
  return investigation.changed(() => {
    if (investigation.moment === last) return;
    last = investigation.moment;
    const { inReplay } = investigation;
    server.follow(inReplay ? investigation.request('adebug/session', {}).catch(() => null) : Promise.resolve(null));
  });
}
