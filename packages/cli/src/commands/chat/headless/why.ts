import { wasteInWords } from 'loopfuse';
import { counted } from '../../../terminal/numbers.js';
import type { Halt, Report, Steer } from './report.js';

/** Why a run ended, as a sentence for people; nothing where it simply was done. */
export function why({ status, loop, turnLimit, interruptedBy, refused, error }: Report): string | undefined {
  switch (status) {
    case 'done':
      return undefined;
    case 'cut-off':
      return 'The answer was cut off: the model had written as much as it may in one turn. Raise maxOutputTokens, or ask for less.';
    case 'filtered':
      return "The answer was cut off by the provider's content filter.";
    case 'empty':
      return 'The model answered nothing at all.';
    case 'needs-approval':
      return `${counted(refused.length, 'call')} needed approval, which nobody could give: ${refused.map(({ tool, title }) => `${tool} (${title})`).join(', ')}. Choose --approval auto-edit or yolo to let them run.`;
    case 'loop':
      return loop === undefined
        ? 'Stopped because of a loop.'
        : `Stopped because of a loop (${loop.kind}). ${told(loop)}`;
    case 'turn-limit':
      return `Stopped after ${counted(turnLimit ?? 0, 'turn')}, the most that one request may take. Raise it with --max-turns.`;
    case 'interrupted':
      if (interruptedBy === 'closed-output') return 'Interrupted: nobody reads the output any more.';
      return interruptedBy === undefined ? 'Interrupted.' : `Interrupted by ${interruptedBy}.`;
    case 'error':
      return `The model could not be asked: ${error?.message ?? 'the run broke off'}`;
  }
}

/** What the model was told, in one line. */
export function steered(steer: Steer): string {
  const what = steer.blocked === undefined ? 'The model was told that it loops' : 'A call was refused because it loops';
  return `${what} (${steer.kind}). ${told(steer)}`;
}

function told({ explanation, waste }: Pick<Halt, 'explanation' | 'waste'>): string {
  const cost = wasteInWords(waste);
  return cost === '' ? explanation : `${explanation} Spent on it: ${cost}.`;
}
