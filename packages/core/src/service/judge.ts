/** What the judge is asked about. */
export interface JudgeRequest {
  readonly promptId: string;
  /** Turns since the prompt, including the one that is about to begin. */
  readonly turn: number;
  /** The model that is being judged. */
  readonly model: string;
  /** The end of the conversation, see `recentHistory`; empty if the host gives none. */
  readonly history: readonly unknown[];
}

export interface JudgeAnswer {
  readonly analysis: string;
  /** 0..1: how sure the judge is of a loop. */
  readonly confidence: number;
}

interface MinimalSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** `AbortSignal` if there is one. The core assumes no environment, so the type is looked up in the user's. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : MinimalSignal;

/** The result of `work`, or a rejection as soon as the signal is aborted, even if `work` ignores the signal. */
export function unlessAborted<Result>(work: () => Promise<Result>, signal: MinimalSignal | undefined): Promise<Result> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('it was aborted'));
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort);
    const done = () => signal.removeEventListener('abort', abort);
    // `then` first, so that a judge that throws before it returns a promise leads to a rejection too.
    Promise.resolve().then(work).then(resolve, reject).finally(done);
  });
}
