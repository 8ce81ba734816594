/** Builds both bundles, into `bundle/` of this package by default. */
export function bundle(folder?: string): Promise<void>;
/** Puts the bundles into the folders for the agents' own catalogues. */
export function fillCatalogue(from?: string, folder?: string): void;
