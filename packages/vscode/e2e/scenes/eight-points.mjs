import assert from 'node:assert/strict';
import { clientEventTypes } from '@loopfuse/agent/events';
import { callFor } from '@loopfuse/model-server';
import { everyEvent } from '../every-event.mjs';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

const settings = { 'loopfuse.policy': 'ask' };
const preview = { 'loopfuse.preset': 'deepv-code', 'loopfuse.model': 'scripted-preview', 'loopfuse.approval': 'yolo' };
const standard = { 'loopfuse.preset': 'deepv-code', 'loopfuse.approval': 'yolo' };

/** Six equal commands in one turn, as a model may send them. */
const queues = (turn) => ({
  parts: [
    { text: 'Six at once.' },
    ...Array(6).fill(callFor(turn, { shell: 'echo x >> count.txt; wc -l < README.md' })),
  ],
});

/** The check that the ancestors failed: their engine found the loop, and their editor did not handle the event. */
export const eightPoints = {
  'eight points, 1: the event is captured': {
    model: models.loops(),
    settings,
    async play({ chat, logged, workbench }) {
      await chat.send('Read it to me');
      await logged(/\[warning\].*halted \(repeated-calls\)/);
      await workbench.status(/tripped|halted/i).waitFor();
      await chat.asked('repeated-calls');
    },
  },
  'eight points, 2: a message is shown to the user': {
    model: models.goesRound(),
    settings,
    async play({ chat }) {
      await chat.send('Read it to me');
      const words = await chat.asked('cycle');
      assert.match(words, /A cycle of calls.*went round 3 times.*(calls|tokens)/);
      assert.match(await chat.part('announcer').textContent(), /A cycle of calls/, 'a screen reader is not told');
      for (const choice of ['stop', 'continue', 'hint', 'exempt', 'disable'])
        await chat.part(`loop-${choice}`).waitFor();
    },
  },
  'eight points, 3: the stream is stopped immediately': {
    model: models.chants(),
    settings,
    async play({ chat, server }) {
      await chat.send('Say it');
      await chat.asked('chanting');
      await until('the connection is closed', () => server.requests.at(-1).delivery === 'gone');
      await chat.idle();
      const said = await textOf(chat.part('item-says').last());
      assert.ok(said.length < 1000, `${said.length} characters of the chant were let through, of 114000`);
    },
  },
  'eight points, 4: the session is saved, nothing is going on, and queued calls are dropped': {
    model: queues,
    settings: { ...settings, 'loopfuse.approval': 'yolo' },
    async play({ chat, sessions, read }) {
      await chat.send('Do it');
      await chat.asked();
      await chat.idle();
      const session = await until('it is saved', () => sessions().find(({ halted }) => halted !== undefined));
      const results = session.history.flatMap(({ results = [] }) => results);
      const calls = session.history.flatMap(({ parts = [] }) => parts).filter(({ type }) => type === 'tool-call');
      const number = (status) => results.filter((result) => result.status === status).length;
      assert.equal(results.length, calls.length, 'a call has no result');
      assert.ok(number('not-run') > 0, `no queued call was dropped: ${results.map(({ status }) => status).join(', ')}`);
      assert.equal(read('count.txt'), 'x\n'.repeat(number('ok')), 'a dropped call ran');
    },
  },
  'eight points, 5: a warning with the evidence is in the log': {
    model: models.failsAgain(),
    settings,
    async play({ chat, logged, log }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-failure');
      await logged(/\[warning\].*Loop detected \(repeated-failure\)/);
      assert.match(log(), /missing\.txt/);
      assert.match(log(), /"times": ?3/);
    },
  },
  'eight points, 6: of a preview model four reads are a loop': {
    model: models.reads(20),
    settings: preview,
    async play({ chat, server }) {
      const seen = server.seen;
      await chat.send('Read it to me');
      assert.match(await chat.asked(), /read_file.*4/);
      assert.equal(server.seen - seen, 4);
    },
  },
  'eight points, 6: of a preview model five calls of another tool are a loop': {
    model: models.runsCommands(20),
    settings: preview,
    async play({ chat, server }) {
      const seen = server.seen;
      await chat.send('Run it');
      assert.match(await chat.asked(), /run_shell_command.*5/);
      assert.equal(server.seen - seen, 5);
    },
  },
  'eight points, 7: of a standard model neither four reads nor five calls are': {
    model: models.reads(9),
    settings: standard,
    async play({ chat, server }) {
      await chat.send('Read it to me');
      await chat.says('I have read enough.');
      server.setScript(models.runsCommands(9));
      await chat.send('Run it');
      await chat.says('I have run enough.');
    },
  },
  'eight points, 7: of a standard model ten equal calls are a loop': {
    model: models.loops(),
    settings: standard,
    async play({ chat, server }) {
      const seen = server.seen;
      await chat.send('Read it to me');
      assert.match(await chat.asked(), /10/);
      assert.equal(server.seen - seen, 10);
    },
  },
  'eight points, 8: every other event is still handled': {
    model: models.says('Yes.'),
    async play({ chat, workbench, log }) {
      assert.deepEqual(Object.keys(everyEvent).sort(), [...clientEventTypes].sort(), 'there are other kinds of events');
      for (const [type, { events, shows }] of Object.entries(everyEvent)) {
        await chat.startAnew();
        await workbench.receive(events);
        for (const words of shows) await chat.frame.getByText(words).first().waitFor();
        assert.doesNotMatch(await chat.words(), /unknown kind/, type);
      }
      assert.doesNotMatch(log(), /unknown kind/);
    },
  },
  'an event of an unknown kind is reported, not dropped': {
    model: models.says('Still here.'),
    async play({ chat, workbench, logged, look }) {
      await workbench.receive([{ type: 'telepathy', text: 'hm' }]);
      await chat.frame
        .getByText(/telepathy/)
        .first()
        .waitFor();
      await logged(/\[warning\].*telepathy/);
      await look('unknown-event');
      await chat.send('Are you there?');
      await chat.says('Still here.');
    },
  },
};
