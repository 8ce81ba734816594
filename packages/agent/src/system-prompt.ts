import { memoryFile } from './project-memory.js';
import { texts } from './texts/texts.js';

/** The system prompt, with the project's own instructions for agents. */
export function systemPrompt(root: string, platform: string = process.platform, memory?: string): string {
  const prompt = texts['system-prompt.md'].replace('{{root}}', () => root).replace('{{platform}}', platform);
  if (memory === undefined) return prompt;
  return `${prompt}\n\nWhat ${memoryFile} of this project says about working in it; what the user says goes before it:\n\n${memory}`;
}
