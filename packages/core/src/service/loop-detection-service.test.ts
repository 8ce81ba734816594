import { hostileObjects } from '@loopfuse/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type JudgeAnswer,
  type JudgeRequest,
  LoopDetectionService,
  type LoopDetectionServiceOptions,
  type PresetName,
  type StreamEvent,
} from './index.js';

const presets: PresetName[] = ['balanced', 'gemini-cli', 'qwen-code', 'deepv-code'];
const sentence = 'I will look at the file once more, to be on the safe side. ';
const call = (name = 'ls', args: unknown = {}): StreamEvent => ({ type: 'tool_call_request', value: { name, args } });
const content = (value: string): StreamEvent => ({ type: 'content', value });
const never = new AbortController().signal;

function service(options: Partial<LoopDetectionServiceOptions> = {}) {
  const onDetected = vi.fn();
  const onDisabled = vi.fn();
  const log = vi.fn();
  const made = new LoopDetectionService({ preset: 'gemini-cli', onDetected, onDisabled, log, ...options });
  made.reset('prompt-1');
  return { service: made, onDetected, onDisabled, log };
}

/** Answers of `addAndCheck` to the same event, several times over. */
function answers(to: LoopDetectionService, event: StreamEvent, times: number): boolean[] {
  return Array.from({ length: times }, () => to.addAndCheck(event));
}

/** Plays turns; gives those at which `turnStarted` said loop. */
async function loopsAt(of: LoopDetectionService, turns: number, signal = never): Promise<number[]> {
  const loops: number[] = [];
  for (let turn = 1; turn <= turns; turn++) if (await of.turnStarted(signal)) loops.push(turn);
  return loops;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('addAndCheck', () => {
  test.each<[PresetName, number]>([
    ['gemini-cli', 5],
    ['qwen-code', 5],
    ['deepv-code', 10],
  ])('%s: true from identical call %i on, until the next reset', (preset, limit) => {
    const { service: made } = service({ preset });
    expect(answers(made, call(), limit + 2)).toEqual([...Array(limit - 1).fill(false), true, true, true]);
    expect(made.addAndCheck(content('anything'))).toBe(true);
    expect(made.addAndCheck({ type: 'finished' })).toBe(true);
    made.reset('prompt-2');
    expect(answers(made, call(), limit - 1)).not.toContain(true);
  });

  test('takes a chant for a loop, and thoughts for nothing', () => {
    const { service: made } = service();
    const woven = Array.from({ length: 10 }, () => {
      made.addAndCheck({ type: 'thought', value: { subject: 'Hm', description: sentence } });
      return made.addAndCheck(content(sentence));
    });
    expect(woven).toEqual([...Array(9).fill(false), true]);
    expect(made.getDetectedLoopType()).toBe('chanting_identical_sentences');
    expect(answers(service().service, { type: 'thought', value: sentence }, 50)).not.toContain(true);
  });

  test('tells once of what it found, and logs tool, count and limit', () => {
    const { service: made, onDetected, log } = service();
    answers(made, call('read_file'), 9);
    expect(onDetected.mock.calls).toEqual([[{ type: 'consecutive_identical_tool_calls', promptId: 'prompt-1' }]]);
    expect(log.mock.calls).toEqual([
      ['warn', 'A loop was found: read_file was called 5 times in a row with the same input (the limit is 5).'],
    ]);
  });

  test('after a reset a loop is told of anew', () => {
    const { service: made, onDetected } = service();
    answers(made, call(), 6);
    made.reset('prompt-2');
    expect(made.getDetectedLoopType()).toBeNull();
    answers(made, call(), 6);
    expect(onDetected.mock.calls.map(([{ promptId }]) => promptId)).toEqual(['prompt-1', 'prompt-2']);
  });

  test('balanced tells failures apart that come as errors alone', () => {
    const { service: made } = service({ preset: 'balanced' });
    const missing = ['the parser of dates', 'a comma in line three', 'write access to the cache', 'the module "left"'];
    const rounds = missing.map((what, k) => {
      made.addAndCheck({ type: 'tool_call_request', value: { callId: `${k}`, name: 'build', args: {} } });
      const value = { callId: `${k}`, error: new Error(`expected ${what}`) };
      return made.addAndCheck({ type: 'tool_call_response', value });
    });
    expect(rounds).not.toContain(true);
  });

  test('balanced looks at results where the stream carries them', () => {
    const { service: made } = service({ preset: 'balanced' });
    const rounds = Array.from({ length: 12 }, (_, k) => {
      const answered = made.addAndCheck({
        type: 'tool_call_request',
        value: { callId: `${k}`, name: 'read_file', args: { path: 'a.ts' } },
      });
      const failed = {
        callId: `${k}`,
        responseParts: 'ENOENT: no such file',
        error: new Error('ENOENT: no such file'),
      };
      return made.addAndCheck({ type: 'tool_call_response', value: failed }) || answered;
    });
    expect(rounds.slice(0, 2)).toEqual([false, false]);
    expect(rounds.at(-1)).toBe(true);
    expect(made.getDetectedLoopType()).toBe('consecutive_identical_tool_calls');
  });

  test('ignores what it cannot read, with a warning, and goes on counting', () => {
    const { service: made, log } = service();
    answers(made, call(), 4);
    for (const broken of [undefined, null, 7, {}, { type: 'content' }, { type: 'tool_call_request', value: null }])
      expect(made.addAndCheck(broken as unknown as StreamEvent)).toBe(false);
    expect(log.mock.calls.map(([level]) => level)).toEqual(Array(6).fill('warn'));
    expect(made.addAndCheck(call())).toBe(true);
  });

  test('no object makes any preset throw or read for ever', () => {
    for (const preset of presets)
      for (const value of Object.values(hostileObjects)) {
        const { service: made } = service({ preset });
        for (const event of [
          () => ({ type: 'tool_call_request', value: { callId: value(), name: 'read_file', args: value() } }),
          () => ({ type: 'tool_call_request', value: value() }),
          () => ({ type: 'content', value: value() }),
          value,
        ])
          expect(typeof made.addAndCheck(event() as StreamEvent)).toBe('boolean');
      }
  });

  test('no event makes any preset throw', () => {
    const type = fc.constantFrom(
      'content',
      'thought',
      'tool_call_request',
      'tool_call_response',
      'finished',
      'retry',
      'x',
    );
    const value = fc.oneof(
      fc.anything({ withBigInt: true }),
      fc.record({ name: fc.string(), args: fc.anything({ withBigInt: true }) }),
    );
    const events = fc.array(fc.oneof(fc.anything(), fc.record({ type, value })), { maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...presets), events, (preset, given) => {
        const { service: made } = service({ preset });
        for (const event of given) expect(typeof made.addAndCheck(event as StreamEvent)).toBe('boolean');
      }),
    );
  });

  test('an input that goes round in a circle is like no other', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(answers(service().service, call('ls', circle), 12)).not.toContain(true);
  });
});

