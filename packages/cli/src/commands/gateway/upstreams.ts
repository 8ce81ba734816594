import { providerUpstreams, type UpstreamName, type Upstreams } from '@loopfuse/gateway';
import { UsageError } from '../../usage-error.js';

/** `openai=https://models.example.com` and the like. */
export function parseUpstreams(words: readonly string[]): Partial<Upstreams> {
  const names = Object.keys(providerUpstreams);
  return Object.fromEntries(
    words.map((word) => {
      const split = word.indexOf('=');
      const name = word.slice(0, split);
      const url = word.slice(split + 1);
      if (!names.includes(name) || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new UsageError(
          `gateway: --upstream expects ${names.join(', ')} with an address, for example openai=https://models.example.com, got ${word}`,
        );
      return [name as UpstreamName, new URL(url)];
    }),
  );
}
