import { explanationWithCost } from '@loopfuse/conversation';
import { counted } from 'loopfuse/words';
import type { Report } from './report.js';

/** Why a run ended, as a sentence for the user; `undefined` if it was done. */
export function why({ status, loop, turnLimit, interruptedBy, refused, error }: Report): string | undefined {
  switch (status) {
    case 'done':
      return undefined;
    case 'cut-off':
      return 'The answer was cut off at the output limit for one turn. Raise maxOutputTokens, or ask for less.';
    case 'filtered':
      return "The answer was cut off by the provider's content filter.";
    case 'empty':
      return 'The answer of the model was empty. If that happens again, check the model and the address.';
    case 'needs-approval':
      return `${counted(refused.length, 'call')} needed approval, which nobody could give: ${refused.map(({ tool, title }) => `${tool} (${title})`).join(', ')}. --approval auto-edit lets edits run, except those of configuration files; yolo lets everything run.`;
    case 'loop':
      return loop === undefined
        ? 'Stopped because of a loop.'
        : `Stopped because of a loop (${loop.kind}). ${explanationWithCost(loop.explanation, loop.waste)}`;
    case 'turn-limit':
      return `Stopped after ${counted(turnLimit ?? 0, 'turn')}, the most that one request may take. Raise it with --max-turns.`;
    case 'interrupted':
      if (interruptedBy === 'closed-output') return 'Interrupted: nobody reads the output any more.';
      return interruptedBy === undefined ? 'Interrupted.' : `Interrupted by ${interruptedBy}.`;
    case 'error':
      return `The request failed: ${error?.message ?? 'the run broke off'}`;
  }
}
