import { z } from 'zod';
import { choices, wordsOf } from './to-view.js';

const id = z.string().regex(/^[\w-]{1,64}$/);

const schema = z.discriminatedUnion('type', [
  /** The page has loaded and needs everything. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('send'), text: z.string() }),
  /** Attaches what is selected in the editor, or the file that is open there, to the next message. */
  z.object({ type: z.literal('attach') }),
  z.object({ type: z.literal('detach'), id: z.number() }),
  /** Cancels the running request. */
  z.object({ type: z.literal('stop') }),
  /** Continues a request that was interrupted. */
  z.object({ type: z.literal('continue') }),
  z.object({ type: z.literal('restore'), id: z.string() }),
  /** Removes the user's last message and its answer, and sends the message again. */
  z.object({ type: z.literal('retry') }),
  /** Restores the files that an answer changed. */
  z.object({ type: z.literal('undo-edits'), id: z.number() }),
  z.object({
    type: z.literal('answer-loop'),
    choice: z.enum(choices),
    hint: z.string().optional(),
  }),
  z.object({ type: z.literal('answer-approval'), id: z.number(), answer: z.enum(['once', 'always', 'no']) }),
  /** Opens the diff of an approval in the editor. */
  z.object({ type: z.literal('open-diff'), id: z.number() }),
  z.object({ type: z.literal('new-chat') }),
  z.object({ type: z.literal('list-sessions') }),
  z.object({ type: z.literal('resume'), id }),
  z.object({ type: z.literal('set-approval'), mode: z.enum(['ask', 'auto-edit', 'yolo']) }),
  /** Opens a file of the workspace; a path outside of it is refused. */
  z.object({ type: z.literal('open-file'), path: z.string() }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  /** Runs a command of ours; others are refused. */
  z.object({ type: z.literal('command'), command: z.string().regex(/^loopfuse\.\w+$/) }),
  /** The page received something that it cannot handle. */
  z.object({ type: z.literal('problem'), message: z.string() }),
]);

/** A message from the page to the host. */
export type ToHost = z.infer<typeof schema>;

/** Validates a message to the host. Throws a `TypeError` that says what is wrong with it. */
export function readToHost(value: unknown): ToHost {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(`a message of the page is not understood: ${wordsOf(value, read.error)}`);
}
