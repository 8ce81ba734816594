import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from 'loopfuse/words';
import { z } from 'zod';

/** The edits of one answer, as they are stored for a window that is opened again. */
export interface KeptAnswer {
  /** The last call that changed something. */
  readonly call: string;
  readonly edited: readonly (readonly [path: string, Edited])[];
}

export interface Edited {
  /** The file before the answer; `undefined` if it cannot be restored because it was not text. */
  readonly before: Before | undefined;
  /** A digest of the text after the answer. */
  readonly after: string;
  /** Whether it was changed by others between two edits of the answer. */
  readonly mixed: boolean;
}

export type Before = z.infer<typeof before>;

/** Stores the edits of conversations. Neither function rejects: what cannot be stored is reported and dropped. */
export interface KeptEdits {
  load(session: string): Promise<readonly KeptAnswer[]>;
  /** Replaces what is stored for the session. */
  save(session: string, answers: readonly KeptAnswer[]): Promise<void>;
}

/** Edits are stored for this many conversations, those with the latest edits. */
const mostSessions = 20;
/** The most characters stored for one conversation. The latest answers come first. */
const mostCharacters = 8_000_000;

const before = z.union([
  z.object({ type: z.literal('missing') }),
  z.object({
    type: z.literal('text'),
    text: z.string(),
    encoding: z.enum(['utf8', 'utf8-bom', 'utf16le', 'utf16be', 'bytes']),
  }),
]);
const edited = z.object({ before: before.optional(), after: z.string(), mixed: z.boolean() });
const kept = z.object({
  version: z.literal(1),
  answers: z.array(z.object({ call: z.string(), edited: z.array(z.tuple([z.string(), edited])) })),
});

/** Stores edits in a folder of the editor. Readable by the user only, because they contain the text of the user's files. */
export function keptEdits(folder: string, onFault: (message: string) => void): KeptEdits {
  const fileOf = (session: string) => join(folder, `${encodeURIComponent(session)}.json`);

  async function write(session: string, answers: readonly KeptAnswer[]): Promise<void> {
    const file = fileOf(session);
    if (answers.length === 0) return rm(file, { force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.new`, JSON.stringify({ version: 1, answers: latest(answers) }), { mode: 0o600 });
    await rename(`${file}.new`, file);
    await forgetOldest(folder);
  }

  return {
    async load(session) {
      try {
        const { answers } = kept.parse(JSON.parse(await readFile(fileOf(session), 'utf8')));
        return answers.map((answer) => ({ ...answer, edited: answer.edited.map(([path, one]) => [path, whole(one)]) }));
      } catch (cause) {
        if ((cause as { code?: unknown }).code !== 'ENOENT')
          onFault(`The edits of the session ${session} cannot be undone any more: ${messageOf(cause)}`);
        return [];
      }
    },
    async save(session, answers) {
      try {
        await write(session, answers);
      } catch (cause) {
        onFault(`The edits of this answer cannot be undone once the window is closed: ${messageOf(cause)}`);
      }
    },
  };
}

function whole({ before, after, mixed }: z.infer<typeof edited>): Edited {
  return { before, after, mixed };
}

/** As many of the latest answers as fit into `mostCharacters`. */
function latest(answers: readonly KeptAnswer[]): readonly KeptAnswer[] {
  let room = mostCharacters;
  const first = answers.findLastIndex(({ edited }) => {
    for (const [, { before }] of edited) room -= before?.type === 'text' ? before.text.length : 0;
    return room < 0;
  });
  return answers.slice(first + 1);
}

async function forgetOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  if (files.length <= mostSessions) return;
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  dated.sort((a, b) => b.at - a.at);
  for (const { file } of dated.slice(mostSessions)) await rm(file, { force: true });
}
