import { describe, expect, it } from 'vitest';
import { agentNamed, sessionNamed } from './session-named.js';

const headers = (all: Readonly<Record<string, string>>) => (name: string) => all[name];

describe('the session of a request', () => {
  it('is named in a header or in the body', () => {
    expect(sessionNamed(headers({ 'x-claude-code-session-id': 'c' }), {})).toBe('c');
    expect(sessionNamed(headers({}), { metadata: { user_id: '{"session_id":"s"}' } })).toBe('s');
    expect(sessionNamed(headers({}), { prompt_cache_key: 'p' })).toBe('p');
    expect(sessionNamed(headers({}), { conversation: 'conv_1', prompt_cache_key: 'p' })).toBe('conv_1');
    expect(sessionNamed(headers({}), { conversation: { id: 'conv_1' } })).toBe('conv_1');
    expect(sessionNamed(headers({}), { metadata: { user_id: 'no json' } })).toBe('');
  });

  it('may have agents that are named', () => {
    expect(agentNamed(headers({ 'x-codex-turn-metadata': '{"agent_name":"helper"}' }))).toBe('helper');
    expect(agentNamed(headers({ 'x-codex-turn-metadata': 'no json' }))).toBe('');
    expect(agentNamed(headers({}))).toBe('');
  });
});
