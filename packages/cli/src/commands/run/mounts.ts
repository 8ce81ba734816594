import { UsageError } from '../../usage-error.js';

/** Gives every base URL of an agent an address at the gateway, with the same path, and remembers where it leads. */
export interface Mounts {
  readonly upstreams: ReadonlyMap<string, URL>;
  /** The address to use in place of a base URL. */
  mount(gateway: string, base: string): string;
}

export function createMounts(): Mounts {
  const upstreams = new Map<string, URL>();
  return {
    upstreams,
    mount(gateway, base) {
      if (!URL.canParse(base) || !/^https?:/i.test(base))
        throw new UsageError(
          `run: the base URL of a model must be an address such as https://api.example.com/v1, got ${JSON.stringify(base)}`,
        );
      const url = new URL(base);
      const known = [...upstreams].find(([, { origin }]) => origin === url.origin)?.[0];
      const name = known ?? `/m${upstreams.size}`;
      upstreams.set(name, new URL(url.origin));
      const path = url.pathname === '/' && !base.endsWith('/') ? '' : url.pathname;
      return `${gateway}${name}${path}`;
    },
  };
}
