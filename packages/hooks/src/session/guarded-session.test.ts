import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeCode } from '@loopfuse/formats';
import fc from 'fast-check';
import { type AgentEvent, createGuard, type PolicyName, unattended } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { describe, expect, test } from 'vitest';
import type { HookEvent, Measure, Moment } from '../protocol/protocol.js';
import { type SessionState, step } from './guarded-session.js';

interface Host {
  readonly measures: (Measure['type'] | undefined)[];
  hook(moment: Moment, more?: Partial<HookEvent>): Measure | undefined;
  /** A call with its result, unless it is refused. */
  act(tool: string, input: string, output: string, id?: string): Measure['type'] | undefined;
  readonly faults: string[];
}

/** An agent that calls the hook as a process of its own each time: all it keeps goes through JSON. */
function host({ policy = 'unattended' as PolicyName, asks = true } = {}): Host {
  let saved: string | undefined;
  let calls = 0;
  const measures: (Measure['type'] | undefined)[] = [];
  const faults: string[] = [];
  const hook = (moment: Moment, more: Partial<HookEvent> = {}): Measure | undefined => {
    const { state, measure } = step(
      saved === undefined ? undefined : JSON.parse(saved),
      { session: 's', moment, ...more },
      { format: claudeCode, asks },
      { policy, now: 1_000_000 + 1_000 * calls++, onFault: (message) => faults.push(message) },
    );
    if (state !== undefined) saved = JSON.stringify(state);
    return measure;
  };
  const act = (tool: string, input: string, output: string, id?: string) => {
    const call = { id, tool, input: { value: input } };
    const before = hook({ type: 'call', call })?.type;
    const refused = before === 'refuse' || before === 'end';
    const measure = refused ? before : hook({ type: 'result', call, output })?.type;
    measures.push(measure);
    return measure;
  };
  return { hook, act, measures, faults };
}

