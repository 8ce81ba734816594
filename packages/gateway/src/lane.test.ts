import type { Message, RequestView } from '@loopfuse/wire';
import { describe, expect, it } from 'vitest';
import { arrive, type Lane } from './lane.js';

const empty = { text: '', reasoning: '', calls: [], results: [] };
const user = (text: string): Message => ({ ...empty, role: 'user', text });
const calls = (id: string): Message => ({
  ...empty,
  role: 'assistant',
  calls: [{ id, tool: 'read', input: { path: 'a' } }],
});
const result = (id: string, text = 'content'): Message => ({
  ...empty,
  role: 'tool',
  results: [{ id, tool: 'read', text }],
});
const picture = (text: string): Message => ({ ...user(text), wordless: true });
const view = (...messages: Message[]): RequestView => ({ model: 'm', stream: true, system: '', messages, tools: [] });
const tool = { name: 'read', description: '', takes: 'object', parameters: {} } as const;

function session(named = true) {
  const lanes: Lane[] = [];
  return {
    lanes,
    ask: (messages: readonly Message[], system = 1, agent = '') =>
      arrive(lanes, { view: view(...messages), system, agent, named }).events,
  };
}

describe('a lane', () => {
  it('takes only what is new in a history that grows', () => {
    const { ask } = session();
    expect(ask([user('go')])).toEqual([{ type: 'prompt', text: 'go' }]);
    expect(ask([user('go'), calls('1'), result('1')])).toEqual([{ type: 'tool-result', id: '1', output: 'content' }]);
    const grown = [user('go'), calls('1'), result('1'), calls('2'), result('2'), user('and now?')];
    expect(ask(grown)).toEqual([{ type: 'tool-result', id: '2', output: 'content' }]);
    expect(ask([...grown, { ...empty, role: 'assistant', text: 'done' }, user('more')])).toEqual([
      { type: 'prompt', text: 'more' },
    ]);
  });

  it('takes a picture without a word for a request, but where there are no tools for what the model is shown', () => {
    const histories = [[user('go'), { ...calls('1'), calls: [], text: 'done' }, picture('a cat')], [picture('a dog')]];
    const events = [[{ type: 'prompt', text: 'a cat' }], [{ type: 'prompt', text: 'a dog' }]];
    for (const [nth, messages] of histories.entries()) {
      const offered = { system: 1, agent: '', named: true, view: { ...view(...messages), tools: [tool] } };
      expect(arrive([], offered).events).toEqual(events[nth]);
      expect(arrive([], { ...offered, view: view(...messages) }).events).not.toContainEqual(events[nth]![0]);
    }
  });

  it('knows the same request again as a retry', () => {
    const { ask } = session();
    ask([user('go'), calls('1'), result('1')]);
    expect(ask([user('go'), calls('1'), result('1')])).toEqual([{ type: 'retry' }]);
  });

  it('knows a history that begins differently as a compaction, with what follows the last answer as new', () => {
    const { ask, lanes } = session();
    ask([user('go'), calls('1'), result('1'), calls('2'), result('2')]);
    lanes[0]!.notes.push({ at: 3, text: 'a note' });
    expect(ask([user('a summary'), calls('3'), result('3')])).toEqual([
      { type: 'compaction' },
      { type: 'tool-result', id: '3', output: 'content' },
    ]);
    expect(lanes).toHaveLength(1);
    expect(lanes[0]!.notes).toEqual([]);
  });

  it('does not mind when old results are cleared in place', () => {
    const { ask } = session();
    ask([user('go'), calls('1'), result('1'), calls('2'), result('2')]);
    expect(
      ask([user('go'), calls('1'), result('1', '[cleared]'), calls('2'), result('2'), calls('3'), result('3')]),
    ).toEqual([{ type: 'tool-result', id: '3', output: 'content' }]);
  });

  it('is another one for another system prompt or another agent', () => {
    const { ask, lanes } = session();
    ask([user('go')]);
    const [helper] = ask([user('help')], 2);
    expect(helper).toMatchObject({ type: 'prompt', lane: expect.stringMatching(/^lane-/) });
    expect(ask([user('look')], 1, 'scout')).toEqual([{ type: 'prompt', text: 'look', lane: 'scout' }]);
    expect(lanes).toHaveLength(3);
    expect(ask([user('go'), calls('1'), result('1')])).toEqual([{ type: 'tool-result', id: '1', output: 'content' }]);
    expect(ask([user('help'), calls('9'), result('9')], 2)[0]).toMatchObject({ type: 'tool-result', id: '9' });
  });

  it('starts from scratch with another first message of the main agent', () => {
    const { ask, lanes } = session();
    ask([user('go'), calls('1'), result('1')]);
    expect(ask([user('something else')])).toEqual([{ type: 'prompt', text: 'something else' }]);
    expect(lanes).toHaveLength(1);
  });

  it('takes the same beginning after an answer for another conversation, where nobody names the session', () => {
    const unnamed = session(false);
    unnamed.ask([user('go')]);
    unnamed.lanes[0]!.answered = true;
    expect(unnamed.ask([user('go')])).toEqual([{ type: 'prompt', text: 'go' }]);
    const named = session(true);
    named.ask([user('go')]);
    named.lanes[0]!.answered = true;
    expect(named.ask([user('go')])).toEqual([{ type: 'retry' }]);
  });

  it('begins with the present request of the user where it was not there from the start', () => {
    const { ask } = session();
    const events = ask([
      user('old'),
      calls('1'),
      result('1'),
      { ...empty, role: 'assistant', text: 'ok' },
      user('new'),
      calls('2'),
      result('2'),
    ]);
    expect(events.map(({ type }) => type)).toEqual(['prompt', 'turn-start', 'tool-call', 'turn-end', 'tool-result']);
    expect(events[0]).toEqual({ type: 'prompt', text: 'new' });
  });

  it('knows results without ids by their tool', () => {
    const { ask, lanes } = session();
    ask([user('go')]);
    lanes[0]!.pending = [{ id: 'ours-1', tool: 'read' }];
    expect(ask([user('go'), calls('place-0'), result('place-0')])).toEqual([
      { type: 'tool-result', id: 'ours-1', output: 'content' },
    ]);
  });

  it('does not take reminders beside results for requests of the user', () => {
    const { ask } = session();
    ask([user('go')]);
    expect(ask([user('go'), calls('1'), result('1'), user('<reminder>be brief</reminder>')])).toEqual([
      { type: 'tool-result', id: '1', output: 'content' },
    ]);
  });
});
