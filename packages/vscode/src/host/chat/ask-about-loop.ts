import type { HaltReport } from '@loopfuse/agent';
import { choiceWords, loopInOneLine } from '@loopfuse/conversation';
import type { Choice } from 'loopfuse';
import type { Editor } from '../editor.js';

/**
 * Asks the question of the loop card in a notification, for when the page is hidden. `undefined` if the user chooses nothing
 * there; the card then still waits.
 */
export async function askAboutLoop(
  editor: Editor,
  report: HaltReport,
  cost: number | undefined,
): Promise<{ choice: Choice; hint?: string } | undefined> {
  const labels = new Map(report.choices.map((choice) => [choiceWords(choice, report).short, choice]));
  const label = await editor.notify('warning', loopInOneLine(report, cost), ...labels.keys());
  const choice = label === undefined ? undefined : labels.get(label);
  if (choice !== 'hint') return choice && { choice };
  const hint = (await editor.ask('What should the agent know?', 'A hint for the agent'))?.trim();
  return hint === undefined || hint === '' ? undefined : { choice, hint };
}
