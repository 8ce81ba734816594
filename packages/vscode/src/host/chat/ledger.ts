import { relative } from 'node:path';
import type { HaltReport, JudgeSpending } from '@loopfuse/agent';
import { costOf, costOfLoop } from '@loopfuse/conversation';
import type { Price } from '@loopfuse/prices';
import type { Facts, GuardState, UndoableEdits } from '../../protocol/index.js';
import type { Editor } from '../editor.js';
import { remediesFor } from '../remedies.js';
import type { Desk } from './desk.js';
import type { Edits } from './edits.js';

/** The facts about the conversation: the state of the guard, usage, cost, and what can be undone. */
export interface Ledger {
  /** Whether a loop was suspected in this request. */
  suspected: boolean;
  /** What the judge has cost. */
  judge: JudgeSpending | undefined;
  readonly guard: GuardState;
  readonly facts: Facts;
  /** In dollars, at the average price of a token in this session; `undefined` if that is not known. */
  costOfLoop(report: Pick<HaltReport, 'waste' | 'usage'>): number | undefined;
}

export interface LedgerOptions {
  readonly desk: Desk;
  readonly editor: Pick<Editor, 'trusted'>;
  readonly edits: Edits;
  /** What a model costs. Overrides the agent's price list. */
  readonly priceOf: (model: string) => Price | undefined;
}

const nothing = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

export function createLedger({ desk, editor, edits, priceOf }: LedgerOptions): Ledger {
  function price(): Price | undefined {
    const { agent } = desk;
    return agent && (priceOf(agent.model.name) ?? agent.price);
  }

  function undoable(root: string): readonly UndoableEdits[] {
    return edits.undoable.map(({ id, call, paths }) => ({
      id,
      call,
      files: paths.map((path) => relative(root, path)),
    }));
  }

  const ledger: Ledger = {
    suspected: false,
    judge: undefined,
    get guard() {
      const found = desk.client?.guard;
      if (found?.disabled) return 'off';
      switch (found?.circuit.state) {
        case 'open':
          return desk.client?.halted === undefined ? 'watching' : 'halted'; // the user has decided
        case 'probation':
          return 'steered';
        default:
          return ledger.suspected ? 'suspicious' : 'watching';
      }
    },
    get facts() {
      const { agent, client, blocked, problem } = desk;
      const usage = client?.usage ?? nothing;
      return {
        model: agent?.model.name ?? '',
        provider: agent?.model.provider ?? '',
        approval: client?.approval ?? 'ask',
        guard: ledger.guard,
        usage,
        price: price(),
        judge: ledger.judge,
        trusted: editor.trusted,
        blocked,
        undoable: agent && undoable(agent.root),
        remedies: blocked === undefined ? undefined : remediesFor(problem),
      };
    },
    costOfLoop({ waste, usage = desk.client?.usage ?? nothing }) {
      return costOfLoop(waste, usage, costOf({ usage, price: price() }));
    },
  };
  return ledger;
}
