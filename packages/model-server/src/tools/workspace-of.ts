import type { TurnRequest } from '../turn.js';

/** The phrases by which agents name their folder in prompts. */
const phrases = [
  /<cwd>\s*(\/[^<]*)<\/cwd>/,
  /working directory(?: is)?:?\s*[`"']?(\/[^\n`"'<]*)/i,
  /working in the directory:?\s*[`"']?(\/[^\n`"'<]*)/i,
  /\bcwd:?\s*[`"']?(\/[^\n`"'<]*)/i,
];

/** The absolute folder that the agent works in, where its prompt says so. */
export function workspaceOf({ system, messages }: Pick<TurnRequest, 'system' | 'messages'>): string | undefined {
  for (const text of [
    system,
    ...messages.filter(({ role }) => role === 'user' || role === 'system').map((message) => message.text),
  ]) {
    for (const phrase of phrases) {
      const found = phrase
        .exec(text)?.[1]
        ?.trim()
        .replace(/[.,;]?$/, '');
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
