import type { LogLevel } from '@loopfuse/agent';
import type { GuardState, ToView } from '../protocol/index.js';

/** What the chat needs of an editor: VS Code is one, and tests bring their own. None of it throws. */
export interface Editor {
  /** Whether the page is loaded and takes messages. */
  readonly hasPage: boolean;
  /** Tells the page, if there is one. */
  post(message: ToView): void;
  /** Whether a person can see the page. */
  readonly visible: boolean;
  /** Whether the folder is trusted. */
  readonly trusted: boolean;
  log(level: LogLevel, message: string, data?: unknown): void;
  /** For the status bar: what the guard is doing, and more about it in words. */
  showGuard(state: GuardState, more?: string): void;
  /** Whether a request is being worked on, for menus and keys. */
  showBusy(busy: boolean): void;
  /** Shows a message outside of the page. Resolves to the label of the button that was pressed, if one was. */
  notify(tone: 'info' | 'warning' | 'error', message: string, ...buttons: string[]): Promise<string | undefined>;
  /** Asks for a line of text. */
  ask(title: string, placeholder: string): Promise<string | undefined>;
  /** Brings the page before the person's eyes. */
  reveal(): void;
  /** Kept for this workspace, beyond the end of the window. */
  opened: OpenedSession | undefined;
  /** What is selected in the text editor in front, or all of its text; `undefined` when there is none. */
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
  /** The path of its file; `undefined` where it is in none, as with a document that was never saved. */
  readonly file: string | undefined;
  /** How the editor calls it. */
  readonly title: string;
  readonly text: string;
  /** The first and the last line, from 1; absent for all of it. */
  readonly lines?: readonly [first: number, last: number];
  readonly isUnsaved: boolean;
}

export interface FileText {
  readonly path: string;
  readonly text: string;
}
