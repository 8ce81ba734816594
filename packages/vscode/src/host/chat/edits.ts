import { createHash } from 'node:crypto';
import type { Files, FileText } from '@loopfuse/agent';
import type { Before, Edited, KeptEdits } from './kept-edits.js';

/** The result of an undo for one file. */
export type Undone =
  | 'restored'
  | 'removed' // the answer had created it, and it was removed
  | 'kept' // the answer had created it, and the user keeps it
  | 'changed'; // it was changed since, so it was left alone

/** The files that an answer changed, while that can be undone. */
export interface EditedFiles {
  readonly id: number;
  /** The last call that changed one of them. It identifies the answer in the history. */
  readonly call: string;
  readonly paths: readonly string[];
}

/**
 * Remembers the contents of files before each answer of a conversation changed them. It sees only changes made through `files`,
 * not those made by commands.
 */
export interface Edits {
  /** The files that the agent's tools read and write. */
  readonly files: Files;
  /** Switches to another conversation: a new one, or one whose edits were kept. Must not be called during an answer. */
  open(session: string | undefined): Promise<void>;
  /** An answer begins. */
  begin(session: string): void;
  /** A call has ended. */
  onResult(call: string): void;
  /** The answer has ended: its changes can be undone from now on. The session may have a new id. */
  end(session: string | undefined): void;
  /** Resolves when everything so far is stored. */
  readonly settled: Promise<void>;
  /** The latest last. */
  readonly undoable: readonly EditedFiles[];
  /** The files that an answer created. */
  created(id: number): readonly string[];
  /**
   * Restores the files as they were before the answer. A restored file is not offered again; a file that was changed since is
   * left alone. Rejects if a file cannot be written; what was restored before that counts as done.
   */
  undo(id: number, created: 'remove' | 'keep'): Promise<ReadonlyMap<string, Undone>>;
}

export interface EditsOptions {
  readonly files: Files;
  /** Removes a file. */
  readonly remove: (path: string) => Promise<void>;
  /** Stores edits beyond the lifetime of the window. */
  readonly kept: KeptEdits;
}

interface Answer {
  readonly id: number;
  call: string;
  readonly edited: Map<string, Edited>;
}

/** The most answers that can be undone, the latest ones. Their files are held in memory. */
const mostAnswers = 20;

export function createEdits({ files, remove, kept }: EditsOptions): Edits {
  let session: string | undefined;
  let answers: readonly Answer[] = [];
  let current: Answer | undefined;
  let count = 0;
  let isNew = false; // something was written since the last result
  let settled: Promise<void> = Promise.resolve();

  function note(path: string, before: FileText, after: string): void {
    if (current === undefined) return;
    const earlier = current.edited.get(path);
    const mixed =
      earlier !== undefined && (earlier.mixed || before.type !== 'text' || digest(before.text) !== earlier.after);
    const first = earlier === undefined ? keptOf(before) : earlier.before;
    current.edited.set(path, { before: first, after: digest(after), mixed });
    isNew = true;
  }

  /** Writes one after the other, so that the latest state wins. */
  function keep(): void {
    if (session === undefined) return;
    const under = session;
    const all = [...answers, ...(current === undefined ? [] : [current])]
      .filter(({ edited }) => edited.size > 0)
      .map(({ call, edited }) => ({ call, edited: [...edited] }));
    settled = settled.then(() => kept.save(under, all));
  }

  async function restore(path: string, { before, after, mixed }: Edited, created: 'remove' | 'keep'): Promise<Undone> {
    const now = await files.read(path);
    if (before === undefined || mixed || now.type !== 'text' || digest(now.text) !== after) return 'changed';
    if (before.type === 'missing') {
      if (created === 'keep') return 'kept';
      await remove(path);
      return 'removed';
    }
    await files.write(path, before, now);
    return 'restored';
  }

  return {
    files: {
      read: (path) => files.read(path),
      async write(path, after, before) {
        const written = await files.write(path, after, before);
        const now = await files.read(path); // an editor may have formatted it when it was saved
        note(path, before, now.type === 'text' ? now.text : after.text);
        return written;
      },
    },
    async open(next) {
      if (next !== undefined && next === session) return;
      session = next;
      answers = [];
      if (next === undefined) return;
      await settled;
      const found = await kept.load(next);
      if (session === next)
        answers = found.map(({ call, edited }) => ({ id: ++count, call, edited: new Map(edited) })).slice(-mostAnswers);
    },
    begin(within) {
      session = within;
      current = { id: ++count, call: '', edited: new Map() };
      isNew = false;
    },
    onResult(call) {
      if (isNew && current !== undefined) {
        current.call = call;
        keep();
      }
      isNew = false;
    },
    end(within) {
      const hasEdits = current !== undefined && current.edited.size > 0;
      if (current !== undefined && hasEdits) answers = [...answers, current].slice(-mostAnswers);
      current = undefined;
      const isBranched = within !== undefined && within !== session && answers.length > 0;
      session = within ?? session;
      if (hasEdits || isBranched) keep();
    },
    get settled() {
      return settled;
    },
    get undoable() {
      return answers.map(({ id, call, edited }) => ({ id, call, paths: [...edited.keys()] }));
    },
    created(id) {
      const edited = answers.find((one) => one.id === id)?.edited ?? new Map<string, Edited>();
      return [...edited].flatMap(([path, { before }]) => (before?.type === 'missing' ? [path] : []));
    },
    async undo(id, created) {
      const answer = answers.find((one) => one.id === id);
      const report = new Map<string, Undone>();
      try {
        for (const [path, edited] of answer?.edited ?? []) {
          const how = await restore(path, edited, created);
          report.set(path, how);
          if (how === 'restored' || how === 'removed') answer?.edited.delete(path);
        }
      } finally {
        answers = answers.filter(({ edited }) => edited.size > 0);
        keep();
        await settled;
      }
      return report;
    },
  };
}

/** What can be restored; `undefined` if the file was not text. */
function keptOf(before: FileText): Before | undefined {
  if (before.type === 'missing') return { type: 'missing' };
  return before.type === 'text' ? { type: 'text', text: before.text, encoding: before.encoding } : undefined;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
