import type { HaltReport } from '@loopfuse/agent';
import { type Choice, wasteInWords } from 'loopfuse';

/** The loop in one line, for where there is no card: what it is, what repeats and how often, what it has cost. */
export function loopInWords({ title, explanation, waste }: HaltReport, cost: number | undefined): string {
  const spent = wasteInWords(waste);
  const dollars = cost === undefined ? '' : `, about $${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
  return `${title}: ${explanation}${spent === '' ? '' : ` Spent on it: ${spent}${dollars}.`}`;
}

/** What is written on the button of a choice. Five of them stand side by side in a notification: they are short. */
export function choiceLabel(choice: Choice, { findings }: Pick<HaltReport, 'findings'>): string {
  switch (choice) {
    case 'stop':
      return 'Stop';
    case 'continue':
      return 'Continue';
    case 'hint':
      return 'Hint…';
    case 'exempt': {
      const [tool, ...more] = new Set(findings.flatMap(({ tools }) => tools));
      return tool !== undefined && more.length === 0 && tool.length <= 12 ? `Exempt ${tool}` : 'Exempt Tools';
    }
    case 'disable':
      return 'Switch Off';
  }
}

/** What a choice about a loop comes to, for the log. */
export const choiceInWords: { readonly [Name in Choice]: string } = {
  stop: 'The person leaves it at that.',
  continue: 'The person lets it go on.',
  hint: 'The person gives a hint, and it goes on.',
  exempt: 'The person exempts the tools that take part, and it goes on.',
  disable: 'The person switches detection off for the session, and it goes on.',
};
