import type { ClientEvent } from '@loopfuse/agent';
import { messageOf } from 'loopfuse/words';
import type { Shown } from './shown.js';

/** The work of the agent, one task after the other. */
export interface Work {
  /** Begins when all earlier work has ended. Errors are shown. */
  run(begin: (signal: AbortSignal) => AsyncGenerator<ClientEvent, void>): void;
  /** The same for work that is not a request. */
  alone(work: () => Promise<void>): void;
  cancel(): void;
  /** Resolves when all work has ended. */
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
