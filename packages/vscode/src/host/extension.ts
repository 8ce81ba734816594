import type { ClientEvent, SessionSummary } from '@loopfuse/agent';
import { messageOf } from 'loopfuse/words';
import { commands, type ExtensionContext, RelativePattern, Uri, window, workspace } from 'vscode';
import { ChangeDocuments } from './change-documents.js';
import type { Chat } from './chat/chat.js';
import { ChatView } from './chat-view.js';
import { chooseModel } from './choose-model.js';
import { type CommandName, commandNames } from './commands.js';
import { editorPrice, namedKeyVariables } from './configuration.js';
import type { Excerpt } from './editor.js';
import { excerptOf, wholeExcerpt } from './excerpt.js';
import { createFolders } from './folders.js';
import { guardItems } from './guard-items.js';
import { home } from './home.js';
import { createKeys } from './keys.js';
import { sessionCommands } from './sessions/session-commands.js';
import { SessionsTree } from './sessions/sessions-tree.js';
import { TimelineDocuments } from './sessions/timeline-documents.js';
import { createStatusBar } from './status-bar.js';
import { createVscodeEditor, writeLog } from './vscode-editor.js';

/** The API for other extensions and tests. */
export interface Api {
  readonly chat: {
    /** Resolves when the request has ended, successfully or not. */
    send(text: string): Promise<void>;
    /** Shows an event of another client in the chat as if ours had sent it. */
    receive(event: ClientEvent): void;
  };
}

/** The most trace files that are shown. */
const mostTraces = 200;

/** The chat, once it was used. `deactivate` closes it. */
let opened: Promise<Chat> | undefined;

