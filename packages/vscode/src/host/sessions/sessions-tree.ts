import { basename } from 'node:path';
import type { SessionSummary } from '@loopfuse/agent';
import { messageOf } from 'loopfuse/words';
import {
  type Disposable,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Library, Shelved } from './library.js';
import type { RecordedLoop } from './loops-in.js';

/** A node of the tree. */
export type Node =
  | { readonly type: 'group'; readonly label: string; readonly nodes: readonly Node[] }
  | { readonly type: 'own'; readonly session: SessionSummary }
  | { readonly type: 'trace'; readonly file: string }
  | { readonly type: 'session'; readonly session: Shelved }
  | { readonly type: 'loop'; readonly session: Shelved; readonly loop: RecordedLoop }
  | { readonly type: 'note'; readonly text: string };

export interface SessionsTreeOptions {
  /** Our own sessions of this folder, latest first. */
  readonly own: () => Promise<readonly SessionSummary[]>;
  /** The trace files of the workspace. */
  readonly traces: () => Promise<readonly string[]>;
  readonly onFault: (message: string) => void;
}

/** The number of files of each kind that are scanned in advance; the others are scanned when they are opened. */
const beforehand = 30;

/** The recorded sessions of the workspace, and the loops in each. Files are scanned in the background. */
export class SessionsTree implements TreeDataProvider<Node>, Disposable {
  static readonly id = 'loopfuse.sessions';
  readonly #changed = new EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #library: Library | undefined;
  readonly #options: SessionsTreeOptions;
  readonly #view = window.createTreeView(SessionsTree.id, { treeDataProvider: this, showCollapseAll: true });
  #round = 0;

