import type { ClientEvent, ToolCall } from '@loopfuse/agent';

/** The whole output of a call. */
export interface WholeOutput {
  readonly call: ToolCall;
  readonly title: string;
  readonly text: string;
  /** The number of characters before it that are no longer kept. */
  readonly missing: number;
}

/** Keeps the whole output of calls. Cards in a conversation keep only the end of it. */
export interface Outputs {
  observe(event: ClientEvent): void;
  /** `undefined` where the call is not known, has written nothing, or its output is no longer kept. */
  of(id: string): WholeOutput | undefined;
}

interface Kept {
  readonly call: ToolCall;
  readonly title: string;
  /** What was written while it ran, or the result where nothing was. */
  readonly pieces: string[];
  length: number;
  missing: number;
}

/** Keeps at most `most` characters for all calls together. The oldest are removed first. */
export function createOutputs(most = 8_000_000): Outputs {
  const calls = new Map<string, Kept>();
  let total = 0;

  function makeRoom(): void {
    for (const kept of calls.values()) {
      while (total > most && kept.pieces.length > 0) {
        const [gone = ''] = kept.pieces.splice(0, 1);
        kept.length -= gone.length;
        kept.missing += gone.length;
        total -= gone.length;
      }
      if (total <= most) return;
    }
  }

  function add(kept: Kept, text: string): void {
    kept.pieces.push(text);
    kept.length += text.length;
    total += text.length;
    makeRoom();
  }

  return {
    observe(event) {
      if (event.type === 'tool-call-request') {
        const { call, title } = event;
        calls.set(call.id, { call, title, pieces: [], length: 0, missing: 0 });
      } else if (event.type === 'tool-call-output') {
        const kept = calls.get(event.id);
        if (kept !== undefined) add(kept, event.text);
      } else if (event.type === 'tool-call-result') {
        const kept = calls.get(event.id);
        // Prefer what was streamed: the middle of the result may have been cut out for the model.
        if (kept?.length === 0 && event.status !== 'not-run') add(kept, event.output);
      }
    },
    of(id) {
      const kept = calls.get(id);
      if (kept === undefined || kept.length === 0) return undefined;
      const { call, title, pieces, missing } = kept;
      return { call, title, text: pieces.join(''), missing };
    },
  };
}
