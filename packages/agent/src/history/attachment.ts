import { grouped } from 'loopfuse/words';

/** A file, or a part of one, that the user has sent with a message. */
export interface Attachment extends AttachmentName {
  /** As it was when it was attached. */
  readonly text: string;
  /** How many characters were left out at its end. */
  readonly cut?: number;
  /** The text has unsaved changes of an editor: the file on disk is different. */
  readonly unsaved?: true;
}

/** The name of an attachment. */
export interface AttachmentName {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** The first and the last line, from 1; absent for the whole file. */
  readonly lines?: readonly [first: number, last: number];
}

/** A message of the user, with its attachments. */
export interface UserRequest {
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** The maximum number of characters that are sent of each attachment. */
export const maxAttached = 40_000;

/** The attachment with as much of its text as is sent: whole lines, unless that would leave out more than half. */
export function bounded(attachment: Attachment, most = maxAttached): Attachment {
  const { text } = attachment;
  if (text.length <= most) return attachment;
  const line = text.lastIndexOf('\n', most - 1);
  const code = text.charCodeAt(most);
  const end = line >= most / 2 ? line + 1 : code >= 0xdc00 && code <= 0xdfff ? most - 1 : most;
  return { ...attachment, text: text.slice(0, end), cut: text.length - end };
}

/** What the model reads of a message: the text, then each attachment with its path and its lines, numbered as in `read_file`. */
export function requestInWords({ text, attachments = [] }: UserRequest): string {
  return [text, ...attachments.map(inWords)].join('\n\n');
}

function inWords({ path, lines, text, cut, unsaved }: Attachment): string {
  const [first, last] = lines ?? [1, 1];
  const which = lines === undefined ? 'the whole file' : first === last ? `line ${first}` : `lines ${first} to ${last}`;
  const state = unsaved === true ? ', as it is in the editor, not saved' : '';
  const rest = cut === undefined ? [] : [`[${grouped(cut)} more characters are not shown. Read on with read_file.]`];
  return [`[Attached by the user: ${path}, ${which}${state}]`, numbered(text, first), ...rest].join('\n');
}

function numbered(text: string, first: number): string {
  if (text === '') return '(the file is empty)';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, k) => `${first + k}→${line.endsWith('\r') ? line.slice(0, -1) : line}`).join('\n');
}
