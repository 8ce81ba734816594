import type { LogLevel } from '@loopfuse/agent';
import { commands, env, type LogOutputChannel, type Memento, Position, Range, Uri, window, workspace } from 'vscode';
import type { ChangeDocuments } from './change-documents.js';
import type { ChatView } from './chat-view.js';
import type { Editor, OpenedSession } from './editor.js';
import { excerptIn } from './excerpt.js';
import type { StatusBar } from './status-bar.js';

export interface VscodeEditorParts {
  readonly log: LogOutputChannel;
  readonly view: ChatView;
  readonly status: StatusBar;
  readonly changes: ChangeDocuments;
  readonly state: Memento;
}

const openedKey = 'loopfuse.opened';

/** VS Code as the chat sees it. */
export function createVscodeEditor({ log, view, status, changes, state }: VscodeEditorParts): Editor {
  const notices = {
    info: window.showInformationMessage,
    warning: window.showWarningMessage,
    error: window.showErrorMessage,
  };
  return {
    get hasPage() {
      return view.loaded;
    },
    post: (message) => view.post(message),
    get visible() {
      return view.visible;
    },
    get trusted() {
      return workspace.isTrusted;
    },
    log: (level, message, data) => writeLog(log, level, message, data),
    showGuard: (guard, more) => status.show(guard, more),
    showBusy: (busy) => void commands.executeCommand('setContext', 'loopfuse.busy', busy),
    notify: async (tone, message, ...buttons) => notices[tone](message, ...buttons),
    ask: async (title, placeHolder) => window.showInputBox({ title, placeHolder, ignoreFocusOut: true }),
    reveal: () => void commands.executeCommand('loopfuse.chat.focus'),
    get opened() {
      return state.get<OpenedSession>(openedKey);
    },
    set opened(session) {
      void state.update(openedKey, session);
    },
    excerpt: () => window.activeTextEditor && excerptIn(window.activeTextEditor),
    openFile(file, line = 1) {
      const at = new Position(Math.max(0, line - 1), 0);
      window.showTextDocument(Uri.file(file), { selection: new Range(at, at) }).then(undefined, (cause: unknown) => {
        // Images and the like have their own editors.
        writeLog(log, 'debug', `${file} is not shown as text: ${String(cause)}`);
        void commands.executeCommand('vscode.open', Uri.file(file));
      });
    },
    openDiff: (title, before, after) => changes.show(title, before, after),
    copy: (text) => void env.clipboard.writeText(text),
    run: (command) => void commands.executeCommand(command),
  };
}

export function writeLog(log: LogOutputChannel, level: LogLevel, message: string, data?: unknown): void {
  log[level](data === undefined ? message : `${message} ${JSON.stringify(data)}`);
}
