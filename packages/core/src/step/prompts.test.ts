import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../event.js';
import type { Step } from './step.js';
import { createSteps } from './steps.js';

/** The steps of a session; with a snapshot before every event, from which it goes on. */
function stepsOf(events: readonly AgentEvent[]): Step[] {
  let steps = createSteps(() => undefined);
  return events.flatMap((event, seq) => {
    const saved = JSON.parse(JSON.stringify(steps.save()));
    steps = createSteps(() => undefined);
    steps.load(saved);
    if (event.type === 'text' || event.type === 'reasoning') steps.spoke(event);
    return [...steps.observe(event, seq, []).steps];
  });
}

const prompt = (text: string): AgentEvent => ({ type: 'prompt', text });
const says = (text: string): AgentEvent => ({ type: 'text', text });
const click = (k: number): AgentEvent[] => [
  { type: 'tool-call', id: `c${k}`, tool: 'click', input: { index: 8 } },
  { type: 'tool-result', id: `c${k}`, output: 'Clicked.' },
];

describe('a page that is shown in a prompt after a result', () => {
  const page = (step: number, title: string) =>
    prompt(
      `[Current page]\nAddress: https://kurse.example/${title}\n${'[4] input with the name of the person who comes\n'.repeat(5)}[Step ${step} of 30]`,
    );
  const session = [
    prompt('Book a place.'),
    ...click(1),
    page(1, 'list'),
    says('I go on.'),
    ...click(2),
    page(2, 'form'),
    says('Once more.'),
    ...click(3),
    page(3, 'form'),
    says('And again.'),
    ...click(4),
    page(4, 'form'),
    says('Still there.'),
    ...click(5),
    page(5, 'form'),
  ];

  test('is what came of the call, once it is known to change', () => {
    const steps = stepsOf(session);
    expect(steps.map(({ letters }) => letters > 100)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(new Set(steps.map(({ call }) => call)).size).toBe(1);
    expect(steps.at(-1)!.outcome).toBe(steps.at(-3)!.outcome); // the number of the step is counted, and taken off
  });

  test('is a request where the model has spoken since', () => {
    const steps = stepsOf(
      session.flatMap((event) => (event.type === 'prompt' ? [says('It is done.'), event] : [event])),
    );
    expect(steps.every(({ letters }) => letters < 100)).toBe(true);
  });
});

describe('a prompt that answers an action told in words', () => {
  const act = (action: string) => says(`Thought: now this.\nAction: ${action}`);

  test('shows what came of it from the first time on', () => {
    const steps = stepsOf([
      prompt('Make a raft.'),
      act('get 6 flax'),
      prompt('Got 6 flax'),
      act('get 6 flax'),
      prompt('Got 6 flax'),
    ]);
    expect(steps).toMatchObject([
      { tool: 'action', status: 'ok' },
      { tool: 'action', status: 'ok' },
    ]);
    expect(steps[0]!.call).toBe(steps[1]!.call);
  });

  test('refuses it where another action gets the very same words', () => {
    const refusal = prompt('Observation: that is not among the things that this world knows.');
    const steps = stepsOf([
      prompt('Make a raft.'),
      act('bind logs'),
      refusal,
      act('tie logs'),
      refusal,
      act('rope logs'),
      refusal,
    ]);
    expect(steps.filter(({ tool }) => tool === 'message').every(({ status }) => status === 'failed')).toBe(true);
    expect(steps.some(({ tool }) => tool === 'message')).toBe(true);
  });

  test('is a move where it is a picture: what that shows is not known', () => {
    const picture = prompt('<image> screenshot 1920x1080');
    const steps = stepsOf([
      prompt('Find the boat.'),
      picture,
      act('scroll down'),
      picture,
      act('scroll down'),
      picture,
    ]);
    expect(steps).toMatchObject([
      { tool: 'action', effect: 'act' },
      { tool: 'action', effect: 'act' },
    ]);
  });
});

test('a statement that changed rows is a move, a look is none, whatever it is called', () => {
  const asked = (output: string): AgentEvent[] => [
    { type: 'tool-call', id: 'a', tool: 'sql', input: { q: 'update orders set paid = true where id in (…) limit 50' } },
    { type: 'tool-result', id: 'a', output },
  ];
  expect(stepsOf(asked('UPDATE 50'))[0]!.effect).toBe('act');
  expect(stepsOf(asked('Query OK, 50 rows affected (0.01 sec)'))[0]!.effect).toBe('act');
  expect(stepsOf(asked('UPDATE 0'))[0]!.effect).toBe('read');
  expect(stepsOf(asked('50 rows'))[0]!.effect).toBe('read');
});
