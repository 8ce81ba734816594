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
      const { username, password, search, hash } = new URL(url);
      if (username + password + search + hash !== '')
        throw new UsageError(
          `gateway: --upstream ${name}: expected an address without a user, a query and a fragment, because requests bring their own keys and queries`,
        );
      return [name as UpstreamName, new URL(url)];
    }),
  );
}
