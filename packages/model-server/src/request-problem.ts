import type { Place } from '@loopfuse/wire';
import { specs } from './specs.js';
import { type Protocol, protocols } from './turn.js';

/**
 * Why the provider would refuse this request body; `undefined` if it would accept it. Never throws for a body, which
 * may be any JSON. It checks what agents get wrong: required fields, roles, calls and results that must pair, ids,
 * names, schemas, signatures. Rules of single models are not checked.
 */
export function requestProblem(protocol: Protocol, body: unknown, place: Place = {}): string | undefined {
  if (!protocols.includes(protocol))
    throw new TypeError(
      `requestProblem: protocol must be one of ${protocols.join(', ')}, got ${JSON.stringify(protocol)}`,
    );
  return specs[protocol].problem(body, place);
}
