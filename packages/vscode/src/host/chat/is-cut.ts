import type { Session } from '@loopfuse/agent';

/** Whether the last request of a session was interrupted before the model finished, so that it can be continued. */
export function isCut({ promptId, halted, history }: Pick<Session, 'promptId' | 'halted' | 'history'>): boolean {
  const last = history.findLast((message) => message.role !== 'user' || message.from !== 'face');
  if (promptId === undefined || halted !== undefined || last === undefined) return false;
  if (last.role !== 'assistant') return true;
  return last.interrupted === true || last.parts.some(({ type }) => type === 'tool-call');
}
