import type { ClientEvent } from '@loopfuse/agent';
import { assertNever, type LoopKind, loopKinds, type Waste } from 'loopfuse';
import { counted, grouped } from 'loopfuse/words';

/** What the guard did, or only saw, without halting the request. */
export type GuardStep = 'suspected' | 'told' | 'refused' | 'rewound' | 'escalated' | 'shadowed';

/** One line about the guard in a conversation. */
export interface GuardNotice {
  readonly what: GuardStep;
  readonly kind: LoopKind;
  readonly title: string;
  readonly explanation: string;
  readonly waste: Waste;
  /** What was done, as the end of a sentence that begins with the title: "the model was told". */
  readonly done: string;
  /** The message to the model, if there was one. */
  readonly message?: string;
  /** The id of the rounds that were removed from the model's context, for putting them back. */
  readonly takenOut?: string;
}

export type GuardEvent = Extract<
  ClientEvent,
  { type: 'loop-suspected' | 'loop-steered' | 'loop-rewound' | 'loop-escalated' | 'loop-shadowed' }
>;

export function guardNotice(event: GuardEvent): GuardNotice {
  switch (event.type) {
    case 'loop-suspected': {
      const { finding, explanation } = event;
      const { kind, waste } = finding;
      return { what: 'suspected', kind, title: loopKinds[kind].title, explanation, waste, done: 'a loop is suspected' };
    }
    case 'loop-steered': {
      const { kind, title, explanation, waste, message, blocked } = event;
      const what = blocked === undefined ? 'told' : 'refused';
      const done = blocked === undefined ? 'the model was told' : 'a call was refused, and the model was told why';
      return { what, kind, title, explanation, waste, done, message };
    }
    case 'loop-rewound': {
      const { kind, title, explanation, waste, note, rounds, tokens, id } = event;
      const done = `${counted(rounds, 'round')} removed from the context of the model (about ${grouped(tokens)} tokens); files are unchanged`;
      return { what: 'rewound', kind, title, explanation, waste, done, message: note, takenOut: id };
    }
    case 'loop-escalated': {
      const { kind, title, explanation, waste, to } = event;
      return { what: 'escalated', kind, title, explanation, waste, done: `${to.model} takes the next turn` };
    }
    case 'loop-shadowed': {
      const { kind, title, explanation, waste, decision } = event;
      return {
        what: 'shadowed',
        kind,
        title,
        explanation,
        waste,
        done: `nothing was done; ${wouldHave[decision.type]}`,
      };
    }
    default:
      return assertNever(event, 'guardNotice');
  }
}

const wouldHave: { readonly [Type in Extract<GuardEvent, { type: 'loop-shadowed' }>['decision']['type']]: string } = {
  steer: 'the model would have been told',
  block: 'the call would have been refused',
  rewind: 'the loop would have been removed from the context of the model',
  escalate: 'a stronger model would have taken the next turn',
  ask: 'you would have been asked',
  stop: 'the request would have been stopped',
};

/** The notice in one line: the kind of loop, what was done, what repeats, what it has cost. */
export function noticeInWords({ title, done, explanation, waste }: GuardNotice): string {
  return `${title}: ${done}. ${explanationWithCost(explanation, waste)}`;
}

/** "The call … was made 3 times. Spent on it: 1,200 tokens, about $0.01." */
export function explanationWithCost(explanation: string, waste: Waste, dollars = ''): string {
  const spent = [spentInWords(waste), dollars === '' ? '' : `about ${dollars}`].filter((part) => part !== '');
  return spent.length === 0 ? explanation : `${explanation} Spent on it: ${spent.join(', ')}.`;
}

/**
 * The tokens that a loop has used. Empty where they are not known. Only the explanation says how many times something
 * repeated: the calls of the waste do not count the first one, but count calls that were not run, so the two numbers
 * differ.
 */
export function spentInWords({ tokens }: Waste): string {
  return tokens > 0 ? `${grouped(tokens)} tokens` : '';
}
