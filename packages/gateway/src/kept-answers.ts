import type { Json } from 'loopfuse';

/** Where a request belongs that goes on from an answer which the provider keeps, or which we gave in its place. */
export interface KeptAnswer {
  /** The key of its session. */
  readonly session: string;
  /**
   * What the provider calls the answer: one that was continued after a refusal has the id of its beginning for the client.
   * Of an answer of ours, the one before it, where there is one.
   */
  readonly id?: string | undefined;
  /** What the provider was not told, because the answer is ours: the input of the request, and that answer. */
  readonly untold?: readonly Json[];
}

/** The latest answers by the id that clients know them by, here and now: no store is asked for them. */
export interface KeptAnswers {
  find(id: string): KeptAnswer | undefined;
  add(shown: string, answer: KeptAnswer): void;
}

const mostAnswers = 50_000;
/** Those hold inputs, and few sessions are stopped. */
const mostUntold = 500;

export function createKeptAnswers(): KeptAnswers {
  const theirs = newest(mostAnswers);
  const ours = newest(mostUntold);
  return {
    find: (id) => ours.get(id) ?? theirs.get(id),
    add: (shown, answer) => (answer.untold === undefined ? theirs : ours).set(shown, answer),
  };
}

function newest(most: number): Pick<Map<string, KeptAnswer>, 'get'> & { set(id: string, answer: KeptAnswer): void } {
  const answers = new Map<string, KeptAnswer>();
  return {
    get: (id) => answers.get(id),
    set(id, answer) {
      answers.delete(id);
      answers.set(id, answer);
      const [oldest] = answers.keys();
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    },
  };
}

type Body = { readonly [field: string]: Json };

/** A request that goes on from an answer, in the words of the provider: with its id, and with all that it was not told. */
export function goingOnFrom(body: unknown, { id, untold = [] }: KeptAnswer): Body {
  const { previous_response_id: shown, ...rest } = body as Body;
  if (id === shown && untold.length === 0) return body as Body;
  const input = untold.length === 0 ? {} : { input: [...untold, ...inputOf(rest)] };
  return { ...rest, ...input, ...(id === undefined ? {} : { previous_response_id: id }) };
}

/** What the provider must be told when a client goes on from an answer of ours; undefined where it keeps nothing anyway. */
export function untoldOf(body: unknown, answered: readonly Json[]): readonly Json[] | undefined {
  const request = body as Body;
  if (request.store === false) return undefined;
  const items = answered as readonly Body[];
  return [
    ...inputOf(request),
    // Thoughts are refused without the call that they led to.
    ...items.filter(({ type }, at) => type !== 'reasoning' || /_call$/.test(String(items[at + 1]?.type))).map(asInput),
  ];
}

function inputOf({ input }: Body): readonly Json[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : ((input ?? []) as readonly Json[]);
}

/** The provider knows no message by the id that it has here. */
function asInput({ status: _, id, ...item }: Body): Body {
  return item.type === 'message' || id === undefined ? item : { ...item, id };
}
