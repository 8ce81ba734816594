/** What the judge is asked about. */
export interface JudgeRequest {
  readonly promptId: string;
  /** Turns since the prompt, the one that is about to begin included. */
  readonly turn: number;
  /** The model that is being judged. */
  readonly model: string;
  /** The end of the conversation, see `recentHistory`; empty where the host gives none. */
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

/** `AbortSignal` wherever there is one. The core knows no environment, so its type is looked up in the user's. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : MinimalSignal;

/** What `work` gives, or a rejection as soon as the signal is aborted, whether or not `work` reacts to it. */
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
    // `then` first, so that a judge who throws before there is a promise is a rejection too.
    Promise.resolve().then(work).then(resolve, reject).finally(done);
  });
}
