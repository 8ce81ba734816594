import { diskFiles, type Files, type FileText } from '@loopfuse/agent';

/** A document that the editor holds open, as far as edits need it. */
export interface OpenDocument {
  readonly text: string;
  /** It has changes that are not on disk. */
  readonly isDirty: boolean;
  /** Replaces the characters from one offset to another, so that it can be undone. False where the editor refuses. */
  replace(from: number, to: number, text: string): Promise<boolean>;
  /** False where it could not be saved. */
  save(): Promise<boolean>;
}

/**
 * Files as the editor sees them. What is open there is read and changed there, so that a change can be undone and nothing
 * that is not saved is overwritten; what is not open is read and written on disk. A document with changes of the
 * person's is not saved for them.
 */
export function documentFiles(find: (path: string) => OpenDocument | undefined, disk: Files = diskFiles): Files {
  return {
    async read(path) {
      const document = find(path);
      const stored = await disk.read(path);
      if (document === undefined || !document.isDirty) return stored;
      const { text } = document;
      return { type: 'text', text, encoding: 'utf8', bytes: Buffer.byteLength(text), unsaved: true };
    },
    async write(path, after, before) {
      const document = find(path);
      if (document === undefined) return disk.write(path, after, before);
      const wasUnsaved = before.type === 'text' && before.unsaved === true;
      if (document.isDirty !== wasUnsaved || (wasUnsaved && document.text !== before.text)) throw new Error(changed);
      if (!wasUnsaved && !survives(before, document)) return disk.write(path, after, before);
      const { from, to, text } = differenceOf(document.text, after.text);
      if (!(await document.replace(from, to, text))) throw new Error('the editor did not take the change');
      if (wasUnsaved) return notSaved;
      if (!(await document.save())) throw new Error('the editor could not save it; the change is in the editor');
      return document.text === after.text ? undefined : changedOnSave;
    },
  };
}

const changed = 'it was changed in the editor meanwhile; read it again';
const changedOnSave =
  'The editor has changed it further while saving it, as formatters do: read it again before you change it.';
const notSaved =
  'It is open in the editor with changes of the user that are not saved: the change was made there and is not saved either, so commands still see the file as it was.';

/** Whether the editor's text is the file's, to the letter: it takes other encodings and mixed line ends for its own. */
function survives(before: FileText, { text }: OpenDocument): boolean {
  return before.type === 'text' && before.encoding !== 'bytes' && before.text === text;
}

/** The part between the common beginning and the common end. Never cuts a pair of surrogates or a line end in two. */
export function differenceOf(before: string, after: string): { from: number; to: number; text: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  if (from > 0 && isInside(before, from)) from--;
  let end = 0;
  while (end < most - from && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end++;
  if (end > 0 && (isInside(before, before.length - end) || isInside(after, after.length - end))) end--;
  return { from, to: before.length - end, text: after.slice(from, after.length - end) };
}

/** Whether the place lies between two units that belong together. */
function isInside(text: string, at: number): boolean {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (left === 0x0d && right === 0x0a) || (left >= 0xd800 && left <= 0xdbff);
}
