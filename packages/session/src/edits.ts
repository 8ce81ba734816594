/**
 * Our messages in one history, and the rounds that were taken out of it. Hosts send the model the same history again
 * with every request, mostly without what we added to it, so each request is edited again at the same places.
 */
export interface Edits {
  /** Adds a message for the model to the next request. */
  tell(text: string): void;
  /** Takes what came since event `from` out of the history; the note takes its place. */
  rewind(from: number, note: string): void;
  /** Whether a message is waiting. */
  readonly waiting: boolean;
  /**
   * The history with our messages in it. `seq` is the index of the next event; `placed` is called with each message
   * that is sent for the first time.
   */
  apply<Message>(
    history: readonly Message[],
    seq: number,
    make: (text: string) => Message,
    placed?: (text: string) => void,
  ): Message[];
  /** The waiting messages, for a host that takes messages but no history: they are returned once and not placed. */
  take(): readonly string[];
  save(): SavedEdits;
}

export interface SavedEdits {
  readonly waiting: readonly Waiting[];
  readonly edits: readonly Edit[];
  readonly marks: readonly Mark[];
}

interface Waiting {
  readonly text: string;
  readonly from?: number;
}

/** The messages from `from` up to `to` are replaced by the text; if the two are equal, it is only inserted. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Fingerprints of the messages before `from` and before `to`: if they differ, it is another history. */
  readonly before: number;
  readonly until: number;
}

/** How long the history was when the model was asked, and how many events had been seen by then. */
interface Mark {
  readonly seq: number;
  readonly length: number;
}

const maxEdits = 16;
const maxMarks = 128;

/** How a message to the model begins, so that the model does not take it for the user's. */
const prefix = '[Loop guard] ';

/** Our message as the model sees it. */
export function said(text: string): string {
  return prefix + text;
}

export function createEdits(saved?: SavedEdits): Edits {
  let waiting: Waiting[] = listOf<Waiting>(saved?.waiting).filter(({ text }) => typeof text === 'string');
  let edits: Edit[] = listOf<Edit>(saved?.edits).filter(isEdit);
  let marks: Mark[] = listOf<Mark>(saved?.marks).filter(({ seq, length }) => isCount(seq) && isCount(length));

  function place(history: readonly unknown[], { text, from }: Waiting): void {
    const start = from === undefined ? undefined : marks.findLast(({ seq, length }) => seq <= from && length > 0);
    const to = history.length;
    const begin = Math.min(start?.length ?? to, to);
    const kept = from === undefined ? edits : edits.filter((edit) => edit.from < begin);
    edits = [
      ...kept,
      { from: begin, to, text, before: printOf(history[begin - 1]), until: printOf(history[to - 1]) },
    ].slice(-maxEdits);
  }

  return {
    tell(text) {
      waiting = [...waiting, { text: said(text) }].slice(-maxEdits);
    },
    rewind(from, note) {
      waiting = [...waiting, { text: said(note), from }].slice(-maxEdits);
    },
    get waiting() {
      return waiting.length > 0;
    },
    apply(history, seq, make, placed = () => {}) {
      edits = edits.filter((edit) => fits(edit, history));
      const added = waiting;
      waiting = [];
      for (const one of added) {
        place(history, one);
        placed(one.text);
      }
      marks = marks.filter(({ length }) => length <= history.length).slice(1 - maxMarks);
      if (marks.at(-1)?.length !== history.length) marks.push({ seq, length: history.length });
      const edited: ReturnType<typeof make>[] = [];
      let at = 0;
      for (const { from, to, text } of edits) {
        if (from < at) continue;
        edited.push(...history.slice(at, from), make(text));
        at = to;
      }
      return [...edited, ...history.slice(at)];
    },
    take() {
      const texts = waiting.map(({ text }) => text);
      waiting = [];
      return texts;
    },
    save: () => ({ waiting, edits, marks }),
  };
}

/** An edit is kept only between the messages it was made for: elsewhere it could separate a call from its result. */
function fits({ from, to, before, until }: Edit, history: readonly unknown[]): boolean {
  return to <= history.length && printOf(history[from - 1]) === before && printOf(history[to - 1]) === until;
}

/** FNV-1a of the JSON of a message. */
export function printOf(message: unknown): number {
  let text: string;
  try {
    text = JSON.stringify(message) ?? '';
  } catch {
    text = '';
  }
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}

function listOf<Item>(value: readonly Item[] | undefined): Item[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

/** Fingerprints need no check: a wrong one fits no history. */
function isEdit({ from, to, text }: Edit): boolean {
  return isCount(from) && isCount(to) && from <= to && typeof text === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
