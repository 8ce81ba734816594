import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readAll } from '../testing/read-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-opencode-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(path: string, value: object): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const about = { projectID: 'p', directory: '/x', time: { created: 1 } };
const secret = { id: 'msg_1', role: 'user' };

describe('a store of files', () => {
  it('is never left by an id that is a path', async () => {
    put('outside/msg_1.json', secret);
    const file = put('storage/session/p/ses_1.json', { id: '../../outside', ...about });
    const { sessions, faults } = await readAll(file);
    expect(sessions).toEqual([]);
    expect(faults).toMatchObject([{ kind: 'not-a-session' }]);
  });

  it('is never left by a link', async () => {
    put('elsewhere/msg_1.json', secret);
    put('elsewhere/parts/prt_1.json', { type: 'text', text: 'secret', messageID: 'msg_1' });
    const file = put('linked/session/p/ses_2.json', { id: 'ses_2', ...about });
    mkdirSync(join(folder, 'linked/message'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked/message/ses_2'));
    expect((await readAll(file)).sessions[0]?.events).toEqual([]);

    put('half/message/ses_3/msg_1.json', secret);
    mkdirSync(join(folder, 'half/part'));
    symlinkSync(join(folder, 'elsewhere/parts'), join(folder, 'half/part/msg_1'));
    symlinkSync(join(folder, 'elsewhere/parts/prt_1.json'), join(folder, 'half/part/prt_9.json'));
    const half = put('half/session/p/ses_3.json', { id: 'ses_3', ...about });
    expect((await readAll(half)).sessions[0]?.events).toEqual([]);
  });

  it('is read if its files are packed one by one, or begin with a byte order mark', async () => {
    const packed = (path: string, value: object) => {
      rmSync(put(path, value));
      writeFileSync(join(folder, `${path}.gz`), gzipSync(JSON.stringify(value)));
      return join(folder, `${path}.gz`);
    };
    const marked = (path: string, value: object) => {
      const file = put(path, value);
      writeFileSync(file, `\ufeff${JSON.stringify(value)}`);
      return file;
    };
    for (const [root, as] of [
      ['packed', packed],
      ['marked', marked],
    ] as const) {
      const file = as(`${root}/session/p/ses_5.json`, { id: 'ses_5', ...about });
      as(`${root}/message/ses_5/msg_1.json`, secret);
      as(`${root}/part/msg_1/prt_1.json`, { type: 'text', text: 'Hello' });
      const { sessions, faults } = await readAll(file);
      expect(faults).toEqual([]);
      expect(sessions).toMatchObject([{ session: { id: 'ses_5' }, events: [{ type: 'prompt', text: 'Hello' }] }]);
    }
  });

  it('reports which of its files are broken and reads the rest', async () => {
    const file = put('broken/session/p/ses_4.json', { id: 'ses_4', ...about });
    put('broken/message/ses_4/msg_1.json', secret);
    put('broken/part/msg_1/prt_2.json', { type: 'text', text: 'Hello' });
    writeFileSync(join(folder, 'broken/part/msg_1/prt_1.json'), '{"type":');
    const deep = `${'['.repeat(150_000)}${']'.repeat(150_000)}`;
    writeFileSync(join(folder, 'broken/part/msg_1/prt_3.json'), `{"type":"text","text":"Deep","more":${deep}}`);
    const { sessions, faults } = await readAll(file);
    expect(sessions[0]?.events).toMatchObject([{ type: 'prompt', text: 'Hello' }]);
    expect(faults).toMatchObject([
      { message: expect.stringContaining('prt_1.json could not be read') },
      { message: expect.stringMatching(/prt_3\.json could not be read: it nests more than 1000 levels deep$/) },
    ]);
  });
});
