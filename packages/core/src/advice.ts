import type { LoopKind } from './finding.js';

/** The name of each kind of loop for users, and the advice to the model. The one place that distinguishes the kinds. */
export const loopKinds: { readonly [Kind in LoopKind]: { readonly title: string; readonly advice: string } } = {
  'repeated-calls': {
    title: 'Repeated calls',
    advice: 'Calling it again will bring the same answer. Use the result you already have, or do something different.',
  },
  cycle: {
    title: 'A cycle of calls',
    advice: 'Going round again will not change anything. Say what you are missing, and get it in another way.',
  },
  'repeated-failure': {
    title: 'The same failure again',
    advice:
      'Do not send it again in this form. Read the error, find its cause, and check your assumptions before you retry.',
  },
  'same-outcome': {
    title: 'Different calls, the same outcome',
    advice:
      'Varying the arguments has not helped. Question what you are looking for or where, or report what you found.',
  },
  oscillation: {
    title: 'Back and forth',
    advice: 'You are undoing and redoing the same change. Decide for one version, say why, and go on from there.',
  },
  chanting: { title: 'Chanting', advice: 'Stop repeating. Say the next new thing, or finish.' },
  circling: {
    title: 'Circling in thought',
    advice: 'You have thought this before. Take the best conclusion so far and act on it.',
  },
  monologue: {
    title: 'The same message again',
    advice: 'You have said this already. Take an action, or say what you need from the user.',
  },
  stall: {
    title: 'No progress',
    advice: 'Nothing new has come of the last steps. Sum up what you know and choose a different approach.',
  },
  judged: {
    title: 'Judged to be stuck',
    advice: 'Take a step back: compare what you have done with what was asked, and choose a different approach.',
  },
  budget: { title: 'Budget used up', advice: 'Finish with what you have, and say what is missing.' },
};
