import type { LogLevel } from '@loopfuse/agent';
import type { GuardState, ToView } from '../protocol/index.js';

/** What the chat needs of an editor. VS Code is one, and tests have their own. None of it throws. */
export interface Editor {
  /** Whether the page is loaded and receives messages. */
  readonly hasPage: boolean;
  /** Sends a message to the page, if there is one. */
  post(message: ToView): void;
  /** Whether the page is visible. */
  readonly visible: boolean;
  /** Whether the folder is trusted. */
  readonly trusted: boolean;
  log(level: LogLevel, message: string, data?: unknown): void;
  /** Shows the state of the guard in the status bar, with details in words. */
  showGuard(state: GuardState, more?: string): void;
  /** Whether a request is running, for menus and keys. */
  showBusy(busy: boolean): void;
  /** Shows a notification. Resolves with the label of the button that was pressed, if any. */
  notify(tone: 'info' | 'warning' | 'error', message: string, ...buttons: string[]): Promise<string | undefined>;
  /** Asks for a line of text. */
  ask(title: string, placeholder: string): Promise<string | undefined>;
  /** Shows the page. */
  reveal(): void;
  /** Stored for this workspace, beyond the lifetime of the window. */
  opened: OpenedSession | undefined;
  /** The selection in the active text editor, or all of its text; `undefined` if there is none. */
  excerpt(): Excerpt | undefined;
  openFile(file: string, line?: number): void;
  openDiff(title: string, before: FileText, after: FileText): void;
  copy(text: string): void;
  /** Runs a command of the editor. */
  run(command: string): void;
}

/** The session that is open in the chat. */
export interface OpenedSession {
  readonly id: string;
}

/** A text of a document, as the editor has it. */
export interface Excerpt {
  /** The path of its file; `undefined` if it has none, for example a document that was never saved. */
  readonly file: string | undefined;
  /** Its name in the editor. */
  readonly title: string;
  readonly text: string;
  /** The first and the last line, from 1; absent if it is the whole text. */
  readonly lines?: readonly [first: number, last: number];
  readonly isUnsaved: boolean;
}

export interface FileText {
  readonly path: string;
  readonly text: string;
}
