import { type AssistantMessage, callsOf, type Message, type ToolResult } from './message.js';

/**
 * A history that every provider accepts: each message with calls is followed directly by one result for each call, in
 * order. There are no other results, no message is empty, and no id is used twice. What is missing is filled in, and what
 * cannot be placed is dropped. A valid history comes back equal.
 */
export function repaired(history: readonly Message[], missing = notRun('the session ended before it')): Message[] {
  const whole: Message[] = [];
  const used = new Set<string>();
  for (const [index, message] of history.entries()) {
    if (message.role === 'tool') continue; // added with the calls that they answer
    if (message.role === 'user') {
      if (message.text.trim() !== '') whole.push(message);
      continue;
    }
    const spoken = withoutRepeats(message, used);
    if (spoken === undefined) continue;
    whole.push(spoken);
    const calls = callsOf(spoken);
    if (calls.length === 0) continue;
    const given = resultsAfter(history, index);
    const { remarks } = toolMessageAfter(history, index) ?? {};
    whole.push({
      role: 'tool',
      ...(remarks === undefined ? {} : { remarks }),
      results: calls.map(({ id, tool }) => ({
        ...(given.get(id) ?? { output: missing, status: 'not-run' }),
        id,
        tool,
      })),
    });
  }
  return whole;
}

/** The result of a call that never ran. The loop guard reads it as such, and not as an outcome. */
export function notRun(why: string): string {
  return `This call was not executed: ${why}.`;
}

function withoutRepeats(message: AssistantMessage, used: Set<string>): AssistantMessage | undefined {
  const parts = message.parts.filter((part) => {
    if (part.type === 'text') return part.text.trim() !== ''; // blank words beside a call: Anthropic refuses them
    if (part.type === 'reasoning') return part.text !== '' || part.metadata !== undefined;
    if (used.has(part.id)) return false;
    used.add(part.id);
    return true;
  });
  // Thoughts alone are no message: providers want something said or done after them.
  if (parts.every((part) => part.type === 'reasoning')) return undefined;
  return parts.length === message.parts.length ? message : { ...message, parts };
}

function toolMessageAfter(history: readonly Message[], index: number): Message | undefined {
  const next = history[index + 1];
  return next?.role === 'tool' ? next : undefined;
}

/** The results up to the next message of the assistant. */
function resultsAfter(history: readonly Message[], index: number): ReadonlyMap<string, ToolResult> {
  const found = new Map<string, ToolResult>();
  for (let at = index + 1; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === 'assistant') break;
    if (message.role === 'tool') for (const result of message.results) found.set(result.id, result);
  }
  return found;
}
