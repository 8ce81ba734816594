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
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  readonly by: Ending | undefined;
  /** Stops catching. */
  end(): void;
}

/** Called when nobody reads the output any more. */
const onClosedOutput = new Set<(by: Ending) => void>();

/**
 * Catches Ctrl-C, so that the results so far can be shown; a second one ends the process as usual. With `everything`, SIGTERM,
 * SIGHUP and a closed output are caught, too.
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
  if (what === 'everything') onClosedOutput.add(abort);
  return {
    signal: controller.signal,
    get by() {
      return by;
    },
    end() {
      for (const signal of signals) process.off(signal, abort);
      onClosedOutput.delete(abort);
    },
  };
}

/** Reports that nobody reads the output any more. Returns false if nothing runs that handles this. */
export function outputClosed(): boolean {
  for (const abort of onClosedOutput) abort('closed-output');
  return onClosedOutput.size > 0;
}