describe('preview models', () => {
  test('are recognised at each reset by name, counted by tool, and logged', () => {
    let model = 'gemini-3-pro-PREVIEW';
    const { service: made, log } = service({ preset: 'deepv-code', model: () => model });
    expect(log.mock.calls).toEqual([
      ['info', 'gemini-3-pro-PREVIEW is a preview model: calls are counted by tool as well.'],
    ]);
    expect([1, 2, 3, 4].map((k) => made.addAndCheck(call('read_file', { k })))).toEqual([false, false, false, true]);
    expect(log).toHaveBeenLastCalledWith(
      'warn',
      'A loop was found: read_file was called 4 times in one request (the limit is 4).',
    );
    model = 'gemini-2.5-pro';
    made.reset('prompt-2');
    expect([1, 2, 3, 4, 5].map((k) => made.addAndCheck(call('read_file', { k })))).not.toContain(true);
  });

  test('mean nothing to the other presets', () => {
    for (const preset of ['gemini-cli', 'qwen-code'] as const) {
      const { service: made, log } = service({ preset, model: () => 'preview' });
      expect([1, 2, 3, 4, 5, 6].map((k) => made.addAndCheck(call('read_file', { k })))).not.toContain(true);
      expect(log).not.toHaveBeenCalled();
    }
  });

  test('are not recognised before the first reset', () => {
    const made = new LoopDetectionService({ preset: 'deepv-code', model: () => 'preview' });
    expect([1, 2, 3, 4, 5, 6].map((k) => made.addAndCheck(call('ls', { k })))).not.toContain(true);
  });
});

