import type { Files, FileText } from '@loopfuse/agent';

type Text = Extract<FileText, { type: 'text' }>;

/** What became of a file when its edits were to be undone. */
export type Undone =
  | 'restored'
  | 'removed' // it was created, and is not there any more
  | 'kept' // it was created, and the person wants it
  | 'changed'; // somebody has changed it since, so it is left as it is

/** The files that an answer has changed, as long as that can be undone. */
export interface EditedFiles {
  readonly id: number;
  /** The last call that changed one of them: it says where the answer is. */
  readonly call: string;
  readonly paths: readonly string[];
}

/** Remembers what files were before each answer changed them. Only what goes through `files` is seen: commands are not. */
export interface Edits {
  /** Where the agent's tools read and write. */
  readonly files: Files;
  /** An answer begins. */
  begin(): void;
  /** A call has ended. */
  onResult(call: string): void;
  /** The answer has ended: what it changed can be undone from now on. */
  end(): void;
  /** The latest last. */
  readonly undoable: readonly EditedFiles[];
  /** The files of an answer that were not there before. */
  created(id: number): readonly string[];
  /**
   * Puts the files back as they were before the answer. What can be undone no more is not offered again; what was
   * changed since is left alone. Rejects where a file cannot be written.
   */
  undo(id: number, created: 'remove' | 'keep'): Promise<ReadonlyMap<string, Undone>>;
}

export interface EditsOptions {
  readonly files: Files;
  /** Removes a file. */
  readonly remove: (path: string) => Promise<void>;
}

interface Edited {
  readonly before: FileText;
  readonly after: string;
  /** Somebody else has changed it between two edits of the answer. */
  readonly mixed: boolean;
}

interface Answer {
  readonly id: number;
  call: string;
  readonly edited: Map<string, Edited>;
}

/** So many answers can be undone, the latest ones: their files are held in memory. */
const mostAnswers = 20;

export function createEdits({ files, remove }: EditsOptions): Edits {
  let answers: readonly Answer[] = [];
  let current: Answer | undefined;
  let count = 0;
  let isNew = false; // something was written since the last result

  function note(path: string, before: FileText, after: string): void {
    if (current === undefined) return;
    const earlier = current.edited.get(path);
    const mixed = earlier !== undefined && (earlier.mixed || before.type !== 'text' || before.text !== earlier.after);
    current.edited.set(path, { before: earlier?.before ?? before, after, mixed });
    isNew = true;
  }

  async function restore(path: string, { before, after, mixed }: Edited, created: 'remove' | 'keep'): Promise<Undone> {
    const now = await files.read(path);
    if (mixed || now.type !== 'text' || now.text !== after) return 'changed';
    if (before.type === 'missing') {
      if (created === 'keep') return 'kept';
      await remove(path);
      return 'removed';
    }
    if (before.type !== 'text') return 'changed';
    await files.write(path, textOf(before), now);
    return 'restored';
  }

  return {
    files: {
      read: (path) => files.read(path),
      async write(path, after, before) {
        const written = await files.write(path, after, before);
        note(path, before, after.text);
        return written;
      },
    },
    begin() {
      current = { id: ++count, call: '', edited: new Map() };
      isNew = false;
    },
    onResult(call) {
      if (isNew && current !== undefined) current.call = call;
      isNew = false;
    },
    end() {
      if (current !== undefined && current.edited.size > 0) answers = [...answers, current].slice(-mostAnswers);
      current = undefined;
    },
    get undoable() {
      return answers.map(({ id, call, edited }) => ({ id, call, paths: [...edited.keys()] }));
    },
    created(id) {
      const edited = answers.find((one) => one.id === id)?.edited ?? new Map<string, Edited>();
      return [...edited].flatMap(([path, { before }]) => (before.type === 'missing' ? [path] : []));
    },
    async undo(id, created) {
      const answer = answers.find((one) => one.id === id);
      const report = new Map<string, Undone>();
      for (const [path, edited] of answer?.edited ?? []) {
        const how = await restore(path, edited, created);
        report.set(path, how);
        if (how === 'restored' || how === 'removed') answer?.edited.delete(path);
      }
      answers = answers.filter(({ edited }) => edited.size > 0);
      return report;
    },
  };
}

function textOf({ text, encoding }: Text): Pick<Text, 'text' | 'encoding'> {
  return { text, encoding };
}
