import { texts } from './texts/texts.js';

/** What the model is told about itself and its place. */
export function systemPrompt(root: string, platform: string = process.platform): string {
  return texts['system-prompt.md'].replace('{{root}}', () => root).replace('{{platform}}', platform);
}