export function activate(context: ExtensionContext): Api {
  const { extensionUri, secrets, workspaceState: state, subscriptions } = context;
  const log = window.createOutputChannel('Loopfuse', { log: true });
  const status = createStatusBar();
  const changes = new ChangeDocuments();
  const timelines = new TimelineDocuments();
  const folders = createFolders(state);
  const keys = createKeys({
    secrets,
    namedVariables: namedKeyVariables,
    addressFor: async (variable) => (await import('./open-in-folder.js')).addressFor(folders, variable),
    onFault: storageFailed,
  });
  const view = new ChatView(extensionUri, (message) => void chat().then((one) => one.take(message), failed));
  const editor = createVscodeEditor({ log, view, status, changes, state });
  const tree = new SessionsTree({ own: ownSessions, traces: traceFiles, onFault: (message) => log.warn(message) });

  /** The agent and its dependencies are loaded when they are needed, not when the window opens. */
  function chat(): Promise<Chat> {
    opened ??= Promise.all([import('./chat/chat.js'), import('./open-in-folder.js'), import('./editor-edits.js')]).then(
      ([{ startChat }, { openInFolder }, { editorEdits }]) => {
        const edits = editorEdits(editsFolder(context), (message) => writeLog(log, 'warn', message));
        return startChat({
          editor,
          open: () => openInFolder(folders, keys, edits.files),
          edits,
          priceOf: editorPrice,
          onSessions: () => tree.refresh(),
        });
      },
    );
    return opened;
  }

  async function ownSessions(): Promise<readonly SessionSummary[]> {
    const folder = await folders.current();
    if (folder === undefined) return [];
    const { listSessions, sessionFolder, createWorkspace } = await import('@loopfuse/agent');
    return listSessions(sessionFolder(home(), createWorkspace(folder.uri.fsPath).root));
  }

  async function traceFiles(): Promise<readonly string[]> {
    const found = await workspace.findFiles('**/*.jsonl', '**/{node_modules,.git}/**', mostTraces);
    const files = found.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
    const { isTrace } = await import('./sessions/recording.js');
    const traces: string[] = [];
    for (const file of files.sort()) if (await isTrace(file)) traces.push(file);
    return traces;
  }

  function failed(cause: unknown): void {
    const message = messageOf(cause);
    writeLog(log, 'error', message);
    void window.showErrorMessage(`Loopfuse: ${message}`);
  }

  let saidThatStorageFails = false;

  /** Shown once, because keys are read whenever something changes. */
  function storageFailed(cause: unknown): void {
    const message = `The editor’s secret storage cannot be read, and no key from it is used: ${messageOf(cause)}`;
    writeLog(log, 'warn', message);
    if (!saidThatStorageFails) void window.showWarningMessage(`Loopfuse: ${message}`);
    saidThatStorageFails = true;
  }

  /** A chat that was not opened yet needs no refresh. */
  function refresh(): void {
    void opened?.then((one) => one.refresh(), failed);
    tree.refresh();
  }

  async function send(text?: unknown): Promise<void> {
    const words =
      typeof text === 'string' ? text : await editor.ask('Send a message to the agent', 'What should be done?');
    if (words === undefined || words.trim() === '') return;
    editor.reveal();
    await (await chat()).send(words);
  }

  async function attach(excerpt: Excerpt | undefined): Promise<void> {
    if (excerpt === undefined)
      return void window.showInformationMessage('No text is open in the editor: open a file, then attach it.');
    editor.reveal();
    await (await chat()).attach(excerpt);
  }

  async function showLoop(): Promise<void> {
    const one = await chat();
    if (one.halted !== undefined) return editor.reveal();
    const off = one.guard === 'off';
    const chosen = await window.showQuickPick(
      [
        {
          label: off ? '$(shield) Switch loop detection on' : '$(circle-slash) Switch loop detection off',
          run: 'toggleDetection',
        },
        { label: '$(comment-discussion) Show the chat', run: 'focus' },
        { label: '$(output) Show the log', run: 'showLog' },
        { label: '$(gear) Open settings', run: 'openSettings' },
        ...guardItems(one.guardRows),
      ],
      { matchOnDescription: true, title: `Loopfuse, loop guard: ${one.guard}` },
    );
    if (chosen !== undefined) editor.run(`loopfuse.${chosen.run}`);
  }

  const handlers: { readonly [Name in CommandName]: (...args: never[]) => unknown } = {
    ...sessionCommands({ chat, tree, timelines, own: ownSessions, reveal: editor.reveal }),
    async newChat() {
      editor.reveal();
      await (await chat()).newChat();
    },
    send,
    attachSelection: () => attach(editor.excerpt()),
    attachFile: async (uri?: unknown) => attach(uri instanceof Uri ? await excerptOf(uri) : wholeExcerpt()),
    stop: async () => (await chat()).stop(),
    async continue() {
      editor.reveal();
      await (await chat()).goOn();
    },
    setApiKey: keys.set,
    forgetApiKey: keys.forget,
    async decideKey() {
      const { problem } = await chat();
      if (problem?.type === 'key-address') await keys.decide(problem);
      else
        void window.showInformationMessage(
          'No decision is needed: every stored key is used only for addresses that it was stored for.',
        );
    },
    async chooseModel() {
      const { provider, model } = (await chat()).model ?? {};
      await chooseModel({ provider, model });
    },
    toggleDetection: async () => (await chat()).toggleDetection(),
    showLoop,
    showLog: () => log.show(),
    openSettings: () => commands.executeCommand('workbench.action.openSettings', `@ext:${context.extension.id}`),
    async focus() {
      await commands.executeCommand('loopfuse.chat.focus');
      (await chat()).compose();
    },
    async chooseFolder() {
      if (await folders.choose()) refresh();
    },
  };

  const settingsFiles = [
    '**/.loopfuse/settings.json',
    new RelativePattern(Uri.joinPath(Uri.file(home()), '.loopfuse'), 'settings.json'),
  ].map((pattern) => workspace.createFileSystemWatcher(pattern));
  const traceWatcher = workspace.createFileSystemWatcher('**/*.jsonl', false, true, false);

  subscriptions.push(
    ...[log, status, changes, timelines, view, tree, traceWatcher, ...settingsFiles],
    ...commandNames.map((name) =>
      commands.registerCommand(`loopfuse.${name}`, async (...args: never[]) => {
        try {
          return await handlers[name](...args);
        } catch (cause) {
          failed(cause);
        }
      }),
    ),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('loopfuse')) refresh();
    }),
    workspace.onDidGrantWorkspaceTrust(refresh),
    workspace.onDidChangeWorkspaceFolders(refresh),
    secrets.onDidChange(refresh),
    ...settingsFiles.flatMap((watcher) => [
      watcher.onDidChange(refresh),
      watcher.onDidCreate(refresh),
      watcher.onDidDelete(refresh),
    ]),
    traceWatcher.onDidCreate(() => tree.refresh()),
    traceWatcher.onDidDelete(() => tree.refresh()),
  );
  writeLog(log, 'info', `Loopfuse ${String(context.extension.packageJSON.version)} is ready`);

  return {
    chat: {
      send: async (text) => (await chat()).send(text),
      receive: (event) => void chat().then((one) => one.show(event), failed),
    },
  };
}

/** Where the editor keeps what belongs to this workspace. */
function editsFolder({ storageUri, globalStorageUri }: ExtensionContext): string {
  return Uri.joinPath(storageUri ?? globalStorageUri, 'edits').fsPath;
}

/** Cancels the running request and saves the session. The editor waits for this for a limited time. */
export async function deactivate(): Promise<void> {
  await (await opened)?.close();
  opened = undefined;
}
