import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

/** For each kind of loop: the model that makes it, the text of its card, the evidence in the log, and whether text must be cut. */
const kinds = {
  'repeated-calls': {
    model: models.loops(),
    title: 'Repeated calls',
    message: 'The call read_file (README.md) was made 3 times in a row, with the same result each time.',
    evidence: /"times": ?3/,
    table: /README\.md.*3 times.*events \d+ to \d+/s,
  },
  cycle: {
    model: models.goesRound(),
    title: 'A cycle of calls',
    message: 'The same 2 calls, read_file (README.md) and ',
    evidence: /"cycle"/,
    table: /\w+.*\d+ times.*events \d+ to \d+/s,
  },
  'repeated-failure': {
    model: models.failsAgain(),
    title: 'The same failure again',
    message: 'The call read_file (missing.txt) was made 3 times in a row, with the same failure each time.',
    evidence: /"verbatim": ?3/,
    table: /missing\.txt.*\d+ times.*events \d+/s,
  },
  chanting: {
    model: models.chants(),
    title: 'Chanting',
    message: 'The message repeats "I will now check the configuration once more to be sure. "',
    evidence: /I will now check the configuration/,
    table: /I will now check.*\d+ times.*event/s,
    streams: true,
  },
  circling: {
    model: models.thinksInCircles(),
    title: 'Circling in thought',
    message: 'The reasoning repeats "Perhaps the parser drops the last line',
    evidence: /But the parser test passes/,
    table: /Perhaps the parser|characters said before/s,
    streams: true,
  },
  judged: {
    model: models.wanders(),
    settings: { 'loopfuse.judge': { model: 'scripted-judge' }, 'loopfuse.detectors': { 'stale-rounds': false } },
    title: 'Judged to be stuck',
    message: 'scripted-judge read the session and thinks that it is stuck: It opens the same three files',
    evidence: /It opens the same three files/,
    table: /It opens the same three files.*read by scripted-judge/s,
  },
};

export const loops = Object.fromEntries(
  Object.entries(kinds).map(([kind, { model, settings = {}, title, message, evidence, table, streams = false }]) => [
    `a loop: ${kind}`,
    {
      model,
      settings: { 'loopfuse.policy': 'ask', ...settings },
      async play({ chat, server, sessions, log, logged, look, workbench }) {
        await chat.send('What does it do?');
        const words = await chat.asked(kind);
        assert.ok(words.includes(title), `the card is not called ${title}: ${words}`);
        assert.ok(words.replaceAll(/[“”]/g, '"').includes(message), `the card does not say "${message}": ${words}`);
        const seen = server.seen;
        await chat.idle();
        if (streams) await until('the stream is closed', () => server.requests.at(-1).delivery === 'gone');
        const session = await until('the session is saved', () =>
          sessions().find(({ halted }) => halted?.kind === kind),
        );
        assert.equal(session.request, 'What does it do?');
        await logged(new RegExp(`\\[warning\\].*\\(${kind}\\)`));
        assert.match(log().slice(log().indexOf(`(${kind})`)), evidence, 'the log has no evidence');
        await workbench.status(/tripped|halted/i).waitFor();
        await look(`loop-${kind}`);
        await chat.part('evidence').locator('summary').click();
        const rows = chat.part('evidence').locator('tbody tr');
        await rows.first().waitFor();
        assert.match(await textOf(rows.first()), table, 'the table does not say what repeated, how often and where');
        await chat.choose('stop');
        await chat.loop.waitFor({ state: 'detached' });
        await chat.says(message.slice(0, 30));
        assert.equal(server.seen, seen, 'the model was asked again');
      },
    },
  ]),
);
