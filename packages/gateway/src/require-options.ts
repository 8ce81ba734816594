import { createGuard } from 'loopfuse';
import { type GatewayOptions, loopPolicies } from './gateway-options.js';
import { providerUpstreams } from './upstreams.js';

/**
 * Throws where no gateway can be made of these options, and names the one that is wrong. Found out only when a request comes, a
 * slip would leave every agent unguarded, or act where it was only to watch.
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
  // A guard says by itself what none can be made of.
  createGuard({ detectors: detectors ?? [], ...(policy === undefined ? {} : { policy }) });
}

function namesOf(record: object): string {
  return Object.keys(record)
    .map((name) => JSON.stringify(name))
    .join(', ');
}
