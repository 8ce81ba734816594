import { callFor, type Script, say } from '@loopfuse/model-server';
import { expect, test } from 'vitest';
import { runLoopfuse } from '../../../../testing/run-loopfuse.js';
import { scriptedWorkplace } from '../../../../testing/scripted-workplace.js';

const key = 'sk-only-for-the-provider-0815';
const looks =
  "for p in $PPID $(cut -d ' ' -f 4 /proc/$PPID/stat); do tr '\\0' '\\n' < /proc/$p/environ | grep -e API_KEY -e PLAIN; done; true";

const looksForTheKey: Script = (turn) =>
  turn.results.length === 0
    ? { parts: [callFor(turn, { shell: looks })] }
    : say(`It said: ${turn.results[0]?.text ?? ''}`);

test.runIf(process.platform === 'linux')('a command cannot read the key from the process that started it', async () => {
  const place = await scriptedWorkplace(looksForTheKey);
  const { stdout, code } = await runLoopfuse(['chat', ...place.flags, '-p', 'go', '--approval', 'yolo', '-o', 'json'], {
    env: { HOME: place.home, LOOPFUSE_API_KEY: key, PLAIN: 'seen' },
  });
  expect(code).toBe(0);
  const { text } = JSON.parse(stdout);
  expect(text).toContain('PLAIN=seen');
  expect(text).not.toContain(key);
  expect(place.server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
});
