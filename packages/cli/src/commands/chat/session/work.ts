import type { ClientEvent } from '@loopfuse/agent';
import { messageOf } from 'loopfuse/words';
import type { Shown } from './shown.js';

/** What the agent is working on: one thing after the other. */
export interface Work {
  /** Begins when all before it has ended. What goes wrong is told. */
  run(begin: (signal: AbortSignal) => AsyncGenerator<ClientEvent, void>): void;
  /** The same for what is no request: none begins before it has ended. */
  alone(work: () => Promise<void>): void;
  cancel(): void;
  /** Resolves when nothing is left to do. */
  readonly ended: Promise<void>;
}

/** `observe` sees every event before it is shown. */
export function createWork({ dispatch, tell }: Shown, observe: (event: ClientEvent) => void): Work {
  let ended: Promise<void> = Promise.resolve();
  let abort = new AbortController();

  function alone(work: () => Promise<void>): void {
    ended = ended.then(async () => {
      abort = new AbortController();
      dispatch({ type: 'started' });
      try {
        await work();
      } catch (cause) {
        tell(messageOf(cause), 'bad');
      } finally {
        dispatch({ type: 'settled' });
      }
    });
  }

  return {
    run: (begin) =>
      alone(async () => {
        for await (const event of begin(abort.signal)) {
          observe(event);
          dispatch({ type: 'event', event });
        }
      }),
    alone,
    cancel: () => abort.abort(),
    get ended() {
      return ended;
    },
  };
}
