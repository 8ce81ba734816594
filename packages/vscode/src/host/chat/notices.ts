import { messageOf } from 'loopfuse/words';
import type { Tone } from '../../protocol/index.js';
import type { Editor } from '../editor.js';
import type { Outbox } from './outbox.js';

/** Messages to the user that are not part of the conversation. */
export interface Notices {
  /** Shows a note on the page. */
  tell(text: string, tone?: Tone): void;
  sayBusy(): void;
  /** Reports an unexpected error: a note on the page, and a line in the log. */
  sayWrong(cause: unknown): void;
  /** Shows a notification with a button that opens the page. */
  askToLook(message: string): Promise<void>;
  /** Runs `work`. Errors are reported, never thrown. */
  safely(work: () => void | Promise<void>): Promise<void>;
}

export interface NoticesOptions {
  readonly editor: Editor;
  readonly outbox: Outbox;
}

export function createNotices({ editor, outbox }: NoticesOptions): Notices {
  function tell(text: string, tone: Tone = 'plain'): void {
    outbox.send({ type: 'note', text, tone });
  }

  function sayWrong(cause: unknown): void {
    const message = messageOf(cause);
    editor.log('error', message);
    tell(message, 'bad');
  }

  return {
    tell,
    sayBusy: () => tell('The agent is working on a request. Stop it first, or wait until it has ended.', 'warning'),
    sayWrong,
    async askToLook(message) {
      if ((await editor.notify('info', message, 'Show')) === 'Show') editor.reveal();
    },
    async safely(work) {
      try {
        await work();
      } catch (cause) {
        sayWrong(cause);
      }
    },
  };
}
