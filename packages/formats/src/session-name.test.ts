import { describe, expect, it } from 'vitest';
import { sessionNameOf } from './session-name.js';

describe('the name of a session without an id', () => {
  it.each([
    ['/x/chat-7.jsonl.gz', 'chat-7'],
    ['/x/1772359200000/api_conversation_history.json', '1772359200000'],
    ['/x/7c1/events.jsonl', '7c1'],
    ['demo__demo-1.traj', 'demo__demo-1'],
    ['/.json', 'session'],
  ])('comes from %s', (file, name) => {
    expect(sessionNameOf(file)).toBe(name);
  });
});
