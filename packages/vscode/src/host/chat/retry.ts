import { callsOf, type Message, type UserRequest } from '@loopfuse/agent';
import type { Tone, UndoableEdits } from '../../protocol/index.js';
import type { Editor } from '../editor.js';
import type { Desk } from './desk.js';

export interface RetryOptions {
  readonly editor: Editor;
  readonly desk: Desk;
  /** What can be undone, the latest last. */
  readonly undoable: readonly UndoableEdits[];
  /** Undoes the edits of an answer. False if the user cancelled. */
  readonly undo: (id: number) => Promise<boolean>;
  /** Shows a note on the page. */
  readonly tell: (text: string, tone?: Tone) => void;
}

const undoToo = 'Undo Edits and Retry';
const keep = 'Keep Edits and Retry';

/**
 * Removes the user's last message and its answer from the history and returns the message, to be sent again. Files stay as they
 * are unless the user chooses to undo the edits; the model is told of edits that stay. `undefined` if nothing is to be sent.
 */
export async function takeBackLast({
  editor,
  desk,
  undoable,
  undo,
  tell,
}: RetryOptions): Promise<UserRequest | undefined> {
  const { client } = desk;
  if (client === undefined) return undefined;
  const asked = lastAsked(client.history);
  // The question stays open in a notification, and the user can do other things meanwhile.
  const isStillLast = () => desk.client === client && !client.busy && lastAsked(client.history) === asked;
  const calls = callsOfLastAnswer(client.history);
  const edits = undoable.findLast(({ call }) => calls.has(call));
  const answer = edits && (await askAbout(editor, edits));
  if (edits !== undefined && answer === undefined) return undefined;
  if (!isStillLast()) return tooLate(tell);
  if (edits !== undefined && answer === undoToo && !(await undo(edits.id))) return undefined;
  if (!isStillLast()) return tooLate(tell);
  const request = client.takeBack();
  if (request === undefined) throw new Error('The message is not in the history any more. Send it again yourself.');
  if (edits !== undefined && answer === keep)
    client.tell(`Edits of an earlier answer, which was taken back, are still there: ${edits.files.join(', ')}.`);
  return request;
}

async function askAbout(editor: Editor, { files }: UndoableEdits): Promise<string | undefined> {
  return editor.notify(
    'info',
    `The answer edited ${files.join(', ')}. Undo these edits before trying again?`,
    undoToo,
    keep,
  );
}

function tooLate(tell: RetryOptions['tell']): undefined {
  tell('The conversation has continued since this question was asked: nothing was changed.', 'warning');
}

/** The index of the user's last message. */
function lastAsked(history: readonly Message[]): number {
  return history.findLastIndex((message) => message.role === 'user' && message.from === 'user');
}

function callsOfLastAnswer(history: readonly Message[]): ReadonlySet<string> {
  return new Set(history.slice(lastAsked(history) + 1).flatMap((message) => callsOf(message).map(({ id }) => id)));
}