  constructor(options: SessionsTreeOptions) {
    this.#options = options;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  /** The sessions in a file, for commands. */
  async sessionsIn(file: string): Promise<readonly Shelved[]> {
    // The code that reads files is loaded with the first file, not when the window opens.
    const { createLibrary } = await import('./library.js');
    this.#library ??= createLibrary();
    return this.#library.look(file);
  }

  dispose(): void {
    this.#round++;
    this.#view.dispose();
    this.#changed.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.#roots();
    switch (node.type) {
      case 'group':
        return [...node.nodes];
      case 'own':
        return this.#sessions(node.session.file, (sessions) => sessions.flatMap(loopNodes));
      case 'trace':
        return this.#sessions(node.file, (sessions) =>
          sessions.length === 1
            ? sessions.flatMap(loopNodes)
            : sessions.map((session) => ({ type: 'session', session })),
        );
      case 'session':
        return loopNodes(node.session);
      case 'loop':
      case 'note':
        return [];
    }
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.type) {
      case 'group':
        return new TreeItem(node.label, TreeItemCollapsibleState.Expanded);
      case 'own':
        return this.#ownItem(node);
      case 'trace':
        return this.#traceItem(node);
      case 'session':
        return sessionItem(node);
      case 'loop':
        return loopItem(node);
      case 'note': {
        const item = new TreeItem(node.text);
        item.iconPath = new ThemeIcon('info');
        return item;
      }
    }
  }

  async #roots(): Promise<Node[]> {
    const [own, traces] = await Promise.all([
      this.#options.own().catch((cause: unknown) => this.#fault(cause)),
      this.#options.traces().catch((cause: unknown) => this.#fault(cause)),
    ]);
    const chats = own.map((session): Node => ({ type: 'own', session }));
    const files = traces.map((file): Node => ({ type: 'trace', file }));
    void this.#lookThrough([...chats.slice(0, beforehand), ...files.slice(0, beforehand)]);
    if (files.length === 0) return chats;
    return [
      ...(chats.length === 0 ? [] : [{ type: 'group', label: 'Chats', nodes: chats } as const]),
      { type: 'group', label: 'Trace files', nodes: files },
    ];
  }

  async #sessions(file: string, show: (sessions: readonly Shelved[]) => Node[]): Promise<Node[]> {
    try {
      const nodes = show(await this.sessionsIn(file));
      return nodes.length > 0 ? nodes : [{ type: 'note', text: 'No loops were found.' }];
    } catch (cause) {
      return [{ type: 'note', text: messageOf(cause) }];
    }
  }

  /** Scans one file after the other, until the next refresh. Each node is updated when its loops are known. */
  async #lookThrough(nodes: readonly Node[]): Promise<void> {
    const round = ++this.#round;
    for (const node of nodes) {
      const file = node.type === 'own' ? node.session.file : node.type === 'trace' ? node.file : undefined;
      if (file === undefined || this.#round !== round) return;
      const before = this.#library?.known(file);
      const after = await this.sessionsIn(file).catch(() => undefined);
      if (this.#round === round && after !== undefined && after !== before) this.#changed.fire(node);
    }
  }

  #ownItem(node: Extract<Node, { type: 'own' }>): TreeItem {
    const { session } = node;
    const { title, messages, updatedAt, model, halted, file } = session;
    const item = new TreeItem(title || '(no messages)', TreeItemCollapsibleState.Collapsed);
    const loops = this.#library?.known(file)?.flatMap((one) => one.loops).length ?? 0;
    item.id = `own ${file}`;
    item.description = [loopsInWords(loops), when(updatedAt)].filter(Boolean).join(' · ');
    item.tooltip = `${title}\n${messages} messages with ${model}, ${when(updatedAt)}${halted ? '\nHalted by the loop guard' : ''}`;
    item.iconPath = halted
      ? new ThemeIcon('warning', new ThemeColor('problemsWarningIcon.foreground'))
      : new ThemeIcon('comment-discussion');
    item.contextValue = 'own';
    item.command = { command: 'loopfuse.resume', title: 'Resume', arguments: [node] };
    return item;
  }

  #traceItem(node: Extract<Node, { type: 'trace' }>): TreeItem {
    const { file } = node;
    const item = new TreeItem(basename(file), TreeItemCollapsibleState.Collapsed);
    const known = this.#library?.known(file);
    const loops = known?.flatMap((one) => one.loops).length ?? 0;
    const folder = workspace.asRelativePath(Uri.file(file)).split('/').slice(0, -1).join('/');
    item.id = `trace ${file}`;
    item.description = [loopsInWords(loops), folder].filter(Boolean).join(' · ');
    item.tooltip = file;
    item.iconPath = new ThemeIcon('list-flat');
    item.contextValue = 'trace';
    item.command = { command: 'loopfuse.openSession', title: 'Show the Timeline', arguments: [node] };
    return item;
  }

  #fault(cause: unknown): readonly never[] {
    this.#options.onFault(`The sessions cannot be listed: ${messageOf(cause)}`);
    return [];
  }
}

function sessionItem(node: Extract<Node, { type: 'session' }>): TreeItem {
  const { title, model, agent, events, loops, file, id } = node.session;
  const item = new TreeItem(
    title,
    loops.length === 0 ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Collapsed,
  );
  item.id = `session ${file} ${id}`;
  item.description = [loopsInWords(loops.length), agent, model].filter(Boolean).join(' · ');
  item.tooltip = `${title}\n${events} events`;
  item.iconPath = new ThemeIcon('list-flat');
  item.contextValue = 'trace';
  item.command = { command: 'loopfuse.openSession', title: 'Show the Timeline', arguments: [node] };
  return item;
}

function loopItem(node: Extract<Node, { type: 'loop' }>): TreeItem {
  const { title, message, onset, until } = node.loop;
  const item = new TreeItem(title);
  item.description = message;
  item.tooltip = `${message}\nEvents ${onset} to ${until}`;
  item.iconPath = new ThemeIcon('sync', new ThemeColor('problemsWarningIcon.foreground'));
  item.contextValue = 'loop';
  item.command = { command: 'loopfuse.openFinding', title: 'Show Where It Began', arguments: [node] };
  return item;
}

function loopNodes(session: Shelved): Node[] {
  return session.loops.map((loop) => ({ type: 'loop', session, loop }));
}

function loopsInWords(count: number): string {
  return count === 0 ? '' : count === 1 ? '1 loop' : `${count} loops`;
}

function when(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleString();
}
