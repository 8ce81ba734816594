import { askModel, type Message, protocols, type Script } from '@loopfuse/model-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type Started, start } from './testing/start.js';

/* Agents whose model writes its calls as text, and gets their results as the next message of the user. */

let started: Started | undefined;
afterEach(async () => {
  await started?.close();
  started = undefined;
});

const empty = { text: '', reasoning: '', calls: [], results: [] };
const failed = '<returncode>1</returncode>\n<output>\nFAIL tides.test.js: expected 4.21, got 4.12\n</output>';
const thoughts = ['I run the test.', 'It may be flaky.', 'Once more.', 'Perhaps now.', 'Again.', 'One more time.'];

function stuck(): Script {
  let n = 0;
  return () => ({ parts: [{ text: `${thoughts[n++ % thoughts.length]}\n\n\`\`\`bash\nnpm test -- tides\n\`\`\`` }] });
}

/** Asks again with each result, until an answer is not passed on or the gateway has stopped the run. */
async function drive(protocol: (typeof protocols)[number], messages: Message[], rounds: number): Promise<string[]> {
  const said: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const answer = await askModel({ url: started!.url, protocol, stream: true, messages });
    said.push(answer.status === 200 ? answer.text : `status ${answer.status}`);
    if (answer.status !== 200) break;
    messages.push({ ...empty, role: 'assistant', text: answer.text }, { ...empty, role: 'user', text: failed });
  }
  return said;
}

describe.each(protocols.map((protocol) => ({ protocol })))('over $protocol, an agent without tools', ({ protocol }) => {
  it('is stopped when it runs the same command again and again, and goes on with the next request', async () => {
    started = await start(stuck());
    const messages: Message[] = [{ ...empty, role: 'user', text: 'Fix the test of the tides.' }];
    const said = await drive(protocol, messages, 12);
    expect(said.length).toBeLessThan(9);
    expect(said.at(-2)).toContain('Loopfuse stopped this run');
    expect(said.at(-1)).toMatch(/^status 4/);
    expect(started.events.filter((event) => event.type === 'action').map(({ action }) => action)).toContain('steer');
    messages.splice(-1, 1, { ...empty, role: 'user', text: 'Look at the expected number first, please' });
    const [next] = await drive(protocol, messages, 1);
    expect(next).toContain('npm test');
  });
});
