import { fieldsOf, isObject, parsedOr, stringOf } from './foreign.js';

/** The headers in which agents name their session, the most exact first. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'x-session-affinity',
  'thread-id',
];

export type HeaderLookup = (name: string) => string | undefined;

/** The session that a request names, in a header or in its body; empty when it names none. */
export function sessionNamed(header: HeaderLookup, body: unknown): string {
  for (const name of sessionHeaders) {
    const value = header(name);
    if (value !== undefined && value !== '') return value;
  }
  const { metadata, prompt_cache_key, conversation } = fieldsOf(body);
  const user = fieldsOf(parsedOr(stringOf(fieldsOf(metadata).user_id)));
  const kept = stringOf(conversation) || stringOf(fieldsOf(conversation).id);
  return stringOf(user.session_id) || kept || stringOf(prompt_cache_key);
}

/** The agent within the session, if the request names one; empty for the main agent. */
export function agentNamed(header: HeaderLookup): string {
  const turn = parsedOr(header('x-codex-turn-metadata') ?? '');
  if (!isObject(turn)) return header('x-claude-code-agent-id') ?? '';
  const name = stringOf(turn.agent_name);
  return name === '/root' ? '' : name; // Codex's name for the first agent of a session
}
