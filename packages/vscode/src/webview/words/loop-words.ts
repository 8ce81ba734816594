import type { Choice, LoopKind } from 'loopfuse';
import type { HaltedLoop } from '../../protocol/index.js';

/** What has happened, for each kind of loop; what exactly repeated is told by the report's explanation below it. */
const stories: { readonly [Kind in LoopKind]: string } = {
  'repeated-calls': 'The agent kept making one call that had already been answered.',
  cycle: 'The agent went round the same few calls, in the same order, again and again.',
  'repeated-failure': 'The agent ran into one error over and over and kept trying.',
  'same-outcome': 'The agent asked in one way after another, and each brought the same.',
  oscillation: 'The agent made a change, took it back, and made it again.',
  chanting: 'The answer got stuck: the model was writing the same words over and over.',
  circling: 'The model’s thinking went in circles and came to nothing new.',
  monologue: 'The agent gave the same message again instead of doing something.',
  stall: 'The agent was busy, and nothing came of it.',
  judged: 'A second model read along and found that the agent was stuck.',
  budget: 'The request has used up what it was allowed.',
};

export function storyOf(kind: string): string {
  return Object.hasOwn(stories, kind) ? stories[kind as LoopKind] : 'The agent went in circles.';
}

/** The same question, whichever face asks it: what a choice is called and what comes of it. */
export function choiceWords(choice: Choice, report: HaltedLoop): { readonly label: string; readonly about: string } {
  switch (choice) {
    case 'stop':
      return { label: 'Stop', about: 'You say what comes next.' };
    case 'continue':
      return { label: 'Continue once', about: 'Asks again when the loop builds up anew.' };
    case 'hint':
      return { label: 'Continue with a hint', about: 'You type it, and the model goes on with it.' };
    case 'exempt':
      return { label: `Never flag ${toolsIn(report).join(', ')}`, about: 'In this session.' };
    case 'disable':
      return {
        label: 'Switch detection off',
        about: report.resumes === false ? 'For this session; then send it again.' : 'For this session.',
      };
  }
}

/** What has come of a choice. */
export function consequence(choice: string, report: HaltedLoop): string {
  const goingOn = report.resumes === false ? 'Send it again' : 'Going on';
  switch (choice) {
    case 'stop':
      return 'Stopped. Say what to do instead.';
    case 'continue':
      return `${goingOn}, once: the loop must build up anew before you are asked again.`;
    case 'hint':
      return `${goingOn} with your hint.`;
    case 'exempt':
      return `${goingOn}: ${toolsIn(report).join(', ')} is not flagged any more in this session.`;
    case 'disable':
      return `${goingOn}: loop detection is off for this session.`;
    default:
      return `Chosen: ${choice}.`;
  }
}

const known: readonly string[] = ['stop', 'continue', 'hint', 'exempt', 'disable'] satisfies Choice[];

/** What is offered. Whatever the report says, a person can always stop. */
export function offered({ choices }: HaltedLoop): readonly Choice[] {
  const sound = choices.filter((choice) => known.includes(choice));
  return sound.length > 0 ? sound : ['stop'];
}

export function toolsIn({ findings }: HaltedLoop): readonly string[] {
  return [...new Set(findings.flatMap(({ tools }) => tools ?? []))];
}
