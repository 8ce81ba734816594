import type { IncomingHttpHeaders } from 'node:http';
import type { Delivery } from './deliver.js';
import type { Reply } from './reply.js';
import type { RequestBody } from './request-body.js';
import type { Route } from './route.js';
import type { Protocol, TurnRequest } from './turn.js';

/** A request as it came, and what became of it. */
export interface RecordedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` where it was not JSON. */
  readonly body: unknown;
  readonly protocol?: Protocol;
  /** Where it reached the script. */
  readonly turn?: TurnRequest;
  /** Why it was, or would have been, refused. */
  readonly problem?: string;
  readonly reply?: Reply;
  /** 0 where no answer was begun; missing, like `delivery`, while it is under way. */
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
  /** Adds what has become known of a request. */
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
