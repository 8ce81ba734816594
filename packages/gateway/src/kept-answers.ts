import type { Json } from 'loopfuse';

/** An answer that a request may go on from: one that the provider keeps, or one that we gave in its place. */
export interface KeptAnswer {
  /** The key of its session. */
  readonly session: string;
  /**
   * The provider's id of the answer; it differs from the client's id if the answer was continued after a refusal. For
   * an answer of ours: the id of the answer before it, if there is one.
   */
  readonly id?: string | undefined;
  /** For an answer of ours: what the provider has not received, that is the input of the request, and the answer. */
  readonly untold?: readonly Json[];
}

/** The latest answers, by the id that clients know. They are kept only in this process, not in a store. */
export interface KeptAnswers {
  find(id: string): KeptAnswer | undefined;
  add(shown: string, answer: KeptAnswer): void;
}

const mostAnswers = 50_000;
/** Fewer, because they hold inputs, and few sessions are stopped. */
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

/** A request that goes on from an answer, as the provider must get it: with its own id, and all it has not received. */
export function goingOnFrom(body: unknown, { id, untold = [] }: KeptAnswer): Body {
  const { previous_response_id: shown, ...rest } = body as Body;
  if (id === shown && untold.length === 0) return body as Body;
  const input = untold.length === 0 ? {} : { input: [...untold, ...inputOf(rest)] };
  return { ...rest, ...input, ...(id === undefined ? {} : { previous_response_id: id }) };
}

/** What the provider must get when a client goes on from an answer of ours; undefined if it keeps nothing anyway. */
export function untoldOf(body: unknown, answered: readonly Json[]): readonly Json[] | undefined {
  const request = body as Body;
  if (request.store === false) return undefined;
  const items = answered as readonly Body[];
  return [
    ...inputOf(request),
    // Providers refuse reasoning without the call that it led to.
    ...items.filter(({ type }, at) => type !== 'reasoning' || /_call$/.test(String(items[at + 1]?.type))).map(asInput),
  ];
}

function inputOf({ input }: Body): readonly Json[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : ((input ?? []) as readonly Json[]);
}

/** The provider does not know the id that a message of ours has. */
function asInput({ status: _, id, ...item }: Body): Body {
  return item.type === 'message' || id === undefined ? item : { ...item, id };
}
