import type { Item } from '@loopfuse/conversation';
import { counted } from 'loopfuse/words';
import type { VNode } from 'preact';
import type { UndoableEdits } from '../../protocol/index.js';
import { useServices } from '../host.js';
import { exactText } from '../words/visible-text.js';
import { Icon } from './icon.js';

/** The line at the end of an answer that changed files: their names, and a button that restores them. */
export function EditsLine({
  edits: { id, files },
  idle,
}: {
  readonly edits: UndoableEdits;
  readonly idle: boolean;
}): VNode {
  const { host } = useServices();
  return (
    <section class="edits" data-testid="edits" aria-label="Edits of this answer">
      <span class="words" title={files.map(exactText).join('\n')}>
        Edited {counted(files.length, 'file')}: {files.map(exactText).join(', ')}
      </span>
      <button
        type="button"
        class="secondary"
        data-testid="undo-edits"
        disabled={!idle}
        title="Put these files back as they were before this answer"
        onClick={() => host.post({ type: 'undo-edits', id })}
      >
        <Icon name="undo" /> Undo edits
      </button>
    </section>
  );
}

/** The entries that edits are shown after: the last entry of the answer that contains the call. */
export function editsByEntry(
  items: readonly Item[],
  undoable: readonly UndoableEdits[],
): ReadonlyMap<number, readonly UndoableEdits[]> {
  const found = new Map<number, UndoableEdits[]>();
  for (const edits of undoable) {
    const call = items.findLastIndex((item) => item.type === 'tool' && item.call.id === edits.call);
    if (call < 0) continue;
    const next = items.findIndex((item, k) => k > call && item.type === 'you');
    const last = next < 0 ? items.length - 1 : next - 1;
    found.set(last, [...(found.get(last) ?? []), edits]);
  }
  return found;
}
