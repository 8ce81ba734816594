import { createGuard } from 'loopfuse';
import { type GatewayOptions, loopPolicies } from './gateway-options.js';
import { providerUpstreams } from './upstreams.js';

/**
 * Throws if an option is not valid, and names it. A mistake that showed only at the first request would leave every
 * agent unguarded, or act where the gateway should only watch.
 */
export function requireOptions(options: GatewayOptions): void {
  const { onLoop = 'steer', upstreams = {}, detectors, policy } = options;
  if (!Object.hasOwn(loopPolicies, onLoop))
    throw new RangeError(`createGateway: onLoop must be ${namesOf(loopPolicies)}, got ${JSON.stringify(onLoop)}`);
  for (const [name, url] of Object.entries(upstreams)) {
    if (!Object.hasOwn(providerUpstreams, name))
      throw new RangeError(`createGateway: upstreams has ${namesOf(providerUpstreams)}, got ${JSON.stringify(name)}`);
    if (url !== undefined && !(url instanceof URL))
      throw new TypeError(
        `createGateway: upstreams.${name} must be a URL, such as new URL("https://models.example.com"), got a ${typeof url}`,
      );
  }
  // The guard checks its own options.
  createGuard({ detectors: detectors ?? [], ...(policy === undefined ? {} : { policy }) });
}

function namesOf(record: object): string {
  return Object.keys(record)
    .map((name) => JSON.stringify(name))
    .join(', ');
}
