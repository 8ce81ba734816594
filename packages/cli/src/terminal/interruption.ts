/** What can end a run from outside, for the message about it; `closed-output` is a reader that went away (`| head`). */
export type Ending = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'closed-output';

/** The exit codes that shells and other programs expect. */
export const endingCodes: { readonly [Name in Ending]: number } = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  'closed-output': 141,
};

export interface Interruption {
  /** Aborted when something asks us to end. */
  readonly signal: AbortSignal;
  readonly by: Ending | undefined;
  /** From now on nothing is caught any more. */
  end(): void;
}

/** Those who want to end in order when nobody reads the output any more. */
const readersOfEndings = new Set<(by: Ending) => void>();

/**
 * Ctrl-C as a signal, so that what is done so far can be shown; a second one ends the process as usual. `everything`
 * catches the other ways to be ended, too.
 */
export function interruption(what: 'ctrl-c' | 'everything' = 'ctrl-c'): Interruption {
  const controller = new AbortController();
  let by: Ending | undefined;
  const abort = (ending: Ending) => {
    by ??= ending;
    controller.abort();
  };
  const signals = what === 'ctrl-c' ? (['SIGINT'] as const) : (['SIGINT', 'SIGTERM', 'SIGHUP'] as const);
  for (const signal of signals) process.once(signal, abort);
  if (what === 'everything') readersOfEndings.add(abort);
  return {
    signal: controller.signal,
    get by() {
      return by;
    },
    end() {
      for (const signal of signals) process.off(signal, abort);
      readersOfEndings.delete(abort);
    },
  };
}

/** Nobody reads the output any more. False where nothing is going on that could end in order. */
export function outputClosed(): boolean {
  for (const abort of readersOfEndings) abort('closed-output');
  return readersOfEndings.size > 0;
}
