import type { Editor } from '../editor.js';
import type { Desk } from './desk.js';
import type { Ledger } from './ledger.js';
import type { Notices } from './notices.js';
import type { Requests } from './requests.js';
import type { Shown } from './shown.js';

/** Switches between conversations and changes what the current one runs with. */
export interface Conversations {
  /** Stops the running request and starts an empty conversation. */
  newChat(): Promise<void>;
  resume(id: string): Promise<void>;
  toggleDetection(): Promise<void>;
  /** Settings, keys or trust have changed. */
  refresh(): Promise<void>;
}

export interface ConversationsOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly requests: Requests;
  readonly shown: Shown;
  readonly notices: Notices;
  readonly stop: () => void;
}

export function createConversations(options: ConversationsOptions): Conversations {
  const { editor, desk, ledger, requests, shown, notices, stop } = options;

  function showAnother(): void {
    ledger.suspected = false;
    ledger.judge = undefined;
    shown.conversation();
  }

  return {
    async newChat() {
      stop();
      await requests.ended;
      await desk.begin();
      showAnother();
    },
    async resume(id) {
      if (requests.current !== undefined) return notices.sayBusy();
      await desk.resume(id);
      showAnother();
      notices.tell('The session was resumed.', 'good');
    },
    async toggleDetection() {
      await desk.connect();
      const on = desk.client?.guard.disabled === true;
      if (on && requests.current !== undefined)
        return notices.tell('Loop detection can be switched on again when the request has ended.', 'warning');
      if (!(await desk.setDetection(on)))
        return notices.tell('Loop detection is off in the settings: set “disable” to false there.', 'warning');
      editor.log('info', `Loop detection is ${on ? 'on' : 'off'} for this session`);
      notices.tell(`Loop detection is ${on ? 'on' : 'off'} for this session.`, on ? 'good' : 'warning');
      shown.state();
    },
    async refresh() {
      await desk.reconnect();
      shown.conversation();
    },
  };
}
