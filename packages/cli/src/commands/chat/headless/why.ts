import { wasteInWords } from 'loopfuse';
import { counted } from '../../../terminal/numbers.js';
import type { Halt, Report, Steer } from './report.js';

/** Why a run ended, as a sentence for people; nothing where it simply was done. */
export function why({ status, loop, turnLimit, interruptedBy, error }: Report): string | undefined {
  switch (status) {
    case 'done':
      return undefined;
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
