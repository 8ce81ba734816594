import type { ApprovalReply, Approve } from '@loopfuse/agent';
import type { Input } from '../screen/reduce.js';

/** The calls that wait for approval. */
export interface Questions {
  readonly ask: Approve;
  answer(id: number, reply: ApprovalReply): void;
  /** Drops all questions, because their answers are no longer needed. */
  withdraw(): void;
}

export function createQuestions(dispatch: (input: Input) => void): Questions {
  const open = new Map<number, (reply: ApprovalReply) => void>();
  let asked = 0;
  return {
    ask: (request) =>
      new Promise((resolve) => {
        const id = ++asked;
        open.set(id, resolve);
        dispatch({ type: 'approval', id, request });
      }),
    answer(id, reply) {
      open.get(id)?.(reply);
      open.delete(id);
    },
    withdraw() {
      for (const id of open.keys()) dispatch({ type: 'approval-gone', id });
      open.clear();
    },
  };
}
