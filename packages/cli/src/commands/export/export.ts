import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { counted } from 'loopfuse/words';
import { createMask } from '../../recorded/mask.js';
import { openSession } from '../../recorded/open-session.js';
import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';
import { traceLines } from './trace-lines.js';

export interface ExportOptions {
  /** By default standard output. */
  readonly output?: string | undefined;
  readonly cache: boolean;
}

/** Writes a session as a masked trace, and reports how much was masked. */
export async function exportSession(
  name: string,
  paths: readonly string[],
  { output, cache }: ExportOptions,
  shell: Shell,
): Promise<void> {
  const opened = await openSession(name, paths, { cache }, shell);
  const { out, err } = shell;
  const mask = createMask();
  const lines = traceLines(opened, mask);
  if (output === undefined) for (const line of lines) await out.write(line);
  else {
    try {
      writeNew(output, [...lines].join(''));
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const why = code === 'EEXIST' ? 'the file exists; choose another name' : message;
      throw new UsageError(`${JSON.stringify(output)} cannot be written: ${why}.`);
    }
  }
  const { secrets, addresses, homes } = mask.counts;
  await err.write(
    `Masked ${counted(secrets, 'secret')}, ${counted(addresses, 'e-mail address', 'e-mail addresses')} and ${counted(homes, 'home folder')}. Read it before you share it: names and code are not masked.\n`,
  );
}

/** Writes a new file, readable only by its owner: all of it, or none. */
function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
  } catch (cause) {
    rmSync(file, { force: true });
    throw cause;
  } finally {
    closeSync(descriptor);
  }
}
