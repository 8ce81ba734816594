import type { Json } from './event.js';
import type { LoopKind } from './finding.js';
import { textOf } from './step/outcome.js';
import { globTest } from './step/tool-rules.js';

/**
 * What the user does not want to be flagged again: calls of a tool (`*` in its name matches any run of characters),
 * with `containing` only those whose input contains that text; or a whole kind of loop.
 */
export type Exemption = { readonly tool: string; readonly containing?: string } | { readonly kind: LoopKind };

/** Whether a call is never evidence. */
export function isExempt(exemptions: readonly Exemption[], tool: string, input: Json): boolean {
  return exemptions.some(
    (one) =>
      'tool' in one &&
      (one.tool === tool || globTest(one.tool)(tool)) &&
      (one.containing === undefined || textOf(input).includes(one.containing)),
  );
}

/** Whether a value, for example from a snapshot or a setting, is an exemption. */
export function isExemption(value: unknown): value is Exemption {
  const one = value as { tool?: unknown; kind?: unknown; containing?: unknown } | null;
  return (
    typeof one === 'object' &&
    one !== null &&
    (typeof one.tool === 'string'
      ? one.containing === undefined || typeof one.containing === 'string'
      : typeof one.kind === 'string')
  );
}

/** A copy with no other fields: its fields then show which of the two types it is. */
export function exemptionOf(one: Exemption): Exemption {
  const { tool, containing, kind } = one as { tool?: string; containing?: string; kind: LoopKind };
  if (tool === undefined) return { kind };
  return containing === undefined ? { tool } : { tool, containing };
}
