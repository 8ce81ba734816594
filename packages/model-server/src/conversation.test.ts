import type { Message, RequestView } from '@loopfuse/wire';
import { describe, expect, it } from 'vitest';
import { createConversations } from './conversation.js';

const empty = { text: '', reasoning: '', calls: [], results: [] };
const user = (text: string): Message => ({ ...empty, role: 'user', text });
const model: Message = { ...empty, role: 'assistant', text: 'yes' };
const tool = { name: 'read', description: '', takes: 'object' as const, parameters: {} };
const turn = (...messages: Message[]): RequestView => ({
  model: 'm',
  stream: true,
  system: '',
  messages,
  tools: [tool],
});

describe('conversations', () => {
  it('are kept apart by their first message', () => {
    const conversations = createConversations();
    const visits = [turn(user('a')), turn(user('b')), turn(user('a'), model, user('more'))].map((one) => {
      const visit = conversations.enter(one, {}, {});
      visit.leave('whole');
      return visit;
    });
    expect(visits.map(({ asked }) => asked)).toEqual([0, 0, 1]);
    expect(visits[0]?.conversation).toBe(visits[2]?.conversation);
    expect(visits[0]?.conversation).not.toBe(visits[1]?.conversation);
  });

  it('are kept apart by the session that a header names', () => {
    const conversations = createConversations();
    const enter = (id: string) =>
      conversations.enter(turn(user('a'), model, user('b')), { 'x-session-id': id }, {}).asked;
    expect([enter('1'), enter('2'), enter('1')]).toEqual([0, 0, 1]);
  });

  it('do not count the side requests of their session', () => {
    const conversations = createConversations();
    const headers = { 'x-session-id': '1' };
    conversations.enter({ ...turn(user('a')), tools: [] }, headers, {});
    expect(conversations.enter(turn(user('a')), headers, {}).asked).toBe(0);
  });

  it('go on when the first request is sent again because it was not answered whole', () => {
    const conversations = createConversations();
    const enter = () => conversations.enter(turn(user('a')), {}, {});
    const [first, second] = [enter(), enter()];
    second.leave('faulty');
    expect([first.asked, second.asked, enter().asked]).toEqual([0, 1, 2]);
  });

  it('start from scratch when the same first request comes after a whole answer', () => {
    const conversations = createConversations();
    const enter = () => conversations.enter(turn(user('a')), {}, {});
    enter().leave('whole');
    expect(enter().asked).toBe(0);
  });
});
