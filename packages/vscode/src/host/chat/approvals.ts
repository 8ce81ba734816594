import type { ApprovalAnswer, ApprovalRequest } from '@loopfuse/agent';

/** The approvals that the user has not answered yet, each with an id. */
export interface Approvals {
  /** Resolves with the user's answer, or with 'withdrawn'. */
  ask(request: ApprovalRequest): Promise<ApprovalAnswer | 'withdrawn'>;
  /** False if no approval with this id is open. */
  answer(id: number, answer: ApprovalAnswer): boolean;
  find(id: number): ApprovalRequest | undefined;
  /** Withdraws all open approvals. */
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
