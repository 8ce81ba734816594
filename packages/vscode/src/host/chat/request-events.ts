import type { Client, ClientEvent, HaltReport } from '@loopfuse/agent';
import type { Editor } from '../editor.js';
import type { Approvals } from './approvals.js';
import type { Desk } from './desk.js';
import type { Edits } from './edits.js';
import type { Ledger } from './ledger.js';
import { type Listener, onClientEvent } from './on-client-event.js';
import type { Outbox } from './outbox.js';
import type { Request } from './requests.js';
import type { Shown } from './shown.js';

/** What is done when a request starts, while it runs, and when it has ended. */
export interface RequestEvents {
  onStart(request: Request, client: Client): void;
  onEvent(event: ClientEvent): void;
  onEnd(): void;
}

export interface RequestEventsOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly shown: Shown;
  readonly approvals: Approvals;
  readonly outbox: Outbox;
  readonly edits: Edits;
  /** Keeps an event for a page that loads during the request. */
  readonly keep: (event: ClientEvent) => void;
  /** Asks in a notification what to do about a loop. */
  readonly askOutside: (report: HaltReport, cost: number | undefined) => void;
  readonly onSessions: () => void;
}

export function createRequestEvents(options: RequestEventsOptions): RequestEvents {
  const { editor, desk, ledger, shown, approvals, outbox, edits, keep, askOutside, onSessions } = options;
  const listener: Listener = {
    log: (level, message) => editor.log(level, message),
    tell(tone, message) {
      if (!editor.visible) void editor.notify(tone, message);
    },
    onSuspected() {
      ledger.suspected = true;
    },
    onJudged({ spending }) {
      ledger.judge = spending ?? ledger.judge;
    },
    /** The client has ended the stream and saved the session. The user is told on the page or in a notification. */
    onHalted({ type, ...report }) {
      approvals.withdraw();
      outbox.flush();
      if (!editor.visible) askOutside(report, ledger.costOfLoop(report));
    },
  };

  return {
    onStart({ text, attached }, { sessionId }) {
      edits.begin(sessionId);
      ledger.suspected = false;
      desk.cut = false;
      editor.opened = { id: sessionId };
      editor.showBusy(true);
      outbox.send({ type: 'started', text, attached });
      shown.guard();
    },
    onEvent(event) {
      keep(event);
      if (event.type === 'tool-call-result') edits.onResult(event.id);
      outbox.event(event);
      onClientEvent(event, listener);
      shown.guard();
    },
    onEnd() {
      const { client } = desk;
      edits.end(client?.sessionId);
      approvals.withdraw();
      if (client !== undefined && client.history.length > 0) editor.opened = { id: client.sessionId };
      outbox.send({ type: 'settled' });
      editor.showBusy(false);
      shown.state();
      onSessions();
    },
  };
}
