import type { AgentEvent, Json } from '../event.js';
import type { Exemption } from '../watch.js';
import type { Step } from './step.js';
import type { RuleOf } from './tool-rules.js';

/** Joins calls with their results. */
export interface Steps {
  /** `hidden` is true for a call or result of an exempted tool; `steps` are the steps that this event completes. */
  observe(
    event: AgentEvent,
    seq: number,
    exemptions: readonly Exemption[],
  ): { readonly hidden: boolean; readonly steps: readonly Step[] };
  forget(): void;
  save(): Json;
  load(saved: Json): void;
}

export function createSteps(_rules: RuleOf): Steps {
  return { observe: () => ({ hidden: false, steps: [] }), forget() {}, save: () => [], load() {} };
}
