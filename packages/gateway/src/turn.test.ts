import { wires } from '@loopfuse/wire';
import type { Decision } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { describe, expect, it } from 'vitest';
import { noteText } from './decided.js';
import { newFacts, openSession } from './session.js';
import { startTurn, take, takeOpinion } from './turn.js';

const wire = wires['openai-chat'];
const opened = () =>
  openSession('key', newFacts('s', 'agent', 'first', 0), () => ({ guarding: { detectors: balanced() } }));

function asked(session: ReturnType<typeof opened>, at: number, model: string, agent = '') {
  const body = { model, messages: [{ role: 'user', content: 'Do it.' }] };
  const request = { wire, body, view: wire.readRequest(body), now: () => at, system: 1, agent, named: true };
  return startTurn(session, request);
}

const findings = [
  { detector: 'd', kind: 'cycle', status: 'looping', episode: 'e', evidence: {} },
] as unknown as Extract<Decision, { type: 'stop' }>['findings'];

describe('a turn', () => {
  it('is counted, with when it began and the model that it asks', () => {
    const session = opened();
    asked(session, 10, 'second');
    expect(session.about).toMatchObject({ requests: 1, lastAt: 10, model: 'second', startedAt: 0 });
    asked(session, 20, '');
    expect(session.about).toMatchObject({ requests: 2, lastAt: 20, model: 'second', startedAt: 0 });
  });

  it('begins after what is new in its request, all at one time, in its lane', () => {
    const session = opened();
    const prompt = { type: 'prompt', text: 'Do it.' };
    expect(asked(session, 10, 'm').events).toEqual([
      { ...prompt, at: 10 },
      { type: 'turn-start', at: 10 },
    ]);
    expect(asked(session, 20, 'm', 'helper').events).toEqual([
      { ...prompt, at: 20, lane: 'helper' },
      { type: 'turn-start', at: 20, lane: 'helper' },
    ]);
  });

  it('brings the message that waits, once, and keeps it at its place', () => {
    const session = opened();
    const opinion = { type: 'opinion', by: 'judge', confidence: 1, analysis: 'It reads the same file.' } as const;
    asked(session, 10, 'm');
    session.lanes[0]!.next = noteText('Look elsewhere.');
    const expected = wire.withNotes({ model: 'm', messages: [{ role: 'user', content: 'Do it.' }] }, [
      { at: 1, text: noteText('Look elsewhere.') },
    ]);
    expect(asked(session, 20, 'm').changed).toEqual(expected);
    expect(session.lanes[0]!.next).toBeUndefined();
    expect(asked(session, 30, 'm').changed).toEqual(expected);
    const action = takeOpinion(session, opinion);
    expect(action.type).toBe('steer');
    expect(session.lanes[0]!.next).toBe(noteText((action as { message: string }).message));
  });
});

describe('what is decided', () => {
  it('is counted by what is done', () => {
    const session = opened();
    take(session, { type: 'steer', message: 'a', findings });
    take(session, { type: 'block', message: 'b', findings });
    take(session, { type: 'block', message: 'c', findings });
    take(session, { type: 'allow' });
    expect(session.about).toMatchObject({ steers: 1, blocks: 2, stopped: '' });
  });

  it('stops the session until its circuit is closed, and one that a person stopped until that is taken back', () => {
    const session = opened();
    take(session, { type: 'stop', reason: 'Round and round.', findings });
    expect(session.about.stopped).toBe('Round and round.');
    const open = Object.create(session.guard, { circuit: { value: { state: 'open' } } }) as typeof session.guard;
    take({ ...session, guard: open }, { type: 'allow' });
    expect(session.about.stopped).toBe('Round and round.');
    Object.assign(session.about, { announced: true, halted: 'Enough.' });
    take(session, { type: 'allow' });
    expect(session.about).toMatchObject({ stopped: 'Round and round.', announced: true });
    delete session.about.halted;
    take(session, { type: 'allow' });
    expect(session.about).toMatchObject({ stopped: '', announced: false });
  });
});
