/** Builds both bundles, into `bundle/` of this package by default. */
export function bundle(folder?: string): Promise<void>;
