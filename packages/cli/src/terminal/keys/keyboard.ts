import { StringDecoder } from 'node:string_decoder';
import type { Key } from './key.js';
import { bracketedPaste, createKeyParser } from './key-parser.js';

/** How long an Escape is held back in case it begins a longer sequence, in milliseconds. */
const patience = 30;

/** The keyboard of a terminal, key by key, from when it is opened until it is closed. */
export interface Keyboard {
  close(): void;
}

export function openKeyboard(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  onKey: (key: Key) => void,
): Keyboard {
  const parser = createKeyParser();
  const decoder = new StringDecoder('utf8');
  let timer: NodeJS.Timeout | undefined;

  function onData(chunk: Buffer | string): void {
    clearTimeout(timer);
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    for (const key of parser.push(text)) onKey(key);
    if (parser.waiting)
      timer = setTimeout(() => {
        for (const key of parser.flush()) onKey(key);
      }, patience);
  }

  function restore(): void {
    stdin.setRawMode?.(false);
    stdout.write(bracketedPaste.off);
  }

  stdin.setRawMode?.(true);
  stdout.write(bracketedPaste.on);
  stdin.on('data', onData);
  stdin.resume();
  process.once('exit', restore);
  return {
    close() {
      clearTimeout(timer);
      stdin.off('data', onData);
      stdin.pause();
      process.off('exit', restore);
      restore();
    },
  };
}
