/** Where a request belongs that goes on from an answer which the provider keeps. */
export interface KeptAnswer {
  /** The key of its session. */
  readonly session: string;
  /** What the provider calls the answer: one that was continued after a refusal has the id of its beginning for the client. */
  readonly id: string;
}

/** The latest answers by the id that clients know them by, here and now: no store is asked for them. */
export interface KeptAnswers {
  find(id: string): KeptAnswer | undefined;
  add(shown: string, answer: KeptAnswer): void;
}

const mostAnswers = 50_000;

export function createKeptAnswers(): KeptAnswers {
  const answers = new Map<string, KeptAnswer>();
  return {
    find: (id) => answers.get(id),
    add(shown, answer) {
      answers.delete(shown);
      answers.set(shown, answer);
      const [oldest] = answers.keys();
      if (answers.size > mostAnswers && oldest !== undefined) answers.delete(oldest);
    },
  };
}
