import { diskFiles, type Files, type FileText } from '@loopfuse/agent';

/** An open document of the editor, as far as edits need it. */
export interface OpenDocument {
  readonly text: string;
  /** Whether it has unsaved changes. */
  readonly isDirty: boolean;
  /** Replaces the characters from one offset to another, so that it can be undone. False if the editor refuses. */
  replace(from: number, to: number, text: string): Promise<boolean>;
  /** False if it could not be saved. */
  save(): Promise<boolean>;
}

/**
 * Files as the editor sees them. Open files are read and changed in the editor, so that a change can be undone and unsaved
 * changes are not overwritten. Other files are read and written on disk. A document with unsaved changes of the user is not saved.
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

/** Whether the editor's text is exactly that of the file. The editor may convert encodings and mixed line ends. */
function survives(before: FileText, { text }: OpenDocument): boolean {
  return before.type === 'text' && before.encoding !== 'bytes' && before.text === text;
}

/** The part between the common prefix and the common suffix. Never splits a surrogate pair or a CRLF. */
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

/** Whether the offset is inside a surrogate pair or a CRLF. */
function isInside(text: string, at: number): boolean {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (left === 0x0d && right === 0x0a) || (left >= 0xd800 && left <= 0xdbff);
}
