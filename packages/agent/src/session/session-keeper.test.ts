import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainAnswer } from '../../../testkit/src/model-server/index.js';
import type { Message } from '../history/message.js';
import { freshFolder } from '../testing/folders.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';
import { session } from '../testing/sessions.js';
import { loadSession } from './session-file.js';
import { keepSession } from './session-keeper.js';

const says = (text: string): Message => ({ role: 'user', from: 'user', text });
const keeping = (file: string, revision = 0) => keepSession({ id: 'one', file, revision, mask: (text) => text });

async function textsIn(folder: string): Promise<string[]> {
  const sessions = await Promise.all(readdirSync(folder).map((name) => loadSession(join(folder, name))));
  return sessions.flatMap(({ history }) => history.map((message) => (message.role === 'user' ? message.text : '')));
}

describe('two processes on one session', () => {
  test('lose nothing, in whatever order they save', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 1, maxLength: 8 }), async (order) => {
        const folder = freshFolder();
        const file = join(folder, 'one.json');
        const keepers = [keeping(file), keeping(file), keeping(file)];
        const histories: Message[][] = [[], [], []];
        for (const [k, who] of order.entries()) {
          histories[who]!.push(says(`${k}`));
          await keepers[who]!.save(session({ history: [...histories[who]!] }));
        }
        const found = new Set(await textsIn(folder));
        expect([...found].sort()).toEqual(order.map((_, k) => `${k}`).sort());
      }),
      { numRuns: 30 },
    );
  });

  test('that save at the same moment lose nothing either', async () => {
    const folder = freshFolder();
    const file = join(folder, 'one.json');
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => keeping(file).save(session({ history: [says(text)] }))));
    expect((await textsIn(folder)).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('the one that comes second is told, and goes on under an id of its own', async () => {
    const { client, another, sessionFile, server } = await scriptedAgent(plainAnswer);
    await collect(client.sendMessageStream('first'));
    const here = another({ session: await loadSession(sessionFile) });
    const there = another({ session: await loadSession(sessionFile) });
    expect(eventsOf(await collect(here.sendMessageStream('here')), 'warning')).toEqual([]);
    const events = await collect(there.sendMessageStream('there'));
    expect(eventsOf(events, 'warning')).toMatchObject([{ message: expect.stringContaining(there.sessionId) }]);
    expect(there.sessionId).not.toBe(here.sessionId);
    const texts = JSON.stringify((await loadSession(sessionFile)).history);
    expect(texts).toContain('here');
    expect(texts).not.toContain('there');
    const own = await loadSession(join(sessionFile, '..', `${there.sessionId}.json`));
    expect(JSON.stringify(own.history)).toContain('there');
    expect(own.id).toBe(there.sessionId);
    expect(server.seen).toBe(3);
  });
});

describe('a session that is kept', () => {
  test('can be taken up again and again by one process after the other', async () => {
    const file = join(freshFolder(), 'one.json');
    for (let round = 0; round < 4; round++) {
      const { revision = 0 } = round === 0 ? {} : await loadSession(file);
      expect(await keeping(file, revision).save(session({ turns: round }))).toBeUndefined();
    }
    expect((await loadSession(file)).turns).toBe(3);
  });

  test.each([-60, 60])('is saved in spite of a lock that a dead process has left %d s from now', async (seconds) => {
    const folder = freshFolder();
    const file = join(folder, 'one.json');
    writeFileSync(`${file}.lock`, '');
    const left = Date.now() / 1000 + seconds;
    utimesSync(`${file}.lock`, left, left);
    await keeping(file).save(session());
    expect(readdirSync(folder)).toEqual(['one.json']);
  });

  test('does not wait for ever where such a lock cannot be removed', async () => {
    const file = join(freshFolder(), 'one.json');
    mkdirSync(`${file}.lock`); // for one in a folder that we may not write to
    utimesSync(`${file}.lock`, 1000, 1000);
    await expect(keeping(file).save(session())).rejects.toThrow('one.json.lock');
  });

  test('does not take the place of a file that cannot be read', async () => {
    const folder = freshFolder();
    const file = join(folder, 'one.json');
    writeFileSync(file, '{"broken');
    expect(await keeping(file).save(session())).toMatch(/as a new session/);
    expect(readFileSync(file, 'utf8')).toBe('{"broken');
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
