import type { ClientEvent, ToolCall } from '@loopfuse/agent';

/** Everything that a call has written, for whoever wants to read all of it. */
export interface WholeOutput {
  readonly call: ToolCall;
  readonly title: string;
  readonly text: string;
  /** Characters before it that are not kept any more. */
  readonly missing: number;
}

/** Keeps what calls write in full, which a conversation does not: cards hold the end of it only. */
export interface Outputs {
  observe(event: ClientEvent): void;
  /** Nothing where the call is not known, or has written nothing. */
  of(id: string): WholeOutput | undefined;
}

interface Kept {
  readonly call: ToolCall;
  readonly title: string;
  /** What was written while it ran. */
  streamed: string[];
  length: number;
  missing: number;
  result: string;
}

/** Keeps the last `most` characters of all calls together; the oldest go first. */
export function createOutputs(most = 8_000_000): Outputs {
  const calls = new Map<string, Kept>();
  let total = 0;

  function makeRoom(): void {
    for (const kept of calls.values()) {
      while (total > most && kept.streamed.length > 0) {
        const [gone = ''] = kept.streamed.splice(0, 1);
        kept.length -= gone.length;
        kept.missing += gone.length;
        total -= gone.length;
      }
      if (total <= most) return;
    }
  }

  return {
    observe(event) {
      if (event.type === 'tool-call-request') {
        const { call, title } = event;
        calls.set(call.id, { call, title, streamed: [], length: 0, missing: 0, result: '' });
      } else if (event.type === 'tool-call-output') {
        const kept = calls.get(event.id);
        if (kept === undefined) return;
        kept.streamed.push(event.text);
        kept.length += event.text.length;
        total += event.text.length;
        makeRoom();
      } else if (event.type === 'tool-call-result') {
        const kept = calls.get(event.id);
        if (kept !== undefined && event.status !== 'not-run') kept.result = event.output;
      }
    },
    of(id) {
      const kept = calls.get(id);
      if (kept === undefined) return undefined;
      const { call, title, missing, result } = kept;
      // What was written goes before the result, from whose middle something may be cut for the model.
      const text = kept.length > 0 ? kept.streamed.join('') : result;
      return text === '' ? undefined : { call, title, text, missing: kept.length > 0 ? missing : 0 };
    },
  };
}
