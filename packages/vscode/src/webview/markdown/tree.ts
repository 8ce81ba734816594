/** The Markdown that can be shown. Nothing else can, whatever a model writes. */
export type Block =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'heading'; readonly depth: number; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | { readonly type: 'list'; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly type: 'rule' }
  /** Text shown as it is: HTML, and what is too long to be parsed. */
  | { readonly type: 'plain'; readonly text: string };

export interface ListItem {
  /** Absent if the item is not a task. */
  readonly checked?: boolean;
  readonly blocks: readonly Block[];
}

export interface Cell {
  readonly align: 'left' | 'center' | 'right' | undefined;
  readonly children: readonly Inline[];
}

export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  /** `href` begins with http:, https: or mailto:. `host` is where it leads; empty if the text says so. */
  | { readonly type: 'link'; readonly href: string; readonly host: string; readonly children: readonly Inline[] }
  /** A file of the workspace, perhaps with a line: `src/a.ts:12`. */
  | { readonly type: 'file'; readonly path: string; readonly text: string; readonly code: boolean }
  | { readonly type: 'break' };
