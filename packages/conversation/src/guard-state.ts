/** The states of the loop guard that every user interface shows. */
export const guardStates = ['watching', 'suspicious', 'steered', 'halted', 'off'] as const;
export type GuardState = (typeof guardStates)[number];

/** A sentence for each state, where there is room for one. */
export const guardStateWords: { readonly [State in GuardState]: string } = {
  watching: 'The loop guard is watching.',
  suspicious: 'The loop guard suspects a loop and watches more closely.',
  steered: 'The loop guard has acted on a loop. The agent continues, and the guard still watches it.',
  halted: 'The loop guard has stopped the request.',
  off: 'Loop detection is off for this session.',
};

/** The next state. `off` never changes. */
export function nextGuardState(now: GuardState, next: GuardState): GuardState {
  return now === 'off' ? now : next;
}
