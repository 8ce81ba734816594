import { cutsTheStream, innocent, loopsForever, stalls } from '@loopfuse/model-server';
import { LoopError, openSession, type Session, type SessionOptions, said } from '@loopfuse/session';
import { defineDetector, type Fault, ladder } from 'loopfuse';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ability, AdapterDriver } from './driver.js';
import { type Played, type PlayOptions, plainAgent, play, strongerModel } from './reference.js';
import { type Scene, scenes } from './scenes.js';

const mark = said('');

/**
 * Registers, in a Vitest file, one test for every law that an adapter must keep. The expected result comes from an
 * agent without an SDK that plays the same scene with the same guard.
 */
export function adapterLaws(driver: AdapterDriver): void {
  const able = (ability: Ability) => driver.cannot?.[ability] === undefined;
  const modes = ([true, false] as const).filter((stream) => able(stream ? 'stream' : 'whole'));
  describe(`the laws of an adapter: ${driver.name}`, () => {
    const rejections: unknown[] = [];
    const reject = (cause: unknown) => rejections.push(cause);
    beforeEach(() => {
      rejections.length = 0;
      process.on('unhandledRejection', reject);
    });
    afterEach(() => {
      process.off('unhandledRejection', reject);
      expect(rejections, 'nothing may be thrown into the host').toEqual([]);
    });
    describe.each(modes.map((stream) => ({ mode: stream ? 'streaming' : 'not streaming', stream })))(
      '$mode',
      ({ stream }) => {
        for (const scene of Object.values(scenes))
          if (scene !== scenes.chanting || able('cut-short')) sceneLaws(driver, scene, stream);
        endLaws(driver, stream);
        askLaws(driver, stream, able);
        recoveryLaws(driver, stream, able);
        sessionLaws(driver, stream);
        faultLaws(driver, stream);
      },
    );
  });
}

function sceneLaws(driver: AdapterDriver, scene: Scene, stream: boolean): void {
  const title = {
    stopped: 'is stopped in the same round as without an SDK',
    steered: 'gets a message, goes on and finishes',
    untouched: 'is left alone',
  }[scene.ends];
  test(`an agent that is ${scene.name} ${title}`, async () => {
    const { played, faults } = await watched(driver, scene, stream);
    const { played: expected } = await watched(plainAgent, scene, stream);
    expect(played.thrown).toBeUndefined();
    expect(played.outcome).toEqual(expected.outcome);
    expect(played.outcome.stoppedBy.length > 0).toBe(scene.ends === 'stopped');
    expect(faults).toEqual([]);
    checkHistory(played);
    expect(messagesOf(played, driver)).toEqual(messagesOf(expected));
    if (scene.ends === 'untouched') expect(messagesOf(played)).toEqual([]);
    else expect(messagesOf(played)).not.toEqual([]);
  });
}

function endLaws(driver: AdapterDriver, stream: boolean): void {
  test('with exitBehavior error, the caller gets a LoopError with the findings', async () => {
    const { played, session } = await watched(driver, scenes.looping, stream, { exitBehavior: 'error' });
    const error = LoopError.in(played.thrown);
    expect(error?.findings[0]).toMatchObject({ status: 'looping', tools: [expect.stringMatching(/read_file$/)] });
    expect(session.error?.message).toBe(error?.message);
  });

  test('with exitBehavior continue, calls of the loop are refused until the model ends', async () => {
    const scene: Scene = { ...scenes.looping, script: loopsForever({ rounds: 12 }) };
    const { played, session } = await watched(driver, scene, stream, { exitBehavior: 'continue' });
    const { played: expected } = await watched(plainAgent, scene, stream, { exitBehavior: 'continue' });
    expect(played.thrown).toBeUndefined();
    expect(played.outcome).toEqual(expected.outcome);
    expect(played.outcome.requests).toBe(13);
    expect(session.error).toBeUndefined();
    checkHistory(played);
  });

  test('an abort ends the run, and is no loop', async () => {
    const abort = new AbortController();
    const { script } = scenes.innocent;
    const scene: Scene = {
      ...scenes.innocent,
      async script(turn) {
        if (turn.turn === 2) setTimeout(() => abort.abort(), 20);
        return turn.turn === 2 ? stalls({ after: 2 })(turn) : script(turn);
      },
    };
    const { played, session, faults } = await watched(driver, scene, stream, {}, { signal: abort.signal });
    expect(played.outcome.executions).toHaveLength(2);
    expect(session.error).toBeUndefined();
    expect(faults).toEqual([]);
  });
}

