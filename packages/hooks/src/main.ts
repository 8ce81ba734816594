import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { runHook } from './run-hook.js';

// What `loopfuse hook` runs, bundled into one file. The exit code must always be 0: agents take other codes for a
// refusal or an error. `process.stdin` and `process.stdout` are not used: making those streams takes as long as all of
// the work.
process.on('uncaughtException', () => process.exit(0));

/** Whether this run has compiled most of what any run needs (see `loader.ts`). */
export let worthKeeping = false;

if (isTerminal())
  write(2, 'Coding agents call this command; it reads an event on standard input. See "loopfuse install --help".');
else if (process.env.LOOPFUSE_HOOK !== 'off') {
  const reply = runHook({ args: process.argv.slice(2), payload: readFileSync(0, 'utf8'), env: process.env });
  if (reply.text !== '') write(1, reply.text);
  worthKeeping = reply.moment === 'result';
}

/** Whether a user typed this command: no input will come. */
function isTerminal(): boolean {
  return fstatSync(0).isCharacterDevice() && process.stdin.isTTY === true;
}

/** Writes all of it, even into a pipe that is full for a moment. */
function write(descriptor: number, line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