test('a transcript that is written late does not hide the results of calls under way', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopfuse-late-'));
  try {
    const path = join(folder, 'transcript.jsonl');
    writeFileSync(path, '');
    const { hook } = host();
    hook({ type: 'prompt', text: 'What does it do?' }, { transcript: path });
    const answers = Array.from({ length: 4 }, (_, k) => {
      const call = { id: `call-${k}`, tool: 'Read', input: { path: 'README.md' } };
      const content = [{ type: 'tool_use', id: call.id, name: call.tool, input: call.input }];
      const message = { id: `m${k}`, role: 'assistant', content };
      const write = () =>
        appendFileSync(path, `${JSON.stringify({ type: 'assistant', uuid: `u${k}`, sessionId: 's', message })}\n`);
      if (k % 2 === 0) write();
      const before = hook({ type: 'call', call }, { transcript: path })?.type;
      if (k % 2 === 1) write();
      return (
        before ??
        hook({ type: 'result', call, output: 'A small project: main adds two numbers.' }, { transcript: path })?.type
      );
    });
    expect(answers).toEqual([undefined, undefined, 'tell', 'refuse']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a run that was stopped is ended again where the results go back to the model, until the user asks for something new', () => {
  const { act, hook } = host({ policy: 'stop' });
  expect(hook({ type: 'resume' })).toBeUndefined();
  let last: Measure['type'] | undefined;
  for (let k = 0; k < 10 && last !== 'end'; k++)
    last = act('read', 'README.md', 'A small project: main adds two numbers.');
  expect(last).toBe('end');
  expect(hook({ type: 'resume' })?.type).toBe('end');
  hook({ type: 'prompt', text: 'Then do something else.' });
  expect(hook({ type: 'resume' })).toBeUndefined();
});

describe('a moment that two hooks receive', () => {
  const marks = [{ ids: true }, { ids: false }];

  test.each(marks)('counts once, and is answered once (calls with ids: $ids)', ({ ids }) => {
    const play = (hooks: number) => {
      const { hook } = host();
      const answers: (string | undefined)[] = [];
      for (let k = 0; k < 8; k++) {
        const call = { id: ids ? `call-${k}` : undefined, tool: 'Read', input: { path: 'a' } };
        const report = (moment: Moment, mark: string) => {
          const said = Array.from({ length: hooks }, () => hook(moment, { mark })?.type).filter(Boolean);
          expect(said.length).toBeLessThan(2);
          answers.push(said[0]);
          return said[0];
        };
        const before = report({ type: 'call', call }, `${k}, before`);
        if (before === undefined) report({ type: 'result', call, output: 'same' }, `${k}, after`);
      }
      return answers;
    };
    expect(play(2)).toEqual(play(1));
    expect(play(1)).toContain('end');
  });

  test('is not mistaken for another one: calls beside each other, or without any mark', () => {
    const { hook, act, measures } = host();
    const calls = ['a', 'b', 'c'].map((path) => ({ tool: 'Read', input: { path } }));
    const said: (Measure | undefined)[] = [];
    for (let k = 0; k < 4; k++) {
      const mark = `time ${k}`;
      for (const call of calls) said.push(hook({ type: 'call', call }, { mark }));
      for (const call of calls) said.push(hook({ type: 'result', call, output: 'same' }, { mark }));
    }
    expect(said.some((measure) => measure !== undefined)).toBe(true);
    hook({ type: 'prompt', text: 'Something else.' });
    for (let k = 0; k < 4; k++) act('Read', 'a', 'same');
    expect(measures).toContain('tell');
  });

  test('a prompt that is sent again is another one', () => {
    const { hook, act, measures } = host();
    for (let k = 0; k < 6; k++) {
      hook({ type: 'prompt', text: 'go on' }, { mark: `prompt ${k >> 1}` });
      act('Bash', 'ls', 'same', `call-${k}`);
      act('Bash', `git show ${k}`, `another ${k}`, `show-${k}`);
    }
    expect(measures.filter((type) => type === 'end')).toEqual([]);
  });
});

describe('a session in which every event is a process of its own', () => {
  test('comes to the decisions of one guard that sees everything', () => {
    const action = fc.record({
      tool: fc.constantFrom('Read', 'Bash'),
      input: fc.constantFrom('a', 'b'),
      output: fc.constantFrom('same', 'same', 'same', 'other'),
      prompt: fc.integer({ min: 0, max: 15 }),
    });
    fc.assert(
      fc.property(fc.array(action, { minLength: 5, maxLength: 40 }), fc.boolean(), (actions, withIds) => {
        const guard = createGuard({ detectors: balanced(), policy: unattended });
        const agent = host();
        let at = 1_000_000;
        const observe = (event: AgentEvent) => {
          const { type } = guard.observe({ ...event, at });
          at += 1_000;
          return type;
        };
        const names = { allow: undefined, steer: 'tell', block: 'refuse', stop: 'end' } as Record<string, unknown>;
        actions.forEach(({ tool, input, output, prompt }, k) => {
          if (prompt === 0) {
            observe({ type: 'prompt', text: 'go on' });
            agent.hook({ type: 'prompt', text: 'go on' });
          }
          const id = withIds ? `id-${k}` : undefined;
          const measure = agent.act(tool, input, output, id);
          const call = observe({ type: 'tool-call', id: `call-${k}`, tool, input: { value: input } });
          const decision = call === 'allow' ? observe({ type: 'tool-result', id: `call-${k}`, output }) : call;
          expect(measure).toBe(names[decision]);
        });
        expect(agent.faults).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('tells the model, refuses the call, ends the run; a new prompt starts over', () => {
    const agent = host();
    while (agent.act('Read', 'a', 'same') !== 'end') expect(agent.measures.length).toBeLessThan(20);
    const acted = agent.measures.filter((measure) => measure !== undefined);
    expect(acted).toEqual(['tell', 'refuse', 'end']);
    expect(agent.act('Read', 'b', 'other')).toBe('end');
    agent.hook({ type: 'prompt', text: 'try something else' });
    expect(agent.act('Read', 'b', 'other')).toBeUndefined();
  });

  test('asks the person about the call where the agent can, and takes a call that ran for approval', () => {
    const agent = host({ policy: 'ask' });
    while (agent.measures.at(-1) === undefined && agent.measures.length < 20) {
      const measure = agent.hook({ type: 'call', call: { tool: 'Read', input: {} } });
      agent.measures.push(measure?.type);
      if (measure === undefined) agent.hook({ type: 'result', call: { tool: 'Read', input: {} }, output: 'same' });
    }
    expect(agent.measures.at(-1)).toBe('ask');
    agent.hook({ type: 'result', call: { tool: 'Read', input: {} }, output: 'same' });
    expect(agent.act('Read', 'b', 'other')).toBeUndefined();
  });

  test('ends the run instead of asking where the agent cannot ask', () => {
    const agent = host({ policy: 'ask', asks: false });
    while (agent.act('Read', 'a', 'same') === undefined) expect(agent.measures.length).toBeLessThan(20);
    expect(agent.measures.at(-1)).toBe('end');
  });

  test('only watches with the policy for it', () => {
    const agent = host({ policy: 'shadow' });
    for (let k = 0; k < 20; k++) agent.act('Read', 'a', 'same');
    expect(new Set(agent.measures)).toEqual(new Set([undefined]));
  });

  test('sub-agents are watched apart from each other', () => {
    const agent = host();
    for (let k = 0; k < 12; k++) {
      const call = { id: `c-${k}`, tool: 'Read', input: { file: 'a' } };
      const lane = `agent-${k}`;
      expect(agent.hook({ type: 'call', call }, { lane })).toBeUndefined();
      expect(agent.hook({ type: 'result', call, output: 'same' }, { lane })).toBeUndefined();
    }
  });

  test('results of calls that nobody saw are skipped', () => {
    const agent = host();
    expect(agent.hook({ type: 'result', call: { tool: 'Read', input: 'x' }, output: '' })).toBeUndefined();
    expect(agent.faults).toEqual([]);
  });
});

describe('what was saved', () => {
  const begin = (saved: unknown) => {
    const faults: string[] = [];
    const call = { tool: 'Read', input: {} };
    const { state } = step(
      saved,
      { session: 's', moment: { type: 'call', call } },
      { format: claudeCode, asks: true },
      { policy: 'unattended', now: 0, onFault: (message) => faults.push(message) },
    );
    return { state, faults };
  };

  test('starts from scratch where it is anything but a state, and reports it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (saved) => {
        const { state, faults } = begin(saved);
        expect(state?.version).toBe(1);
        expect(faults).toHaveLength(1);
      }),
    );
  });

  test('is used as far as it goes where its guard is broken', () => {
    const { state } = begin(undefined);
    const broken = { ...state, guard: { version: 1, watch: null } } as unknown as SessionState;
    const { state: next, faults } = begin(broken);
    expect(next?.named).toBe(2);
    expect(faults.length).toBeGreaterThan(0);
  });
});
