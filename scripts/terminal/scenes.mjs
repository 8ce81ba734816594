import assert from 'node:assert/strict';
import { fails, say } from '@loopfuse/model-server';
import { counted, markdown } from '../scene-models.mjs';
import { models } from './models.mjs';
import { ended, processesOf } from './processes.mjs';

/** Waits for the question about a loop. */
const asked = (screen) => screen.until('Esc stops');
/** Enter alone could be taken for the second press of the one that came before the question. */
const takeMarked = (screen) => screen.press('Down', 'Up', 'Enter');
const idle = (screen) => screen.until('Ask for something');

/**
 * What is played, each in a workspace and a session of its own: with which model, what the person does, and at which
 * moments the screen must look as it did before.
 */
export const scenes = {
  'start, help, loop, model': {
    model: models.loops(),
    async play({ screen, look, send }) {
      await look('start');
      await send('/help');
      await screen.until('twice: leave');
      await send('/loop');
      await screen.until('Judge');
      await send('/model');
      await screen.until('openai-compatible, $3');
      await send('/lop');
      await screen.until('Did you mean /loop?');
      await look('commands');
    },
  },
  'a first run: provider, address, model, key': {
    model: models.explains('It adds two numbers.'),
    setUp: false,
    shows: 'Who runs the model?',
    async play({ screen, look, send, server, inHome }) {
      await look('first-run-provider');
      screen.press('Up', 'Enter');
      await screen.until('Where is the server?');
      screen.type(`${server.url}/v1`);
      screen.press('Enter');
      await screen.until('Which model?');
      screen.type('scripted-model');
      screen.press('Enter');
      await screen.until('The key');
      screen.type('sk-typed-by-hand');
      await look('first-run-key', (text) => text.replace(server.url, 'SERVER'.padEnd(server.url.length, '_')));
      screen.press('Enter');
      await screen.until('Save provider and model');
      await look('first-run-save', (text) => text.replace(server.url, 'SERVER'.padEnd(server.url.length, '_')));
      screen.press('Enter');
      await idle(screen);
      await look('first-run-done');
      await send('What does it do?');
      await screen.until('It adds two numbers.');
      await idle(screen);
      assert.equal(server.requests[0].headers.authorization, 'Bearer sk-typed-by-hand');
      assert.ok(!screen.transcript().includes('sk-typed'), 'the key is on the screen');
      assert.deepEqual(JSON.parse(inHome('.loopfuse/settings.json')), {
        provider: 'openai-compatible',
        model: 'scripted-model',
        baseURL: `${server.url}/v1`,
      });
    },
  },
  'a first run in a narrow terminal without colours, and left': {
    model: models.explains('It adds two numbers.'),
    setUp: false,
    env: { NO_COLOR: '1', ANTHROPIC_API_KEY: 'k' },
    size: { columns: 40, rows: 24 },
    shows: 'Who runs the model?',
    async play({ screen, look }) {
      await look('first-run-narrow');
      screen.press('Enter');
      await screen.until('Which model?');
      await look('first-run-narrow-model');
      screen.press('C-c');
      await screen.until('exit 2');
      await look('first-run-left');
    },
  },
  'the menu of commands': {
    model: models.loops(),
    async play({ screen, look }) {
      screen.type('/');
      await screen.until('Esc closes');
      await look('menu');
      screen.type('re');
      screen.press('Down');
      await look('menu-narrowed');
      screen.press('Escape');
      await screen.until(/\/re\s*\n─+\nscripted-model/);
      screen.press('Tab', 'Tab');
      await screen.until('/restore');
      screen.press('Enter');
      await screen.until('Nothing was removed');
    },
  },
  'the menu of commands in a narrow terminal without colours': {
    model: models.loops(),
    env: { NO_COLOR: '1' },
    size: { columns: 40, rows: 18 },
    shows: 'Ask for something',
    async play({ screen, look }) {
      screen.type('/');
      await screen.until('Esc closes');
      screen.press('Down', 'Down', 'Down', 'Down');
      await look('menu-narrow', (text) => text.replace(/in\n {2}.*\n.*\/project/, 'in\n  FOLDER/project'));
    },
  },
  'begun with a message on the command line': {
    model: models.explains('It adds two numbers.'),
    flags: ['What does it do?'],
    async play({ screen, look, send }) {
      await screen.until('It adds two numbers.');
      await idle(screen);
      await look('begun');
      await send('/help');
      await screen.until('twice: leave');
    },
  },
  'a loop, stopped': {
    model: models.loops(),
    async play({ screen, look, send, server }) {
      await send('Read it to me');
      await asked(screen);
      await look('loop');
      const seen = server.seen;
      takeMarked(screen);
      await screen.until('Stopped.');
      await look('loop-stop');
      assert.equal(server.seen, seen, 'the model was asked again after a stop');
      await send('Once more');
      await asked(screen);
      screen.press('Escape');
      await screen.until(/Stopped\.[\s\S]*Stopped\./, () => screen.transcript());
    },
  },
  'a loop, continued once, and again': {
    model: models.loops(),
    async play({ screen, look, send, server }) {
      await send('Read it to me');
      await asked(screen);
      const seen = server.seen;
      screen.press('Down', 'Enter');
      await screen.until('Continuing once');
      await asked(screen);
      await look('loop-continue');
      assert.ok(server.seen >= seen + 3, 'the loop did not have to build up again');
      screen.press('2');
      await screen.until(/(Continuing once[\s\S]*){2}/, () => screen.transcript());
      await asked(screen);
    },
  },
  'a loop, continued with a hint': {
    model: models.takesAHint(),
    async play({ screen, look, send, server }) {
      await send('What does it do?');
      await asked(screen);
      screen.press('3');
      await screen.until('What should the model know?');
      screen.press('Escape');
      await asked(screen);
      screen.press('3');
      await screen.until('What should the model know?');
      screen.type('Look into the sources instead');
      await look('loop-hint-typing');
      screen.press('Enter');
      await screen.until('adds two numbers');
      await idle(screen);
      await look('loop-hint');
      const messages = server.requests.at(-1).turn.messages.filter(({ role }) => role === 'user');
      assert.match(messages.at(-1).text, /Look into the sources instead$/);
    },
  },
  'a loop of a tool that is never flagged again': {
    model: models.loopsForAWhile(),
    async play({ screen, look, send }) {
      await send('Read it to me');
      await asked(screen);
      screen.press('4');
      await screen.until('That is as far as I got.');
      await send('/loop');
      await screen.until('Judge');
      await look('loop-exempt');
    },
  },
  'detection switched off': {
    model: models.loopsForAWhile(),
    async play({ screen, look, send }) {
      await send('Read it to me');
      await asked(screen);
      screen.press('5');
      await screen.until('That is as far as I got.');
      await idle(screen);
      await look('loop-off');
    },
  },
  'a chant, and thoughts that circle': {
    model: models.chants(),
    async play({ screen, look, send, server }) {
      await send('Say it');
      await asked(screen);
      await look('loop-chant');
      screen.press('Escape');
      await idle(screen);
      server.setScript(models.thinksInCircles());
      await send('Think');
      await asked(screen);
      await look('loop-circling');
    },
  },
  'changes: yes and no': {
    model: models.edits(),
    async play({ screen, look, send, has }) {
      await send('Write it down');
      await screen.until('Esc cancels the request');
      await look('approval');
      screen.press('y');
      await screen.until('Let replace change');
      assert.ok(has('notes.md'), 'what was approved was not done');
      await look('approval-second');
      screen.press('Down', 'Down', 'Enter');
      await screen.until('That is all.');
      await look('approval-no');
      assert.ok(has('src/index.js', 'a + b'), 'what was refused was done');
    },
  },
  'no, and what to do instead': {
    model: models.runs('npm install'),
    async play({ screen, look, send, server }) {
      await send('Install it');
      await screen.until('Run this command?');
      screen.press('i');
      await screen.until('What should the model do instead?');
      screen.type('Use pnpm, as AGENTS.md says.');
      await look('instead-typing');
      screen.press('Enter');
      await idle(screen);
      await look('instead');
      assert.ok(JSON.stringify(server.requests[1].body).includes('instead:\\nUse pnpm, as AGENTS.md says.'));
    },
  },
  'the whole output of a command': {
    model: models.runs('seq 1 20000; printf "\\033[2Jend\\n"'),
    flags: ['--approval', 'yolo'],
    async play({ screen, look, send }) {
      await send('Count');
      await idle(screen);
      await look('output-cut');
      await send('/output');
      await screen.until('1 to 23 of 20,001 lines');
      screen.press('Space', 'Down');
      await screen.until('24 to 46 of 20,001 lines');
      await look('output');
      screen.press('End');
      await screen.until('to 20,001 of');
      await look('output-end');
      screen.resize(40, 16);
      screen.press('Escape');
      await idle(screen);
      await send('/output 1');
      await screen.until('Esc closes · 1 to');
      await look('output-narrow');
      screen.press('q');
      await idle(screen);
    },
  },
  'a command that takes a while': {
    model: models.runs('sleep 1.2; echo done'),
    flags: ['--approval', 'yolo'],
    async play({ screen, look, send }) {
      await send('Run it');
      await idle(screen);
      await look('took', (text) => text.replace(/· \d+(?:\.\d)? s$/m, '· 1.2 s'));
    },
  },
  'a command, always': {
    model: models.runs('printf "one\\ntwo\\nthree\\nfour\\nfive\\nsix\\n"; node --version > /dev/null'),
    async play({ screen, look, send }) {
      await send('Run it');
      await screen.until('Run this command?');
      await look('approval-command');
      screen.press('a');
      await screen.until('It has run.');
      await look('command');
    },
  },
  'cancelled while the model speaks': {
    model: models.talks(),
    async play({ screen, look, send }) {
      await send('Talk to me');
      await screen.until('word6187');
      screen.press('Escape');
      await screen.until('Cancelled.');
      await idle(screen);
      await look('cancel-streaming', (text) => text.replace(/(\s+word\d*\b)+/g, '\n\n  words'));
      await send('/help');
      await screen.until('twice: leave');
    },
  },
  'cancelled while a command runs': {
    model: models.runs('echo begun; sleep 120'),
    flags: ['--approval', 'yolo'],
    async play({ screen, look, send }) {
      await send('Run it');
      await screen.until('begun\n');
      screen.press('Escape');
      await screen.until('Cancelled.');
      await look('cancel-tool');
    },
  },
  'cancelled while a question is open': {
    model: models.edits(),
    async play({ screen, look, send, has }) {
      await send('Write it down');
      await screen.until('Esc cancels the request');
      screen.press('Escape');
      await screen.until('Cancelled.');
      await idle(screen);
      await look('cancel-dialog');
      assert.ok(!has('notes.md'), 'what was cancelled was done');
    },
  },
  'ended by SIGTERM while a command runs': {
    model: models.runsLong(),
    flags: ['--approval', 'yolo'],
    async play({ screen, look, send, has, read }) {
      await send('Run it');
      await screen.until('begun\n');
      const running = await processesOf({ has, read });
      process.kill(screen.pid, 'SIGTERM');
      await screen.until('exit 143');
      await ended(running);
      assert.ok(!has('later'), 'the command went on');
      await look('sigterm');
    },
  },
  'the terminal is closed while a command runs': {
    model: models.runsLong(),
    flags: ['--approval', 'yolo'],
    async play({ screen, send, has, read }) {
      await send('Run it');
      await screen.until('begun\n');
      const running = [screen.pid, ...(await processesOf({ has, read }))];
      screen.close();
      await ended(running);
      assert.ok(!has('later'), 'the command went on');
    },
  },
  'one request, ended by SIGTERM: the result is still written': {
    model: models.runsLong(),
    flags: ['--approval', 'yolo', '-p', 'Run it', '-o', 'json'],
    shows: '',
    async play({ screen, look, has, read }) {
      const running = await processesOf({ has, read });
      process.kill(screen.pid, 'SIGTERM');
      await screen.until('exit 143');
      await ended(running);
      assert.ok(!has('later'), 'the command went on');
      await look('sigterm-headless');
    },
  },
  'one request, whose reader goes away': {
    model: models.runsLong('while :; do echo tick; sleep 0.1; done'),
    flags: ['--approval', 'yolo', '-p', 'Run it', '-o', 'stream-json'],
    pipe: '| head -20',
    shows: '',
    async play({ screen, has, read }) {
      const running = await processesOf({ has, read });
      await screen.until('exit 0');
      await ended(running);
      assert.ok(!has('later'), 'the command went on');
    },
  },
  'made smaller and larger': {
    model: models.loops(),
    async play({ screen, look, send }) {
      await send('Read it to me');
      await asked(screen);
      screen.resize(60, 24);
      await look('resize-small');
      screen.resize(100, 30);
      await look('resize-large');
      screen.press('1');
      await screen.until('Stopped.');
    },
  },
  'made smaller while the model speaks': {
    model: models.talks(),
    async play({ screen, look, send }) {
      await send('Talk to me');
      await screen.until('word7919');
      screen.resize(60, 24);
      await screen.until('word9497');
      screen.press('Escape');
      await screen.until('Cancelled.');
      await idle(screen);
      // How much was said by then, and so what has left the screen, depends on the machine.
      const sinceWords = (text) => {
        const short = text.replace(/(\s+word\d*\b)+/g, '\n\n  words').trimEnd();
        return `${short.slice(short.indexOf('  words'))}\n`;
      };
      await look('resize-streaming', sinceWords);
    },
  },
  'markdown, more lines than one, what was sent before': {
    model: models.explains(markdown),
    async play({ screen, look, send }) {
      screen.type('What is wrong');
      screen.press('C-j');
      screen.type('with the sum?');
      await screen.until('with the sum?');
      screen.press('Enter');
      await screen.until('rounds');
      await idle(screen);
      await look('markdown');
      await send('Thanks');
      await screen.until(/Thanks[\s\S]*Ask for something/);
      screen.press('Up', 'Up');
      await look('recalled');
    },
  },
  'compressed, left and resumed': {
    model: models.summarises(),
    async play({ screen, look, send, restart }) {
      await send('Does it add?');
      await idle(screen);
      await send('Really?');
      await screen.until(/Really\?[\s\S]*Ask for something/, () => screen.transcript());
      await send('/compress');
      await screen.until('The conversation was compressed');
      screen.press('C-c');
      await screen.until('Press Ctrl-C again');
      screen.press('C-c');
      await screen.until('exit 0');
      await restart();
      await send('/resume');
      await screen.until('Which session?');
      await look('resume-list');
      takeMarked(screen);
      await screen.until('Resumed the session');
      await idle(screen);
      await look('resumed');
    },
  },
  'one request, asked about at the terminal': {
    model: models.takesAHint(),
    flags: ['-p', 'What does it do?', '--on-loop', 'ask'],
    shows: 'Esc stops',
    async play({ screen, look }) {
      await look('ask-headless');
      screen.press('3');
      await screen.until('What should the model know?');
      screen.type('Look into the sources');
      screen.press('Enter');
      await screen.until('The sources say');
      await screen.until('exit 0');
    },
  },
  'one request, stopped at the terminal': {
    model: models.loops(),
    flags: ['-p', 'What does it do?', '--on-loop', 'ask'],
    shows: 'Esc stops',
    async play({ screen, look }) {
      screen.press('Escape');
      await screen.until('exit 86');
      await look('ask-headless-stop');
    },
  },
  'a judge that fails is seen in /loop': {
    model: models.judgedBy(
      'gpt-4o-mini',
      counted(() => say('I am 95 % sure that it loops.')),
    ),
    flags: ['--preset', 'gemini-cli', '--policy', 'shadow', '--judge', 'gpt-4o-mini'],
    async play({ screen, look, send, server }) {
      await send('Read it to me');
      await screen.until('That is as far as I got.');
      await idle(screen);
      assert.ok(
        server.requests.some(({ turn }) => turn?.model === 'gpt-4o-mini'),
        'the judge was not asked',
      );
      await send('/loop');
      await screen.until('Judge ');
      await look('judge-fails');
    },
  },
  'a judge that fails is seen in JSON': {
    model: models.judgedBy('gpt-4o-mini', fails(400)),
    flags: [
      ...['--preset', 'gemini-cli', '--policy', 'shadow', '--judge', 'gpt-4o-mini'],
      ...['-p', 'Read it to me', '-o', 'json'],
    ],
    shows: 'exit ',
    async play({ look }) {
      await look('judge-fails-json');
    },
  },
  'without colours and beyond ASCII': {
    model: models.explains(markdown),
    env: { LC_ALL: 'C', NO_COLOR: '1' },
    async play({ screen, look, send, server }) {
      await send('What is wrong?');
      await screen.until('rounds');
      await idle(screen);
      server.setScript(models.loops());
      await send('Read it to me');
      await asked(screen);
      assert.match(screen.transcript(), /^[\n\x20-\x7e]*$/, 'something is not ASCII');
      await look('ascii');
    },
  },
};
