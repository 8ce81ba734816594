import type { UserRequest } from '@loopfuse/agent';
import type { Editor, Excerpt } from '../editor.js';
import { remediesFor } from '../remedies.js';
import type { Attachments } from './attachments.js';
import type { Desk } from './desk.js';
import type { Notices } from './notices.js';
import { offerHelp } from './offer-help.js';
import type { Outbox } from './outbox.js';
import type { Requests, Said, Work } from './requests.js';
import type { Shown } from './shown.js';

/** Starts requests. */
export interface Sending {
  /** Whether something can be sent; if not, the user is told why and what to do. */
  isReady(): Promise<boolean>;
  run(work: Work, said?: Said): Promise<void>;
  /** Sends the request as it is, or returns its text to the composer if another one is running. `isReady` must have been checked. */
  request(request: UserRequest): Promise<void>;
  /** Attachments are sent with messages from the page, not with those from commands or other extensions. */
  send(text: string, how?: 'bare' | 'with attachments'): Promise<void>;
  attach(excerpt: Excerpt): Promise<void>;
  /** Continues a request that was interrupted. */
  goOn(): Promise<void>;
}

export interface SendingOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly requests: Requests;
  readonly attachments: Attachments;
  readonly outbox: Outbox;
  readonly shown: Shown;
  readonly notices: Notices;
}

export function createSending(options: SendingOptions): Sending {
  const { editor, desk, requests, attachments, outbox, shown, notices } = options;

  async function isReady(): Promise<boolean> {
    if (requests.current === undefined) await desk.settled();
    const { blocked } = desk;
    if (requests.current !== undefined) notices.sayBusy();
    else if (blocked === undefined) return true;
    else {
      notices.tell(blocked, 'bad');
      shown.state();
      void offerHelp(editor, blocked, remediesFor(desk.problem));
    }
    return false;
  }

  async function run(work: Work, said?: Said): Promise<void> {
    const { client } = desk;
    if (client !== undefined) await requests.run(client, work, said);
  }

  async function request(one: UserRequest): Promise<void> {
    const { text, attachments: sent = [] } = one;
    if (requests.current !== undefined) {
      notices.sayBusy(); // another message was sent since `isReady`
      return outbox.send({ type: 'compose', text });
    }
    const attached = sent.map(({ path, lines }) => ({ path, ...(lines === undefined ? {} : { lines }) }));
    await run((client, signal) => client.sendMessageStream(one, signal), {
      text,
      ...(attached.length === 0 ? {} : { attached }),
    });
  }

  return {
    isReady,
    run,
    request,
    async send(text, how = 'bare') {
      if (text.trim() === '') return;
      if (!(await isReady())) return outbox.send({ type: 'compose', text });
      const isBare = how === 'bare' || requests.current !== undefined;
      await request({ text, attachments: isBare ? [] : attachments.take() });
    },
    async attach(excerpt) {
      await attachments.add(excerpt);
      outbox.send({ type: 'compose' });
    },
    async goOn() {
      if (!(await isReady())) return;
      if (desk.client?.history.length === 0) return notices.tell('There is no request to go on with.', 'warning');
      return run((client, signal) => client.continue(signal));
    },
  };
}
