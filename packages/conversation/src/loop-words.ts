import type { HaltReport } from '@loopfuse/agent';
import type { Choice, LoopKind } from 'loopfuse';
import { dollars } from 'loopfuse/words';
import { explanationWithCost } from './guard-notice.js';

/** What happened, for each kind of loop. The explanation of the report says what exactly repeated. */
const stories: { readonly [Kind in LoopKind]: string } = {
  'repeated-calls': 'The agent kept making one call that had already been answered.',
  cycle: 'The agent repeated the same few calls in the same order.',
  'repeated-failure': 'The agent kept trying, with the same error each time.',
  'same-outcome': 'The agent asked in different ways, and got the same result each time.',
  oscillation: 'The agent made a change, took it back, and made it again.',
  chanting: 'The answer got stuck: the model was writing the same words over and over.',
  circling: 'The model’s thinking went in circles without anything new.',
  monologue: 'The agent gave the same message again instead of doing something.',
  stall: 'The agent made calls without progress.',
  judged: 'A second model judged that the agent was stuck.',
  budget: 'The request has reached its budget.',
};

export function storyOf(kind: string): string {
  return Object.hasOwn(stories, kind) ? stories[kind as LoopKind] : 'The agent went in circles.';
}

/** The parts of a report that the texts need. Reports that come through a protocol may be of another version. */
export interface LoopFacts {
  readonly findings: readonly { readonly tools?: readonly string[] }[];
  /** Whether a choice other than `stop` continues the request by itself. */
  readonly resumes?: boolean | undefined;
}

export interface ChoiceWords {
  readonly label: string;
  /** What the choice does. */
  readonly about: string;
  /** For a row of buttons. */
  readonly short: string;
}

/** The name of a choice and what it does, the same in every user interface. */
export function choiceWords(choice: Choice, loop: LoopFacts): ChoiceWords {
  switch (choice) {
    case 'stop':
      return { label: 'Stop', about: 'You say what comes next.', short: 'Stop' };
    case 'continue':
      return { label: 'Continue once', about: 'Asks again if the loop repeats.', short: 'Continue' };
    case 'hint':
      return { label: 'Continue with a hint', about: 'You type it.', short: 'Hint…' };
    case 'exempt': {
      const tools = toolsIn(loop);
      const [tool = ''] = tools;
      const short = tools.length === 1 && tool.length <= 12 ? `Exempt ${tool}` : 'Exempt Tools';
      return { label: `Never flag ${tools.join(', ')}`, about: 'In this session.', short };
    }
    case 'disable': {
      const about = loop.resumes === false ? 'For this session; then send it again.' : 'For this session.';
      return { label: 'Switch detection off', about, short: 'Switch Off' };
    }
  }
}

/** What a choice has done. */
export function consequence(choice: string, loop: LoopFacts): string {
  const goingOn = loop.resumes === false ? 'Send it again' : 'Continuing';
  switch (choice as Choice) {
    case 'stop':
      return 'Stopped. Say what to do instead.';
    case 'continue':
      return `${goingOn} once: you are asked again only if the loop repeats.`;
    case 'hint':
      return `${goingOn} with your hint.`;
    case 'exempt':
      return `${goingOn}: ${toolsIn(loop).join(', ')} is not flagged any more in this session.`;
    case 'disable':
      return `${goingOn}: loop detection is off for this session.`;
    default:
      return `Chosen: ${choice}.`;
  }
}

/** All choices. */
export const choices = ['stop', 'continue', 'hint', 'exempt', 'disable'] as const satisfies readonly Choice[];

/** The choices of a report that are known. The user can always stop. */
export function offered(loop: { readonly choices: readonly string[] }): readonly Choice[] {
  const sound = loop.choices.flatMap((one) => choices.filter((choice) => choice === one));
  return sound.length > 0 ? sound : ['stop'];
}

export function toolsIn({ findings }: LoopFacts): readonly string[] {
  return [...new Set(findings.flatMap(({ tools }) => tools ?? []))];
}

/** The loop in one line, where there is no card: its kind, what repeats, how many times, and what it has cost. */
export function loopInOneLine(
  { title, explanation, waste }: Pick<HaltReport, 'title' | 'explanation' | 'waste'>,
  cost?: number | undefined,
): string {
  return `${title}: ${explanationWithCost(explanation, waste, cost === undefined ? '' : dollars(cost))}`;
}