describe('switching it off', () => {
  test('for the session outranks what was found and survives resets', async () => {
    const { service: made, onDisabled } = service();
    answers(made, call(), 5);
    made.disableForSession();
    made.disableForSession();
    expect(made.addAndCheck(call())).toBe(false);
    made.reset('prompt-2');
    expect(answers(made, call(), 9)).not.toContain(true);
    expect(await loopsAt(made, 40)).toEqual([]);
    expect(onDisabled.mock.calls).toEqual([[{ promptId: 'prompt-1' }]]);
  });

  test('by configuration makes it blind for as long as that lasts', async () => {
    let off = false;
    const judge = vi.fn(async () => ({ analysis: '', confidence: 1 }));
    const { service: made } = service({ disabled: () => off, judge });
    answers(made, call(), 4);
    await loopsAt(made, 29);
    off = true;
    expect(answers(made, call(), 5)).not.toContain(true);
    expect(await loopsAt(made, 5)).toEqual([]);
    expect(judge).not.toHaveBeenCalled();
    off = false;
    expect(await made.turnStarted(never)).toBe(true);
    expect(made.addAndCheck(call())).toBe(true);
  });
});

describe('turnStarted', () => {
  /** A judge who gives these answers in turn, and what he was asked. */
  function judging(...given: (number | Error)[]) {
    const asked: JudgeRequest[] = [];
    const judge = async (request: JudgeRequest): Promise<JudgeAnswer> => {
      const answer = given[asked.length] ?? 0;
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return { analysis: 'It goes in circles.', confidence: answer };
    };
    return { judge, asked };
  }

  test('asks the judge by his schedule and believes him above 0.9', async () => {
    const { judge, asked } = judging(0.5, 0.9, new Error('busy'), 0.95);
    const { service: made, onDetected, log } = service({ judge });
    expect(await loopsAt(made, 55)).toEqual([52]);
    expect(asked.map(({ turn }) => turn)).toEqual([30, 40, 46, 52]);
    expect(made.getDetectedLoopType()).toBe('llm_detected_loop');
    expect(onDetected.mock.calls).toEqual([[{ type: 'llm_detected_loop', promptId: 'prompt-1' }]]);
    expect(log.mock.calls).toEqual([
      ['debug', 'The judge gave no answer: busy'],
      ['warn', 'A loop was found: A judge is sure that this is a loop: It goes in circles.'],
    ]);
  });

  test.each(presets)('%s: does not latch', async (preset) => {
    const { service: made } = service({ preset, judge: judging(0.95).judge });
    expect(await loopsAt(made, 32)).toEqual([30]);
    expect(made.addAndCheck(content('on we go'))).toBe(false);
  });

  test('is not silenced by a loop found in the stream', async () => {
    const { service: made, onDetected } = service({ judge: judging(0.95).judge });
    answers(made, call(), 6);
    expect(await loopsAt(made, 30)).toEqual([30]);
    expect(onDetected.mock.calls.map(([{ type }]) => type)).toEqual([
      'consecutive_identical_tool_calls',
      'llm_detected_loop',
    ]);
  });

  test('counts from the beginning after a reset', async () => {
    const { judge, asked } = judging(0);
    const { service: made } = service({ judge });
    await loopsAt(made, 29);
    made.reset('prompt-2');
    await loopsAt(made, 30);
    expect(asked.map(({ turn, promptId }) => [turn, promptId])).toEqual([[30, 'prompt-2']]);
  });

  test('shows the judge the end of the conversation, the request and the model', async () => {
    const { judge, asked } = judging(0);
    const result = { role: 'user', parts: [{ functionResponse: {} }] };
    const said = { role: 'user', parts: [{ text: 'Go on.' }] };
    const { service: made } = service({ judge, model: () => 'a-model', history: () => [result, said] });
    await loopsAt(made, 30);
    expect(asked).toEqual([{ promptId: 'prompt-1', turn: 30, model: 'a-model', history: [said] }]);
  });

  test('without a judge is never a loop', async () => {
    expect(await loopsAt(service().service, 100)).toEqual([]);
  });

  test('a history, an answer or a judge that fails is no loop, and the interval stays', async () => {
    const broken = [
      () => Promise.resolve(null),
      () => Promise.resolve({ analysis: 'x' }),
      () => Promise.resolve({ confidence: Number.NaN }),
      () => Promise.resolve({ analysis: '', confidence: 20 }),
      () => Promise.resolve({ analysis: '', confidence: '0.95' }),
      () => {
        throw new Error('at once');
      },
      () => Promise.reject('no error at all'),
    ];
    const judge = vi.fn(() => (broken.shift() ?? (() => Promise.resolve({ analysis: '', confidence: 1 })))());
    const history = vi
      .fn(() => [])
      .mockImplementationOnce(() => {
        throw new Error('no history');
      });
    const { service: made, log } = service({ judge: judge as never, history });
    expect(await loopsAt(made, 54)).toEqual([54]);
    expect(judge).toHaveBeenCalledTimes(8);
    expect(log.mock.calls.map(([level]) => level)).toEqual([
      'debug',
      'debug',
      'warn',
      'warn',
      'warn',
      'warn',
      'debug',
      'debug',
      'warn',
    ]);
  });

  test('an abort ends the wait, whether or not the judge reacts to it', async () => {
    const controller = new AbortController();
    const { service: made } = service({ judge: () => new Promise(() => {}) });
    await loopsAt(made, 29);
    const waiting = made.turnStarted(controller.signal);
    controller.abort();
    expect(await waiting).toBe(false);
  });

  test('does not ask where the abort came first, and hands the signal on where not', async () => {
    const judge = vi.fn(async () => ({ analysis: '', confidence: 1 }));
    const { service: made } = service({ judge });
    expect(await loopsAt(made, 32, AbortSignal.abort())).toEqual([]);
    expect(judge).not.toHaveBeenCalled();
    const { signal } = new AbortController();
    expect(await made.turnStarted(signal)).toBe(true);
    expect(judge).toHaveBeenLastCalledWith(expect.objectContaining({ turn: 33 }), signal);
  });

  test('an answer that comes after the next reset, or after switching off, counts for nothing', async () => {
    for (const meanwhile of ['reset', 'disableForSession'] as const) {
      let answer: (given: JudgeAnswer) => void = () => {};
      const asked = new Promise<JudgeAnswer>((resolve) => {
        answer = resolve;
      });
      const { service: made, onDetected } = service({ judge: () => asked });
      await loopsAt(made, 29);
      const waiting = made.turnStarted(never);
      made[meanwhile]('prompt-2');
      answer({ analysis: '', confidence: 1 });
      expect(await waiting).toBe(false);
      expect(onDetected).not.toHaveBeenCalled();
    }
  });
});

