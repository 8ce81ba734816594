import type { IncomingHttpHeaders } from 'node:http';
import type { Delivery } from './deliver.js';
import type { Reply } from './reply.js';
import type { RequestBody } from './request-body.js';
import type { Route } from './route.js';
import type { Protocol, TurnRequest } from './turn.js';

/** A request, and the outcome. */
export interface RecordedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` if it was not JSON. */
  readonly body: unknown;
  readonly protocol?: Protocol;
  /** Set if the request reached the script. */
  readonly turn?: TurnRequest;
  /** Why it was refused, or would have been. */
  readonly problem?: string;
  readonly reply?: Reply;
  /** 0 if no answer was begun; missing, like `delivery`, while the request is open. */
  readonly status?: number;
  readonly delivery?: Delivery;
}

type Outcome = Pick<RecordedRequest, 'turn' | 'problem' | 'reply' | 'status' | 'delivery'>;

export interface Recording {
  readonly requests: readonly RecordedRequest[];
  readonly seen: number;
  open(
    request: Pick<RecordedRequest, 'method' | 'path' | 'headers'> & { route: Route; body: RequestBody },
  ): RecordedRequest;
  /** Adds facts about a request. */
  note(record: RecordedRequest, outcome: Outcome): void;
}

const maxBytes = 128 * 2 ** 20;

/** Keeps the latest requests, at most `keep` of them and at most 128 MB of bodies. */
export function createRecording(keep: number): Recording {
  const requests: RecordedRequest[] = [];
  const sizes: number[] = [];
  let held = 0;
  let seen = 0;
  return {
    requests,
    get seen() {
      return seen;
    },
    open({ method, path, headers, route, body }) {
      const record: RecordedRequest = {
        at: Date.now(),
        method,
        path,
        headers,
        body: body.type === 'json' ? body.value : undefined,
        ...(route.type === 'home' ? {} : { protocol: route.protocol }),
      };
      const size = body.type === 'json' ? body.bytes : 0;
      seen++;
      requests.push(record);
      sizes.push(size);
      held += size;
      while (requests.length > keep || (held > maxBytes && requests.length > 1)) {
        requests.shift();
        held -= sizes.shift() ?? 0;
      }
      return record;
    },
    note(record, outcome) {
      Object.assign(record, outcome);
    },
  };
}
