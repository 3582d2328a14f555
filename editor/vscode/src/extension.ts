// Entry point: creates and connects the parts of the extension.
import * as vscode from 'vscode';
import { commands, insteadOfServer } from './commands';
import { Adapters, Configurations } from './configurations';
import { Decorations } from './decorations';
import { Environments } from './environment';
import { Investigation, TYPE } from './investigation';
import { Offers } from './offering';
import { said, tell } from './problem';
import { QuestionView } from './questionView';
import { keepFollowing, Server } from './server';
import { Status } from './status';
import { Tree } from './tree';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('adebug', { log: true });
  const environments = new Environments(context, log);
  const investigation = new Investigation();
  const server: Server = new Server(environments, log, (command, given) =>
    insteadOfServer(investigation, () => server, command, given),
  );
  const tree = new Tree(investigation);
  const status = new Status(investigation);
  const configurations = new Configurations(environments);
  const { Dynamic } = vscode.DebugConfigurationProviderTriggerKind;

  async function restart(aloud: boolean): Promise<void> {
    const problem = await server.restart();
    status.trouble(problem === undefined ? undefined : said(problem));
    if (problem !== undefined && aloud) await tell(problem);
  }

  context.subscriptions.push(
    log,
    environments,
    investigation,
    server,
    tree,
    status,
    new Decorations(server),
    new QuestionView(context.extensionUri, investigation),
    keepFollowing(server, investigation),
    environments.changed(() => restart(false)),
    vscode.debug.registerDebugConfigurationProvider(TYPE, configurations),
    vscode.debug.registerDebugConfigurationProvider(TYPE, configurations, Dynamic),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, new Adapters(environments)),
    vscode.debug.registerDebugAdapterTrackerFactory('debugpy', new Offers()),
    vscode.commands.registerCommand('adebug.moreNodes', (element) => tree.more(element)),
    vscode.commands.registerCommand('adebug.restartServer', () => restart(true)),
    vscode.commands.registerCommand('adebug.showLog', () => log.show()),
    ...Object.entries(commands(investigation, server)).map(([name, act]) => vscode.commands.registerCommand(name, act)),
  );
  void restart(false);
}
