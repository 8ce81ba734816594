import type { ApprovalAnswer, ApprovalRequest } from '@loopfuse/agent';

/** What a person has been asked and has not answered yet, by a number for each question. */
export interface Approvals {
  /** Resolves when somebody answers, or when the question is taken back. */
  ask(request: ApprovalRequest): Promise<ApprovalAnswer | 'withdrawn'>;
  /** False where nobody waits for it. */
  answer(id: number, answer: ApprovalAnswer): boolean;
  find(id: number): ApprovalRequest | undefined;
  /** Takes all questions back. */
  withdraw(): void;
  readonly open: readonly (readonly [id: number, request: ApprovalRequest])[];
}

export interface ApprovalsOptions {
  readonly onAsked: (id: number, request: ApprovalRequest) => void;
  readonly onGone: (id: number) => void;
}

export function createApprovals({ onAsked, onGone }: ApprovalsOptions): Approvals {
  const waiting = new Map<
    number,
    { request: ApprovalRequest; resolve: (answer: ApprovalAnswer | 'withdrawn') => void }
  >();
  let asked = 0;

  function settle(id: number, answer: ApprovalAnswer | 'withdrawn'): boolean {
    const one = waiting.get(id);
    waiting.delete(id);
    one?.resolve(answer);
    return one !== undefined;
  }

  return {
    ask: (request) =>
      new Promise((resolve) => {
        const id = ++asked;
        waiting.set(id, { request, resolve });
        onAsked(id, request);
      }),
    answer: settle,
    find: (id) => waiting.get(id)?.request,
    withdraw() {
      for (const id of [...waiting.keys()]) {
        settle(id, 'withdrawn');
        onGone(id);
      }
    },
    get open() {
      return [...waiting].map(([id, { request }]) => [id, request] as const);
    },
  };
}
