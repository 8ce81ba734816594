import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionNameOf } from './session-name.js';

describe('the name of a session without an id', () => {
  it.each([
    ['/x/chat-7.jsonl.gz', 'chat-7'],
    ['/x/1772359200000/api_conversation_history.json', '1772359200000'],
    ['/x/7c1/events.jsonl', '7c1'],
    ['demo__demo-1.traj', 'demo__demo-1'],
    ['/.json', 'session'],
    ['messages.json', basename(process.cwd())],
    ['./events.jsonl', basename(process.cwd())],
  ])('comes from %s', (file, name) => {
    expect(sessionNameOf(file)).toBe(name);
  });
});

it('reads a name of many endings at once', () => {
  expect(sessionNameOf(`/x/a${'.json'.repeat(20_000)}`)).toBe('a');
  expect(sessionNameOf(`/x/${'g.lo'.repeat(100_000)}`)).toHaveLength(400_000);
});
