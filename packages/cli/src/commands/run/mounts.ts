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
      const url = new URL(base);
      const known = [...upstreams].find(([, { origin }]) => origin === url.origin)?.[0];
      const name = known ?? `/m${upstreams.size}`;
      upstreams.set(name, new URL(url.origin));
      const path = url.pathname === '/' && !base.endsWith('/') ? '' : url.pathname;
      return `${gateway}${name}${path}`;
    },
  };
}
