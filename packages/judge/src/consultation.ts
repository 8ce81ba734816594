import type { EventOf } from 'loopfuse';
import { type Answer, readAnswer } from './answer.js';
import type { JudgeRequest, Reply } from './ask/ask.js';
import type { Counsellor } from './ask/counsel.js';

export interface Consultants {
  readonly first: Counsellor;
  /** Must agree before an opinion says that it is a loop. */
  readonly second: Counsellor | undefined;
  /** The confidence from which the second one is asked. */
  readonly certain: number;
  /** How many times each is asked if it gives no valid answer. */
  readonly attempts: number;
}

/** Called with every request before it is sent, and with what came back. */
export interface Bookkeeper {
  asked(who: Counsellor): void;
  replied(who: Counsellor, reply: Reply): void;
}

/**
 * One opinion. It is the first counsellor's or, if that one is certain of a loop and there is a second, the second's:
 * two must agree on a loop, and if the second does not agree, its answer counts. Rejects if there is no opinion, and as
 * soon as the signal is aborted, even if a counsellor ignores the signal.
 */
export async function consultation(
  { first, second, certain, attempts }: Consultants,
  request: Omit<JudgeRequest, 'attempt'>,
  signal: AbortSignal,
  books: Bookkeeper,
): Promise<EventOf<'opinion'>> {
  const asking = { request, signal, books, attempts };
  const answer = await answerOf(first, asking);
  if (second === undefined || answer.confidence < certain) return opinion(first, answer);
  return opinion(second, await answerOf(second, asking));
}

interface Asking {
  readonly request: Omit<JudgeRequest, 'attempt'>;
  readonly signal: AbortSignal;
  readonly books: Bookkeeper;
  readonly attempts: number;
}

async function answerOf(who: Counsellor, { request, signal, books, attempts }: Asking): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    books.asked(who);
    try {
      const reply = await unlessAborted(() => who.ask({ ...request, attempt }, signal), signal);
      books.replied(who, reply);
      return readAnswer(reply.answer);
    } catch (cause) {
      if (attempt >= attempts) throw cause;
    }
  }
}

function opinion({ name }: Counsellor, { analysis, confidence }: Answer): EventOf<'opinion'> {
  return { type: 'opinion', by: name, confidence, analysis };
}

function unlessAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    // `then` first, so that a counsellor that throws before it returns a promise leads to a rejection too.
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
