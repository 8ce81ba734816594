import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionFolder } from '@loopfuse/agent';
import { models } from '../models.mjs';
import { prose } from '../prose.mjs';

const deltas = 10_000;
const messages = 2_000;
/** The text after certain words instead of a space. */
const breaks = {
  3: '\n\n## ',
  6: '\n\n',
  30: '\n\n- **',
  31: '** ',
  36: '\n- `',
  37: '` ',
  42: '\n\n```js\n',
  48: '\n',
  54: '\n```\n\n',
  59: '\n\n',
};

/** A setting that gives them a window that no other scene has used. */
const settings = { 'loopfuse.maxOutputTokens': 100_000 };

/** The view under load. Figures are printed without limits; only that the view goes on working is checked. */
export const benchmarks = {
  'benchmark: 10,000 streamed deltas': {
    model: models.says(answer()),
    settings,
    async play({ chat, workbench, print }) {
      const metrics = await workbench.metrics();
      await chat.watchFrames();
      const begun = performance.now();
      await chat.send('Say a lot');
      await chat.part('item-says').waitFor();
      const typed = performance.now();
      await chat.composer.pressSequentially('are you there?', { delay: 0 });
      const typing = (performance.now() - typed) / 'are you there?'.length;
      assert.equal(await chat.composer.inputValue(), 'are you there?');
      await chat.idle();
      const wall = performance.now() - begun;
      const busy = await metrics();
      const { longest, slow, frames } = await chat.framesSeen();
      const { nodes, bytes } = await chat.size();
      print(
        `${deltas} deltas in ${(wall / 1000).toFixed(1)} s: ${(wall / deltas).toFixed(2)} ms a delta, ` +
          `${(busy.TaskDuration / deltas).toFixed(3)} ms of it on the page's thread (scripts ${(busy.ScriptDuration / deltas).toFixed(3)}, ` +
          `layout ${(busy.LayoutDuration / deltas).toFixed(3)}); a key typed meanwhile took ${typing.toFixed(0)} ms`,
      );
      print(
        `frames: ${frames}, of which ${slow} took over 100 ms, the longest ${longest.toFixed(0)} ms; ` +
          `the page has ${nodes} nodes and ${bytes} bytes`,
      );
      await chat.says('This is the end.');
    },
  },
  'benchmark: a session of 2,000 messages': {
    model: models.says('At your service.'),
    settings,
    async play({ chat, folder, home, print, workbench }) {
      const sessions = sessionFolder(home, folder);
      mkdirSync(sessions, { recursive: true });
      writeFileSync(join(sessions, 'long-session.json'), JSON.stringify(longSession(folder)));
      await chat.part('sessions-button').click();
      const row = chat.part('session-row').filter({ hasText: 'Question 0' });
      await row.waitFor();
      const metrics = await workbench.metrics();
      const begun = performance.now();
      await row.click();
      await chat.says(`The answer is ${messages - 1}`);
      const wall = performance.now() - begun;
      const busy = await metrics();
      const { nodes, bytes } = await chat.size();
      print(
        `${messages} messages shown in ${wall.toFixed(0)} ms (${busy.TaskDuration.toFixed(0)} ms on the page's thread); ` +
          `the page has ${nodes} nodes and ${bytes} bytes`,
      );
      const sent = performance.now();
      await chat.send('Still awake?');
      await chat.says('At your service.');
      print(`a request and its answer in it: ${(performance.now() - sent).toFixed(0)} ms`);
    },
  },
};

/** A long answer of some ten thousand tokens, with headings, lists and code, in which nothing repeats. */
function answer() {
  const parts = prose(deltas)
    .split(' ')
    .reduce((all, word, k) => all + word + (breaks[k % 60] ?? ' '), '');
  return `${parts}\n\nThis is the end.`;
}

function longSession(root) {
  const history = Array.from({ length: messages }, (_, k) => {
    const id = `call-${k - (k % 4)}`;
    switch (k % 4) {
      case 0:
        return { role: 'user', text: `Question ${k}: what about \`part-${k}\`?`, from: 'user' };
      case 1:
        return {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: `I should look at part ${k}.` },
            { type: 'tool-call', id: `call-${k - 1}`, tool: 'read_file', input: { path: `src/part-${k}.js` } },
          ],
        };
      case 2:
        return {
          role: 'tool',
          results: [{ id, tool: 'read_file', output: `1→const part = ${k};\n`.repeat(20), status: 'ok' }],
        };
      default:
        return {
          role: 'assistant',
          parts: [
            { type: 'text', text: `The answer is ${k}.\n\n- **one**\n- two\n\n\`\`\`js\nconst part = ${k};\n\`\`\`\n` },
          ],
        };
    }
  });
  const usage = { inputTokens: 900_000, outputTokens: 90_000, cachedTokens: 0, reasoningTokens: 0 };
  const at = new Date().toISOString();
  return {
    version: 1,
    id: 'long-session',
    root,
    createdAt: at,
    updatedAt: at,
    model: 'scripted-model',
    turns: 2,
    history,
    usage,
  };
}
