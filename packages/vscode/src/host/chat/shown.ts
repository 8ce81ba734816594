import { loopInOneLine } from '@loopfuse/conversation';
import type { Editor } from '../editor.js';
import type { Approvals } from './approvals.js';
import type { Attachments } from './attachments.js';
import type { Desk } from './desk.js';
import type { Ledger } from './ledger.js';
import type { Outbox } from './outbox.js';
import type { Requests } from './requests.js';

/** Sends what the page and the status bar show, only if it has changed. */
export interface Shown {
  facts(): void;
  guard(): void;
  /** Sends waiting events, then facts and guard. */
  state(): void;
  /** Sends everything, for a page that has just loaded or for another conversation. */
  conversation(): void;
}

export interface ShownOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly ledger: Ledger;
  readonly requests: Requests;
  readonly approvals: Approvals;
  readonly attachments: Attachments;
  readonly outbox: Outbox;
}

export function createShown(options: ShownOptions): Shown {
  const { editor, desk, ledger, requests, approvals, attachments, outbox } = options;
  let lastFacts = '';
  let lastGuard = '';

  function facts(): void {
    const now = ledger.facts;
    const text = JSON.stringify(now);
    if (text === lastFacts) return;
    lastFacts = text;
    editor.post({ type: 'facts', facts: now });
  }

  function guard(): void {
    const now = ledger.guard;
    const halted = desk.client?.halted;
    const more = halted && loopInOneLine(halted, ledger.costOfLoop(halted));
    const text = `${now} ${more ?? ''}`;
    if (text === lastGuard) return;
    lastGuard = text;
    editor.showGuard(now, more);
  }

  return {
    facts,
    guard,
    state() {
      outbox.flush();
      guard();
      facts();
    },
    conversation() {
      const { client, cut } = desk;
      const { current } = requests;
      const now = ledger.facts;
      lastFacts = JSON.stringify(now);
      outbox.send({
        type: 'conversation',
        sessionId: client?.sessionId ?? '',
        history: current?.before ?? client?.history ?? [],
        facts: now,
        halted: current === undefined ? client?.halted : undefined,
        cut: cut && current === undefined,
        attached: attachments.list,
      });
      guard();
      if (current === undefined) return;
      outbox.send({ type: 'started', text: current.text, attached: current.attached });
      if (current.events.length > 0) outbox.send({ type: 'events', events: [...current.events] });
      for (const [id, request] of approvals.open) outbox.send({ type: 'approval', id, request });
    },
  };
}
