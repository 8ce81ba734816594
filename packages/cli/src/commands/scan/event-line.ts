import type { AgentEvent, Json } from 'loopfuse';

/** An event as plain text. The text is not sanitised, and may have several lines. */
export function eventLine(event: AgentEvent): string {
  switch (event.type) {
    case 'prompt':
      return `user: ${event.text ?? ''}`;
    case 'text':
      return `says: ${event.text}`;
    case 'reasoning':
      return `thinks: ${event.text}`;
    case 'tool-call':
      return `calls ${event.tool} ${brief(event.input)}`;
    case 'tool-result':
      return `${event.failed ? 'fails' : 'gets'}: ${brief(event.output)}`;
    case 'usage':
      return `used ${event.inputTokens} tokens in, ${event.outputTokens} out`;
    case 'turn-end':
      return event.reason === undefined ? 'turn ends' : `turn ends: ${event.reason}`;
    case 'turn-start':
      return 'turn begins';
    case 'steer':
      return `loopfuse: ${event.text}`;
    case 'opinion':
      return `${event.by} thinks: ${event.analysis}`;
    default:
      return event.type;
  }
}

/** Longer than any terminal is wide. */
const most = 400;

function brief(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text ?? '').slice(0, most);
}
