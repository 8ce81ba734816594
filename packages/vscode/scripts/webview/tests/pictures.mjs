/** Screenshots of every state, in every theme and width. */
import assert from 'node:assert/strict';
import { onPage, shots } from '../on-page.mjs';
import {
  approval,
  attached,
  commandApproval,
  conversation,
  done,
  events,
  facts,
  halt,
  request,
  sessions,
  undoable,
  work,
} from '../scenes.mjs';

const scenes = {
  welcome: [conversation()],
  work: [conversation(), ...work],
  approval: [conversation(), ...work, approval()],
  command: [
    conversation(),
    ...work,
    events(request('c4', 'run_shell_command', { command: 'npm test -- total' })),
    commandApproval,
  ],
  answer: [conversation(), ...work, ...done],
  edits: [conversation(), ...work, ...done, { type: 'facts', facts: facts({ undoable }) }],
  loop: [conversation(), ...halt()],
  chanting: [conversation(), ...halt('chanting')],
  answered: [conversation(), ...halt(), { type: 'loop-answered', choice: 'exempt' }, ...done.slice(0, 1)],
  blocked: [
    conversation([], {
      facts: facts({
        blocked: 'There is no API key for anthropic. Set it here, or put ANTHROPIC_API_KEY into the environment.',
        remedies: [{ label: 'Set the API Key', command: 'loopfuse.setApiKey' }],
        price: undefined,
      }),
    }),
  ],
  untrusted: [conversation([], { facts: facts({ trusted: false, guard: 'off' }) })],
  attached: [
    conversation([], { attached }),
    { type: 'started', text: 'Why is the total wrong?', attached: attached.map(({ id, note, ...name }) => name) },
    { type: 'settled' },
  ],
  cut: [conversation([{ role: 'user', from: 'user', text: 'Why is the total wrong?' }], { cut: true })],
  problem: [
    conversation(),
    ...work.slice(0, 1),
    events({ type: 'hologram' }, { type: 'error', message: 'The model server does not answer (connection refused).' }),
    { type: 'settled' },
  ],
};

for (const [theme, width] of [
  ['dark', 420],
  ['light', 420],
  ['contrast', 420],
  ['dark', 300],
  ['light', 300],
  ['dark', 900],
])
  onPage(
    `screenshots: ${theme}, ${width} wide; nothing sticks out`,
    { theme, width, height: 760 },
    async ({ page, tell, part }) => {
      for (const [name, messages] of Object.entries(scenes)) {
        await tell(...messages);
        await page.screenshot({ path: `${shots}/${name}-${theme}-${width}.png` });
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll('.items, .below, header')]
            .filter((one) => one.scrollWidth > one.clientWidth)
            .map((one) => one.className),
        );
        assert.deepEqual(wide, [], `${name} is wider than the page`);
      }
      await tell(conversation(), ...halt('cycle'));
      await part('evidence').locator('summary').click();
      await page.screenshot({ path: `${shots}/evidence-${theme}-${width}.png` });
      const card = await part('loop-card').evaluate((one) => one.scrollWidth <= one.clientWidth);
      assert.ok(card, 'the evidence is wider than its card');
      await tell(conversation(), sessions);
      await part('sessions-button').click();
      await page.screenshot({ path: `${shots}/sessions-${theme}-${width}.png` });
    },
  );
