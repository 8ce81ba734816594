import type { Place } from '@loopfuse/wire';
import { specs } from './specs.js';
import { type Protocol, protocols } from './turn.js';

/**
 * Why the provider would refuse this request body, in words; `undefined` when it would take it. Total: any JSON may be
 * passed in. Checked is what agents get wrong: required fields, roles, calls and results that must pair, ids, names,
 * schemas, signatures. What only some models mind is not.
 */
export function requestProblem(protocol: Protocol, body: unknown, place: Place = {}): string | undefined {
  if (!protocols.includes(protocol))
    throw new TypeError(
      `requestProblem: protocol must be one of ${protocols.join(', ')}, got ${JSON.stringify(protocol)}`,
    );
  return specs[protocol].problem(body, place);
}
