import type { Session } from '@loopfuse/agent';

/** Whether the last request of a session was broken off before the model had its last word, so that it can go on. */
export function isCut({ promptId, halted, history }: Pick<Session, 'promptId' | 'halted' | 'history'>): boolean {
  const last = history.findLast((message) => message.role !== 'user' || message.from !== 'face');
  if (promptId === undefined || halted !== undefined || last === undefined) return false;
  if (last.role !== 'assistant') return true;
  return last.interrupted === true || last.parts.some(({ type }) => type === 'tool-call');
}
