import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSession } from '@loopfuse/agent';
import { type Script, say } from '@loopfuse/model-server';
import { describe, expect, test } from 'vitest';
import { startModelProcess } from '../../../../testing/model-process.js';
import { runLoopfuse } from '../../../../testing/run-loopfuse.js';
import { scriptedWorkplace, type Workplace } from '../../../../testing/scripted-workplace.js';

const words = Array.from({ length: 5000 }, (_, k) => (((k + 1) * 7919) % 1_000_003).toString(36)).join(' ');
const talks: Script = () => ({ parts: [{ text: words }], pace: { delay: 5 } });

function sessionFiles({ home }: Workplace): string[] {
  const folder = join(home, '.loopfuse', 'sessions');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/** One message; what was printed while it streamed is given to `onText`. */
function send(place: Workplace, args: readonly string[], onText?: (text: string, kill: () => void) => void) {
  return runLoopfuse(['chat', ...place.flags, ...args], {
    env: { HOME: place.home },
    onStart(child) {
      let text = '';
      child.stdout?.on('data', (more: string) => {
        text += more;
        onText?.(text, () => void child.kill('SIGKILL'));
      });
    },
  });
}

describe('kill -9 in the middle of an answer', () => {
  test('of the agent: the session loads, nothing that was said before is lost, and it goes on', async () => {
    const place = await scriptedWorkplace(() => say('The first answer.'));
    expect((await send(place, ['-p', 'the first message'])).code).toBe(0);
    place.server.setScript(talks);
    const killed = await send(place, ['--resume', '-p', 'the second message'], (_, kill) => {
      if (readFileSync(sessionFiles(place)[0]!, 'utf8').includes(words.slice(0, 200))) kill(); // it speaks, and that is kept
    });
    expect(killed.code).toBe('SIGKILL');

    const [file, ...others] = sessionFiles(place);
    expect(others).toEqual([]);
    const { history } = await loadSession(file!);
    expect(history).toMatchObject([
      { role: 'user', text: 'the first message' },
      { role: 'assistant', parts: [{ type: 'text', text: 'The first answer.' }] },
      { role: 'user', text: 'the second message' },
      {
        role: 'assistant',
        interrupted: true,
        parts: [{ type: 'text', text: expect.stringContaining(words.slice(0, 200)) }],
      },
    ]);

    place.server.setScript(() => say('Here I am again.'));
    const resumed = await send(place, ['--resume', '-p', 'go on']);
    expect(resumed).toMatchObject({ code: 0, stdout: 'Here I am again.\n' });
    const asked = JSON.stringify(place.server.requests.at(-1)?.body);
    for (const said of ['the first message', 'The first answer.', 'the second message', words.slice(0, 200), 'go on'])
      expect(asked).toContain(said);
    expect(place.server.requests.at(-1)?.problem).toBeUndefined();
  });

  test('of the model server: the agent says so, keeps what came, and goes on with another', async () => {
    const place = await scriptedWorkplace(() => say('Here I am.'));
    const model = await startModelProcess();
    const args = ['-p', 'talk', '--base-url', `${model.url}/v1`];
    const ended = await send(place, args, (text) => {
      if (text.length > 500) void model.kill();
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/The answer was cut off.*What was received is kept/);
    const session = readFileSync(sessionFiles(place)[0]!, 'utf8');
    expect(session).toContain(ended.stdout.trim().slice(0, 500));

    expect(await send(place, ['--resume', '-p', 'go on'])).toMatchObject({ code: 0, stdout: 'Here I am.\n' });
    expect(JSON.stringify(place.server.requests.at(-1)?.body)).toContain(ended.stdout.trim().slice(0, 500));
  });
});
