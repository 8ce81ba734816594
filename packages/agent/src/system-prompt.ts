import { memoryFile } from './project-memory.js';
import { texts } from './texts/texts.js';

/** What the model is told about itself and its place, and what the project says about working in it. */
export function systemPrompt(root: string, platform: string = process.platform, memory?: string): string {
  const prompt = texts['system-prompt.md'].replace('{{root}}', () => root).replace('{{platform}}', platform);
  if (memory === undefined) return prompt;
  return `${prompt}\n\nWhat ${memoryFile} of this project says about working in it; what the user says goes before it:\n\n${memory}`;
}
