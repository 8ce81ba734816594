import type { Key, KeyName } from './key.js';

/**
 * Makes keys of what a terminal sends. Where the chunks are cut does not matter, with one exception: a lone Escape looks
 * like the beginning of a longer sequence. So the caller waits, and calls `flush` if nothing more has come.
 */
export interface KeyParser {
  push(chunk: string): readonly Key[];
  /** The keys in the text that was held back. */
  flush(): readonly Key[];
  /** Whether text is held back because it may be incomplete. */
  readonly waiting: boolean;
}

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';

/** Makes a terminal put marks around pasted text, so that its line breaks are not taken for Enter. */
export const bracketedPaste = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const;

export function createKeyParser(): KeyParser {
  let held = '';
  let pasting = false;

  /** Takes one key from the front of the text; `undefined` if it is incomplete. */
  function next(): Key | 'nothing' | undefined {
    if (pasting) return pasted();
    const control = held.search(/[\u0000-\u001f\u007f]/);
    if (control !== 0) return { type: 'text', text: take(control < 0 ? held.length : control) };
    if (held[0] !== '\u001b') return named(controls[take(1)]);
    if (held.startsWith(pasteStart)) {
      take(pasteStart.length);
      pasting = true;
      return 'nothing';
    }
    return sequence();
  }

  function pasted(): Key | 'nothing' | undefined {
    const end = held.indexOf(pasteEnd);
    if (end < 0) return undefined;
    const text = take(end).replace(/\r\n?/g, '\n');
    take(pasteEnd.length);
    pasting = false;
    return text === '' ? 'nothing' : { type: 'text', text };
  }

  function sequence(): Key | 'nothing' | undefined {
    const whole = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/.exec(held)?.[0];
    if (whole !== undefined) {
      take(whole.length);
      return named(sequences[whole.replace(/^\u001bO/, '\u001b[').slice(2)]);
    }
    if (/^\u001b(?:\[[0-?]*[ -/]*|O)?$/.test(held)) return undefined;
    const alt = held[1]!;
    if (alt === '\u001b' || held[1] === '[' || held[1] === 'O') {
      take(1);
      return { type: 'escape' };
    }
    take(2);
    return named(alts[alt]);
  }

  function take(length: number): string {
    const taken = held.slice(0, length);
    held = held.slice(length);
    return taken;
  }

  function drain(): Key[] {
    const keys: Key[] = [];
    while (held !== '') {
      const key = next();
      if (key === undefined) break;
      if (key === 'nothing') continue;
      const last = keys.at(-1);
      if (key.type === 'text' && last?.type === 'text')
        keys[keys.length - 1] = { type: 'text', text: last.text + key.text };
      else keys.push(key);
    }
    return keys;
  }

  return {
    push(chunk) {
      held += chunk;
      return drain();
    },
    flush() {
      if (held === '' || pasting) return [];
      take(1);
      return [{ type: 'escape' }, ...drain()];
    },
    get waiting() {
      return held !== '' && !pasting;
    },
  };
}

function named(name: KeyName | undefined): Key | 'nothing' {
  return name === undefined ? 'nothing' : { type: name };
}

const controls: { readonly [character: string]: KeyName } = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0001': 'home',
  '\u0002': 'left',
  '\u0003': 'interrupt',
  '\u0004': 'close',
  '\u0005': 'end',
  '\u0006': 'right',
  '\u000b': 'delete-to-end',
  '\u000e': 'down',
  '\u000f': 'details',
  '\u0010': 'up',
  '\u0015': 'delete-to-start',
  '\u0017': 'delete-word',
};

/** Without their first two characters. */
const sequences: { readonly [sequence: string]: KeyName } = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  M: 'enter',
  '1~': 'home',
  '4~': 'end',
  '7~': 'home',
  '8~': 'end',
  '3~': 'delete',
  '1;5C': 'word-right',
  '1;5D': 'word-left',
  '1;3C': 'word-right',
  '1;3D': 'word-left',
  '13;2u': 'newline', // Shift-Enter, where the terminal reports it
  '27;2;13~': 'newline',
};

const alts: { readonly [character: string]: KeyName } = {
  '\r': 'newline',
  '\n': 'newline',
  b: 'word-left',
  f: 'word-right',
  '\u007f': 'delete-word',
  '\b': 'delete-word',
};
