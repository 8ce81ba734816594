import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../testing/folders.js';
import { anyHistory } from '../testing/histories.js';
import { session } from '../testing/sessions.js';
import { temporarySuffix } from '../workspace/write-whole.js';
import { readSession } from './session.js';
import { loadSession, saveSession, sessionFile, sessionFolder } from './session-file.js';

describe('a session file', () => {
  test('gives back what was saved, its history repaired', async () => {
    const file = join(freshFolder(), 'deep', 'one.json');
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        const repaired = readSession(JSON.parse(JSON.stringify(session({ history }))));
        await saveSession(file, session({ history }));
        expect(await loadSession(file)).toEqual(repaired);
        await saveSession(file, repaired);
        expect(await loadSession(file)).toEqual(repaired);
      }),
      { numRuns: 30 },
    );
  });

  test('is for its owner alone, and leaves nothing beside it', async () => {
    const folder = freshFolder();
    await saveSession(join(folder, 'a.json'), session());
    expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('that is none says what is wrong, and where', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.json');
    const wrong = async (text: string) => {
      writeFileSync(file, text);
      return loadSession(file).then(
        () => '',
        (cause: Error) => cause.message,
      );
    };
    expect(await wrong('{')).toMatch(/a\.json cannot be resumed: it is cut off or damaged \(.*JSON/);
    expect(await wrong('{"version":2}')).toMatch(/version 2.*update the program/);
    expect(await wrong(JSON.stringify({ ...session(), history: [{ role: 'nobody' }] }))).toMatch(/history\.0/);
    expect(await wrong('null')).toMatch(/not a session/);
    await expect(loadSession(join(folder, 'none.json'))).rejects.toThrow(/none\.json cannot be resumed/);
  });

  test('has a name that cannot lead elsewhere', () => {
    expect(sessionFile('/f', 'abc-1')).toBe(join('/f', 'abc-1.json'));
    expect(() => sessionFile('/f', '../x')).toThrow(/not the id of a session/);
    expect(sessionFolder('/home/me', '/a/project')).not.toBe(sessionFolder('/home/me', '/b/project'));
  });
});

describe('kill -9', () => {
  test('at any moment of a save leaves a whole file, and nothing that was said to be saved is lost', async () => {
    const folder = freshFolder();
    const file = join(folder, 'session.json');
    const program = join(folder, 'saver.mjs');
    await build({
      stdin: { contents: saver, resolveDir: dirname(fileURLToPath(import.meta.url)), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['loopfuse-source'],
      outfile: program,
      logLevel: 'error',
    });
    let cutShort = 0;
    for (let round = 0; round < 8 || (cutShort === 0 && round < 60); round++) {
      const saved = await killedWhileSaving(program, file, 3 + (round % 4) * 3, round);
      const { turns, history } = await loadSession(file);
      expect(turns).toBeGreaterThanOrEqual(saved);
      expect(history.length).toBe(1 + (turns % 40));
      if (readdirSync(folder).some((name) => name.endsWith(temporarySuffix))) cutShort++;
    }
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true);
    // The kill hit the middle of a save at least once, or the test has shown nothing.
    expect(cutShort).toBeGreaterThan(0);
  });
});

/** Saves sessions of different sizes, one after the other, and says so after each. */
const saver = `
  import { saveSession, loadSession } from './session-file.ts';
  const file = process.argv[2]!;
  const first = await loadSession(file).then(({ turns }) => turns, () => 0);
  for (let turns = first + 1; ; turns++) {
    const history = Array.from({ length: 1 + (turns % 40) }, (_, k) => ({ role: 'user', from: 'user', text: String(k).repeat(20000) }));
    await saveSession(file, { version: 1, id: 'a', root: '/', createdAt: '', updatedAt: '', model: '', turns, history, usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 } } as never);
    process.stdout.write(turns + '\\n');
  }
`;

/** Runs it, kills it after some saves and a little more, and gives the last save that it told of. */
async function killedWhileSaving(program: string, file: string, saves: number, more: number): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = 0;
  let lines = 0;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  createInterface({ input: child.stdout! }).on('line', (line) => {
    told = Number(line);
    if (++lines === saves) setTimeout(() => child.kill('SIGKILL'), more);
  });
  await exited;
  return told;
}
