import { claude, codex, copilot, gemini, messages, opencode, pi, qwen, trace } from './agents.js';
import { langfuse, langsmith, otel, phoenix } from './products.js';
import { loopingSession } from './session.js';

export { input, model, output } from './session.js';

export interface LoopingLog {
  readonly format: string;
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
}

/**
 * One session, as nine agents write it and as four products export it: a request, then `rounds` equal calls that fail
 * alike, a minute apart, each an answer of its own that takes 100 tokens in and 10 out; then the model gives up.
 */
export function loopingLogs(rounds: number): LoopingLog[] {
  const session = loopingSession(rounds);
  return [
    { format: 'trace', name: 'trace.jsonl', text: lines(trace(session)) },
    { format: 'claude-code', name: 'claude.jsonl', text: lines(claude(session)) },
    { format: 'codex', name: 'codex.jsonl', text: lines(codex(session)) },
    { format: 'gemini-cli', name: 'gemini.jsonl', text: lines(gemini(session)) },
    { format: 'qwen-code', name: 'qwen.jsonl', text: lines(qwen(session)) },
    { format: 'opencode', name: 'opencode.json', text: JSON.stringify(opencode(session)) },
    { format: 'copilot-cli', name: 'copilot.jsonl', text: lines(copilot(session)) },
    { format: 'pi', name: 'pi.jsonl', text: lines(pi(session)) },
    { format: 'messages', name: 'chat-of-openai.json', text: JSON.stringify(messages(session)) },
    { format: 'otel', name: 'otel.json', text: JSON.stringify(otel(session)) },
    { format: 'langfuse', name: 'langfuse.json', text: JSON.stringify(langfuse(session)) },
    { format: 'langsmith', name: 'langsmith.jsonl', text: lines(langsmith(session)) },
    { format: 'phoenix', name: 'phoenix.jsonl', text: lines(phoenix(session)) },
  ];
}

function lines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
