import type { UserRequest } from '@loopfuse/agent';
import type { Editor } from '../editor.js';
import type { Desk } from './desk.js';
import type { Edits } from './edits.js';
import type { Ledger } from './ledger.js';
import type { Notices } from './notices.js';
import type { Requests } from './requests.js';
import { takeBackLast } from './retry.js';
import type { Sending } from './sending.js';
import type { Shown } from './shown.js';
import { undoEdits } from './undo-edits.js';

/** What the user can do about an answer that was not what they wanted. */
export interface SecondThoughts {
  /** Restores the files that an answer changed. */
  undo(id: number): Promise<void>;
  /** Removes the last message and its answer, and sends the message again. */
  retry(): Promise<void>;
}

export interface SecondThoughtsOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly edits: Edits;
  readonly ledger: Ledger;
  readonly requests: Requests;
  readonly sending: Sending;
  readonly shown: Shown;
  readonly notices: Notices;
}

export function createSecondThoughts(options: SecondThoughtsOptions): SecondThoughts {
  const { editor, desk, edits, ledger, requests, sending, shown, notices } = options;
  const { tell } = notices;
  let retrying = false;

  async function takenBack(): Promise<UserRequest | undefined> {
    if (!(await sending.isReady())) return undefined;
    const undoable = ledger.facts.undoable ?? [];
    return takeBackLast({ editor, desk, undoable, tell, undo: (id) => undoEdits({ editor, desk, edits, tell }, id) });
  }

  return {
    async undo(id) {
      if (requests.current !== undefined) return notices.sayBusy();
      await undoEdits({ editor, desk, edits, tell }, id);
      shown.state();
    },
    async retry() {
      if (retrying) {
        // The notification hides after a while, so the button may seem to do nothing.
        if ((ledger.facts.undoable ?? []).length > 0)
          tell('A notification asks whether to undo the edits first. Answer it to go on.', 'warning');
        return;
      }
      retrying = true;
      const request = await takenBack().finally(() => {
        retrying = false;
      });
      if (request === undefined) {
        shown.state();
        return editor.log('info', 'The last message was not sent again');
      }
      shown.conversation();
      await sending.request(request);
    },
  };
}
