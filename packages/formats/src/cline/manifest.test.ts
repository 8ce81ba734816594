import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { readAll } from '../testing/read-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-cline-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A session of the command line tool as it was recorded. */
function session(name: string): string {
  const file = join(folder, `${name}.messages.json`);
  cpSync(fixture(import.meta.url, 'recorded-cli-3.0.65.messages.json'), file);
  return file;
}

async function factsOf(file: string) {
  const { sessions, faults } = await readAll(file);
  expect(faults).toEqual([]);
  expect(sessions[0]!.events.length).toBeGreaterThan(0);
  const { project, title } = sessions[0]!.session;
  return { project, title };
}

describe('the facts in the folder of a session', () => {
  const note = JSON.stringify({ cwd: '/home/ada/sample', metadata: { title: 'Explain main' } });

  it('has the folder of the agent and the title', async () => {
    const file = session('noted');
    writeFileSync(join(folder, 'noted.json'), note);
    expect(await factsOf(file)).toEqual({ project: '/home/ada/sample', title: 'Explain main' });
  });

  it('may be missing, half written, or not an object, and is not read if it is a link', async () => {
    const nothing = { project: undefined, title: undefined };
    expect(await factsOf(session('alone'))).toEqual(nothing);
    for (const [name, text] of [
      ['half', note.slice(0, 20)],
      ['list', '[1]'],
    ] as const) {
      writeFileSync(join(folder, `${name}.json`), text);
      expect(await factsOf(session(name))).toEqual(nothing);
    }
    writeFileSync(join(folder, 'elsewhere'), note);
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked.json'));
    expect(await factsOf(session('linked'))).toEqual(nothing);
  });
});
