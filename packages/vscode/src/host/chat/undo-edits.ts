import { createWorkspace } from '@loopfuse/agent';
import type { Tone } from '../../protocol/index.js';
import type { Editor } from '../editor.js';
import type { Desk } from './desk.js';
import type { Edits, Undone } from './edits.js';

export interface UndoOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  readonly edits: Edits;
  readonly tell: (text: string, tone?: Tone) => void;
}

/**
 * Undoes the edits of an answer. Asks first about files that would be removed. The user is told what happened to each file, and
 * the model gets the same text with the next message. Must not be called while a request is running. False if nothing was tried,
 * for example because the user cancelled.
 */
export async function undoEdits({ editor, desk, edits, tell }: UndoOptions, id: number): Promise<boolean> {
  const { agent, client } = desk;
  const answer = edits.undoable.find((one) => one.id === id);
  if (agent === undefined || client === undefined || answer === undefined) {
    tell('There is nothing to undo any more.', 'warning');
    return false;
  }
  const { show } = createWorkspace(agent.root);
  const created = edits.created(id).map(show);
  const removal = created.length === 0 ? 'keep' : await askAbout(editor, created);
  if (removal === undefined) return false;
  if (client.busy) {
    tell('A request has begun meanwhile: nothing was undone. Try again when it has ended.', 'warning');
    return false;
  }
  const report = [...(await edits.undo(id, removal))].map(([path, how]) => [show(path), how] as const);
  const text = undoneInWords(report);
  const isUndone = report.some(([, how]) => how === 'restored' || how === 'removed');
  if (isUndone) {
    client.tell(text);
    await client.save();
  }
  editor.log('info', text);
  tell(text, report.some(([, how]) => how === 'changed') ? 'warning' : 'good');
  return true;
}

async function askAbout(editor: Editor, created: readonly string[]): Promise<'remove' | 'keep' | undefined> {
  const them = created.length === 1 ? 'It' : 'Them';
  const remove = `Remove ${them}`;
  const keep = `Keep ${them}`;
  const answer = await editor.notify('warning', `The answer has created ${created.join(', ')}.`, remove, keep);
  return answer === undefined ? undefined : answer === remove ? 'remove' : 'keep';
}

/** The same text for the user and the model. */
function undoneInWords(report: readonly (readonly [path: string, how: Undone])[]): string {
  const of = (wanted: Undone) => report.flatMap(([path, how]) => (how === wanted ? [path] : []));
  const parts = (Object.keys(sentences) as Undone[]).flatMap((how) => {
    const paths = of(how);
    return paths.length === 0 ? [] : [`${sentences[how]}: ${paths.join(', ')}.`];
  });
  const done = of('restored').length + of('removed').length > 0;
  return [done ? 'Edits were undone by the user.' : 'No edit was undone.', ...parts].join(' ');
}

const sentences: { readonly [How in Undone]: string } = {
  restored: 'As before the answer',
  removed: 'Removed, for the answer had created it',
  kept: 'Created by the answer and kept',
  changed: 'Changed since by somebody else, and left as it is',
};
