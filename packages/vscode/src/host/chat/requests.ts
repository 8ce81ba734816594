import type { AttachmentName, Client, ClientEvent } from '@loopfuse/agent';
import { keepEvent } from './merge-event.js';

/** A request that is being worked on, for a page that comes back in the middle of it. */
export interface Request {
  /** What the person said; absent when an earlier request goes on. */
  readonly text: string | undefined;
  readonly attached?: readonly AttachmentName[] | undefined;
  /** The conversation as it was before. */
  readonly before: Client['history'];
  /** What has happened since, deltas merged. */
  readonly events: readonly ClientEvent[];
}

export type Work = (client: Client, signal: AbortSignal) => AsyncGenerator<ClientEvent, void>;

/** What a request begins with; empty when an earlier one goes on. */
export type Said = Partial<Pick<Request, 'text' | 'attached'>>;

/** Works on one request at a time. */
export interface Requests {
  readonly current: Request | undefined;
  /** Resolves when the current one has ended, or the last one has. */
  readonly ended: Promise<void>;
  /** Resolves when it has ended, however it did; never rejects. Does nothing while another is being worked on. */
  run(client: Client, work: Work, said?: Said): Promise<void>;
  /** Keeps an event with those of the current one. */
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
