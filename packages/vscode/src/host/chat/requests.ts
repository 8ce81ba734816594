import type { AttachmentName, Client, ClientEvent } from '@loopfuse/agent';
import { keepEvent } from './merge-event.js';

/** A running request, for a page that loads during it. */
export interface Request {
  /** The user's message; absent when an earlier request is continued. */
  readonly text: string | undefined;
  readonly attached?: readonly AttachmentName[] | undefined;
  /** The conversation as it was before. */
  readonly before: Client['history'];
  /** The events so far, deltas merged. */
  readonly events: readonly ClientEvent[];
}

export type Work = (client: Client, signal: AbortSignal) => AsyncGenerator<ClientEvent, void>;

/** What a request starts with; empty when an earlier one is continued. */
export type Said = Partial<Pick<Request, 'text' | 'attached'>>;

/** Runs one request at a time. */
export interface Requests {
  readonly current: Request | undefined;
  /** Resolves when the current request, or else the last one, has ended. */
  readonly ended: Promise<void>;
  /** Resolves when the request has ended, successfully or not; never rejects. Does nothing while another one is running. */
  run(client: Client, work: Work, said?: Said): Promise<void>;
  /** Adds an event to the current request. */
  keep(event: ClientEvent): void;
  cancel(): void;
}

export interface RequestsOptions {
  readonly onStart: (request: Request, client: Client) => void;
  readonly onEvent: (event: ClientEvent) => void;
  readonly onFault: (cause: unknown) => void;
  readonly onEnd: () => void;
}

export function createRequests({ onStart, onEvent, onFault, onEnd }: RequestsOptions): Requests {
  let current: (Request & { readonly events: ClientEvent[] }) | undefined;
  let ended: Promise<void> = Promise.resolve();
  let abort = new AbortController();

  async function work(events: AsyncGenerator<ClientEvent, void>): Promise<void> {
    try {
      for await (const event of events) onEvent(event);
    } catch (cause) {
      onFault(cause);
    } finally {
      current = undefined;
      onEnd();
    }
  }

  return {
    get current() {
      return current;
    },
    get ended() {
      return ended;
    },
    run(client, begin, { text, attached } = {}) {
      if (current !== undefined) return ended;
      abort = new AbortController();
      current = { text, attached, before: client.history, events: [] };
      onStart(current, client);
      ended = work(begin(client, abort.signal));
      return ended;
    },
    keep(event) {
      if (current !== undefined) keepEvent(current.events, event);
    },
    cancel: () => abort.abort(),
  };
}
