import type { ClientEvent } from '@loopfuse/agent';
import { messageOf } from 'loopfuse/words';
import type { Shown } from './shown.js';

/** What the agent is working on: one thing after the other. */
export interface Work {
  /** Begins when all before it has ended. What goes wrong is told. */
  run(begin: (signal: AbortSignal) => AsyncGenerator<ClientEvent, void>): void;
  cancel(): void;
  /** Resolves when nothing is left to do. */
  readonly ended: Promise<void>;
}

/** `observe` sees every event before it is shown. */
export function createWork({ dispatch, tell }: Shown, observe: (event: ClientEvent) => void): Work {
  let ended: Promise<void> = Promise.resolve();
  let abort = new AbortController();
  return {
    run(begin) {
      ended = ended.then(async () => {
        abort = new AbortController();
        dispatch({ type: 'started' });
        try {
          for await (const event of begin(abort.signal)) {
            observe(event);
            dispatch({ type: 'event', event });
          }
        } catch (cause) {
          tell(`Something went wrong: ${messageOf(cause)}`, 'bad');
        } finally {
          dispatch({ type: 'settled' });
        }
      });
    },
    cancel: () => abort.abort(),
    get ended() {
      return ended;
    },
  };
}
