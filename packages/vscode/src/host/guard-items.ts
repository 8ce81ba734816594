import type { Row } from '@loopfuse/conversation';
import { type QuickPickItem, QuickPickItemKind } from 'vscode';

/** What the guard does, as quick pick items. Choosing one opens the settings. */
export function guardItems(rows: readonly Row[]): readonly (QuickPickItem & { readonly run: string })[] {
  if (rows.length === 0) return [];
  let name = '';
  return [
    { label: 'What it does', kind: QuickPickItemKind.Separator, run: '' },
    ...rows.map(([own, text]) => {
      name = own === '' ? name : own;
      return { label: name, description: text, run: 'openSettings' };
    }),
  ];
}
