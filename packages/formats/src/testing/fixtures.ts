import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a fixture beside a test. */
export function fixture(testUrl: string, ...parts: string[]): string {
  return join(dirname(fileURLToPath(testUrl)), 'fixtures', ...parts);
}

/** Every fixture of a test with a session, or a part of one. */
export function fixturesOf(testUrl: string): string[] {
  return walk(fixture(testUrl)).filter((file) => basename(file) !== 'README.md');
}

/** The fixtures of the format in this folder. */
export function fixturesIn(folder: string): string[] {
  return allFixtures()
    .filter(([name]) => name === folder)
    .map(([, file]) => file);
}

/** Every fixture of every format: `[folder of the format, file]`. */
export function allFixtures(): [format: string, file: string][] {
  const source = dirname(dirname(fileURLToPath(import.meta.url)));
  return readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'sqlite')
    .flatMap(({ name }) => walk(join(source, name, 'fixtures')).map((file): [string, string] => [name, file]))
    .filter(([, file]) => basename(file) !== 'README.md');
}

function walk(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [];
  }
}
