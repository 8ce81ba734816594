import { ancestorSchedule as theirs } from 'loopfuse/presets';
import type { Schedule } from './schedule.js';

type State = { readonly [Name in keyof ReturnType<typeof theirs.startSchedule>]: number };

/**
 * When the ancestors ask: before turn 30 of a request, then every three turns until there is an answer, and after an
 * answer in 5 to 15 turns, the sooner the surer it was. Findings do not matter.
 */
export const ancestorSchedule: Schedule<State> & Schedule = {
  start: () => ({ ...theirs.startSchedule() }),
  next(state: State, event) {
    switch (event.type) {
      case 'prompt':
        return { ...theirs.startSchedule() };
      case 'turn-start':
        return { ...theirs.countTurn(state) };
      case 'opinion':
        return { ...theirs.afterAnswer(state, event.confidence) };
      default:
        return state;
    }
  },
  isDue: (state: State) => theirs.isDue(state),
};