describe('hosts that misbehave', () => {
  test('callbacks that throw are logged and stop nothing', () => {
    const boom = () => {
      throw new Error('boom');
    };
    const { service: made, log } = service({ onDetected: boom, onDisabled: boom, disabled: boom, model: boom });
    expect(answers(made, call(), 5).at(-1)).toBe(true);
    made.disableForSession();
    const lines = log.mock.calls.map(([, line]) => line);
    for (const name of ['model', 'disabled', 'onDetected', 'onDisabled'])
      expect(lines.some((line) => line.includes(name) && line.includes('boom'))).toBe(true);
  });

  test('a log that throws stops nothing', () => {
    const { service: made } = service({
      log: () => {
        throw new Error('boom');
      },
    });
    expect(answers(made, call(), 5).at(-1)).toBe(true);
  });

  test.each([
    ['options must be of type object, got undefined', undefined],
    ['options.disabled must be a function, got true', { preset: 'gemini-cli', disabled: true }],
    ['options.model must be a function, got "gemini-2.5-pro"', { preset: 'gemini-cli', model: 'gemini-2.5-pro' }],
  ])('an option of the wrong type is refused: %s', (message, options) => {
    expect(() => new LoopDetectionService(options as never)).toThrow(`LoopDetectionService: ${message}`);
  });

  test('a preset that is not known is refused by name', () => {
    expect(() => new LoopDetectionService({ preset: 'claude' as PresetName })).toThrow(
      'LoopDetectionService: preset must be one of balanced, gemini-cli, qwen-code, deepv-code, got "claude"',
    );
  });

  test('a model or a prompt that is no text is none', () => {
    const { service: made } = service({ preset: 'deepv-code', model: () => 7 as unknown as string });
    made.reset(undefined as unknown as string);
    expect([1, 2, 3, 4, 5].map((k) => made.addAndCheck(call('ls', { k })))).not.toContain(true);
  });
});