function askLaws(driver: AdapterDriver, stream: boolean, able: (ability: Ability) => boolean): void {
  test.each([0, 1])(
    'a user who is asked after %i steers can let the agent continue, and can end it',
    async (steers) => {
      const outcomes = [];
      for (const agent of [driver, plainAgent]) {
        const asked: string[] = [];
        const { played, session } = await watched(agent, scenes.looping, stream, {
          policy: ladder({ steers, last: 'ask' }),
          onAsk(question) {
            asked.push(compared(question.message, agent));
            return asked.length < 3 ? { type: 'continue' } : { type: 'stop' };
          },
        });
        checkHistory(played);
        expect(session.error?.decision.type).toBe('ask');
        outcomes.push({ asked, ...played.outcome });
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
      expect(outcomes[0]?.asked).toHaveLength(3);
    },
  );

  test('a hint of the user reaches the model', async () => {
    let asked = 0;
    const { played } = await watched(driver, scenes.listening, stream, {
      policy: ladder({ steers: 0, last: 'ask' }),
      onAsk: () => {
        asked++;
        return { type: 'hint', text: 'Read package.json in its place.' };
      },
    });
    expect(messagesOf(played)).toEqual(['[Loop guard] Read package.json in its place.']);
    expect(played.outcome.stoppedBy).toEqual([]);
    expect(asked).toBe(1);
  });

  test.runIf(able('approve'))('a question reaches the user through the SDK’s own approval', async () => {
    const scene: Scene = { ...scenes.looping, script: loopsForever({ rounds: 14 }) };
    const policy = ladder({ steers: 0, last: 'ask' });
    const asked: { readonly question: string; readonly executed: number }[] = [];
    const approve = (question: string, executed: number) => {
      asked.push({ question: compared(question, driver), executed });
      return asked.length < 3;
    };
    const { played, session, faults } = await watched(driver, scene, stream, { policy }, { approve });
    const questions: string[] = [];
    const { played: expected } = await watched(plainAgent, scene, stream, {
      policy,
      onAsk(question) {
        questions.push(compared(question.message, plainAgent));
        return { type: 'stop' };
      },
    });
    // The same question in the same round; after an approval the call runs, and the loop must build up again.
    expect(asked[0]).toEqual({ question: questions[0], executed: expected.outcome.executions.length });
    expect(asked[1]?.executed).toBeGreaterThan(asked[0]!.executed + 1);
    expect(asked[2]?.executed).toBeGreaterThan(asked[1]!.executed + 1);
    // The declined call has not run, nor any call after it.
    expect(played.outcome.executions).toHaveLength(asked[2]!.executed);
    expect(session.guard.circuit.state).toBe('open');
    expect([played.thrown, faults]).toEqual([undefined, []]);
    checkHistory(played);
  });
}

function recoveryLaws(driver: AdapterDriver, stream: boolean, able: (ability: Ability) => boolean): void {
  /** The number of calls in the history of each request. */
  const callsSeen = ({ requests }: Played) =>
    requests.map(({ turn }) => turn?.messages.flatMap(({ calls }) => calls).length);

  test(
    able('rewind') ? 'a rewind takes the rounds out of what the model sees' : 'a rewind becomes a message to the model',
    async () => {
      const options = { policy: ladder({ steers: 0, rewinds: 2 }) };
      const { played, faults } = await watched(driver, scenes.looping, stream, options);
      const { played: expected } = await watched(plainAgent, scenes.looping, stream, options);
      expect(messagesOf(played, driver)).toEqual(messagesOf(expected));
      expect(messagesOf(played).join()).toContain('were taken out of this conversation');
      if (able('rewind')) {
        expect(callsSeen(played)).toEqual(callsSeen(expected));
        expect(Math.max(...(callsSeen(played) as number[]))).toBeLessThan(played.outcome.executions.length);
      }
      expect(played.outcome).toEqual(expected.outcome);
      expect(faults).toEqual([]);
      checkHistory(played);
    },
  );

  test(
    able('escalate')
      ? 'an escalation gives one turn to the stronger model'
      : 'an escalation becomes a message to the model',
    async () => {
      const options = { policy: ladder({ steers: 0, escalations: 1 }) };
      const { played, faults } = await watched(driver, scenes.looping, stream, options);
      const { played: expected } = await watched(plainAgent, scenes.looping, stream, options);
      const turns = played.requests.map(isByStronger);
      if (able('escalate')) {
        expect(turns).toEqual(expected.requests.map(isByStronger));
        expect(turns).toContain(true);
      } else {
        expect(turns).not.toContain(true);
        expect(messagesOf(played)).not.toEqual([]);
      }
      expect(played.outcome).toEqual(expected.outcome);
      expect(faults).toEqual([]);
      checkHistory(played);
    },
  );
}

/** In Gemini's protocol the model is in the path. */
function isByStronger({ path, body }: Played['requests'][number]): boolean {
  return (body as { model?: unknown }).model === strongerModel || path.includes(`/${strongerModel}:`);
}

function sessionLaws(driver: AdapterDriver, stream: boolean): void {
  test('sessions that run at the same time do not affect each other', async () => {
    const kinds = [scenes.looping, scenes.innocent, scenes.looping, scenes.listening, scenes.innocent];
    const together = await Promise.all(kinds.map((scene) => watched(driver, scene, stream)));
    const alone = [];
    for (const scene of kinds) alone.push(await watched(plainAgent, scene, stream));
    expect(together.map(({ played }) => played.outcome)).toEqual(alone.map(({ played }) => played.outcome));
  });

  test('a session resumed from its snapshot continues in the same way', async () => {
    const short: Scene = { ...scenes.looping, script: loopsForever({ rounds: 2 }) };
    const live = await watched(driver, short, stream);
    const snapshot = JSON.parse(JSON.stringify(live.session.snapshot()));
    const resumed = openSession({ snapshot });
    const goesOn = await play(driver, scenes.looping, { stream, session: live.session });
    const resumes = await play(driver, scenes.looping, { stream, session: resumed });
    expect(resumes.outcome).toEqual(goesOn.outcome);
    expect(resumed.guard.snapshot().circuit).toMatchObject({ state: 'open' });
  });

  test('a sub-agent is watched in its own lane', async () => {
    const twice: Scene = { ...scenes.looping, script: loopsForever({ rounds: 2 }) };
    const session = openSession();
    for (const lane of ['first', 'second']) await play(driver, twice, { stream, session: session.in(lane) });
    expect(session.guard.circuit).toMatchObject({ state: 'closed', trips: 0 });
    const { outcome } = await play(driver, scenes.looping, { stream, session: session.in('third') });
    expect(outcome.stoppedBy).not.toEqual([]);
    expect(session.error?.findings[0]?.lane).toBe('third');
  });
}

function faultLaws(driver: AdapterDriver, stream: boolean): void {
  test('a detector that fails at every event stops no agent', async () => {
    const broken = defineDetector({
      name: 'broken',
      reads: ['text', 'tool-call', 'tool-result', 'turn-start', 'prompt'],
      start: () => ({}),
      observe() {
        throw new Error('broken on purpose');
      },
      explain: () => '',
    });
    const { played, faults } = await watched(driver, scenes.innocent, stream, { detectors: [broken] });
    const { played: expected } = await watched(plainAgent, scenes.innocent, stream);
    expect(played.outcome).toEqual(expected.outcome);
    expect(faults.length).toBeGreaterThan(0);
  });

  test('an answer that breaks off is left to the SDK to report or to retry, and is no loop', async () => {
    const scene: Scene = { ...scenes.innocent, script: cutsTheStream({ after: 1, times: 1, afterwards: innocent() }) };
    const { session } = await watched(driver, scene, stream);
    expect(session.error).toBeUndefined();
    expect(session.guard.circuit).toMatchObject({ trips: 0 });
  });
}

async function watched(
  driver: AdapterDriver,
  scene: Scene,
  stream: boolean,
  options: SessionOptions = {},
  more: Omit<PlayOptions, 'stream' | 'session'> = {},
): Promise<{ readonly played: Played; readonly session: Session; readonly faults: readonly Fault[] }> {
  const faults: Fault[] = [];
  const session = openSession({ onFault: (fault) => faults.push(fault), ...options });
  const played = await play(driver, scene, { stream, session, ...more });
  return { played, session, faults };
}

/** The server checks every request as the provider would; no request may have a problem. */
function checkHistory({ requests }: Played): void {
  expect(requests.map(({ problem }) => problem).filter((problem) => problem !== undefined)).toEqual([]);
}

/**
 * Our messages that the model saw, each once, in order, without the cost of the loop, which each SDK counts
 * differently.
 */
function messagesOf({ requests }: Played, driver = plainAgent): string[] {
  const texts = requests
    .flatMap(({ turn }) => turn?.messages ?? [])
    .flatMap(({ role, text, results }) => [role === 'assistant' ? '' : text, ...results.map((result) => result.text)])
    .flatMap((text) => text.split('\n').filter((line) => line.includes(mark)))
    .map((line) => line.slice(line.indexOf(mark)));
  return [...new Set(texts.map((text) => compared(text, driver)))];
}

function compared(text: string, { adds }: AdapterDriver): string {
  const own = adds === undefined ? text : text.replace(adds, '');
  const from = own.indexOf(' Spent on it so far: ');
  const end = from < 0 ? -1 : own.indexOf('.', from);
  return end < 0 ? own : own.slice(0, from) + own.slice(end + 1);
}
