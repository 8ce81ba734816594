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

  test('is its result, though another action gets the very same words', () => {
    const nothing = prompt('Observation: No matches were found in any of the files.');
    const steps = stepsOf([
      prompt('Is an old name left?'),
      act('grep Kelpie'),
      nothing,
      act('grep Merrow'),
      nothing,
      act('grep Selkie'),
      nothing,
    ]);
    expect(steps.map(({ tool, status }) => [tool, status])).toEqual([
      ['action', 'ok'],
      ['action', 'ok'],
      ['action', 'ok'],
    ]);
  });

  test('is the result of what was thought, where a log takes all that is said for a thought', () => {
    const thinks = (text: string): AgentEvent => ({ type: 'reasoning', text });
    const shown = prompt('Observation: the door is shut.');
    const steps = stepsOf([prompt('Get out.'), thinks('Action: open door'), shown, thinks('Action: push door'), shown]);
    expect(steps).toMatchObject([
      { tool: 'action', label: 'Action: open door' },
      { tool: 'action', label: 'Action: push door' },
    ]);
  });

  test('is nothing where the model has said nothing before it', () => {
    const shown = (text: string) => prompt(`Observation: ${text} was opened.`);
    const steps = stepsOf([prompt('Open all.'), act('open a'), shown('a'), act('open b'), shown('b'), shown('c')]);
    expect(steps).toHaveLength(2);
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

describe('a prompt directly after a call', () => {
  const runs = (id: string, command: string): AgentEvent => ({
    type: 'tool-call',
    id,
    tool: 'bash',
    input: { command },
  });

  test('is its result on a host that shows results in no other way, without the label before it', () => {
    const steps = stepsOf([
      prompt('Free the port.'),
      runs('a', 'ss -ltn'),
      prompt('New output:\nLISTEN 0 128 *:8080'),
      runs('b', 'fuser 8080/tcp'),
      prompt('New output:\nbash: fuser: command not found'),
    ]);
    expect(steps).toMatchObject([
      { tool: 'bash', status: 'ok', label: 'ss -ltn' },
      { tool: 'bash', status: 'failed', error: { core: 'bash: fuser: command not found' } },
    ]);
  });

  test('answers calls of one request in their order', () => {
    const steps = stepsOf([
      prompt('Read both.'),
      runs('a', 'cat a'),
      runs('b', 'cat b'),
      prompt('Output: the first'),
      prompt('Output: the second'),
    ]);
    expect(steps.map(({ label }) => label)).toEqual(['cat a', 'cat b']);
  });

  test('is a request where it does not open as such prompts do: no host may hide what the user says', () => {
    const steps = stepsOf([prompt('Free the port.'), runs('a', 'ss -ltn'), prompt('No, stop'), runs('b', 'ss -ltn')]);
    expect(steps.map(({ status }) => status)).toEqual(['unseen', 'unseen']);
  });

  test('is a request where results come in another way', () => {
    const steps = stepsOf([
      prompt('Free the port.'),
      runs('a', 'ss -ltn'),
      { type: 'tool-result', id: 'a', output: 'LISTEN 0 128 *:8080' },
      runs('b', 'kill 17'),
      prompt('No, stop!'),
    ]);
    expect(steps.map(({ status }) => status)).toEqual(['ok', 'unseen']);
  });
});

test('a prompt that only lets the model go on after a result refuses nothing, whatever has failed', () => {
  const round = (k: number): AgentEvent[] => [
    { type: 'tool-call', id: `c${k}`, tool: 'bash', input: { command: `python step${k}.py` } },
    { type: 'tool-result', id: `c${k}`, output: `ValueError: no. ${k} is bad`, failed: true },
    prompt('Please continue with the task, or finish if it is done.'),
  ];
  const steps = stepsOf([prompt('Make it run.'), ...round(1), ...round(2), ...round(3), ...round(4)]);
  expect(steps.map(({ tool }) => tool)).toEqual(['bash', 'bash', 'bash', 'bash']);
});

test('what comes once more for a call that was answered is a part of its answer, or was logged twice', () => {
  const event = (output: string): AgentEvent => ({ type: 'tool-result', id: 'a', output });
  const steps = stepsOf([
    prompt('Update all meters.'),
    { type: 'tool-call', id: 'a', tool: 'campaign_start', input: { name: 'C-0612' } },
    event('started'),
    event('progress: 4 done, 0 failed'),
    event('progress: 7 done, 1 failed'),
  ]);
  expect(steps).toHaveLength(1);
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
