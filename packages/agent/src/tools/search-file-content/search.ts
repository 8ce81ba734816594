import type { Workspace } from '../../workspace/workspace.js';

export interface Wanted {
  readonly workspace: Workspace;
  /** A file or folder from `Workspace.locate`. */
  readonly place: string;
  readonly pattern: string;
  /** A glob on paths. */
  readonly include: string | undefined;
  readonly signal: AbortSignal;
  /** The maximum number of matches. */
  readonly most: number;
}

export type SearchResult =
  | { readonly type: 'problem'; readonly message: string }
  | {
      readonly type: 'found';
      readonly matches: readonly Match[];
      readonly more: boolean;
      readonly notes: readonly string[];
    };

export interface Match {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** One way to search. Resolves to `undefined` when it is not available on this machine. */
export type Search = (wanted: Wanted) => Promise<SearchResult | undefined>;

/** A longer line is cut in what is shown. */
export const maxLine = 400;

export function byPlace(a: Match, b: Match): number {
  return a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1;
}
