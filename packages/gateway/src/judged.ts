import type { Judge } from '@loopfuse/judge';
import type { Guard } from 'loopfuse';

/** A guard with a judge, which sees every event after the guard. */
export function judged(guard: Guard, judge: Judge): Guard {
  return {
    get circuit() {
      return guard.circuit;
    },
    get disabled() {
      return guard.disabled;
    },
    get verdict() {
      return guard.verdict;
    },
    observe(event) {
      const decision = guard.observe(event);
      judge.observe(event, guard.verdict);
      return decision;
    },
    release: (how) => guard.release(how),
    explain: (finding) => guard.explain(finding),
    snapshot: () => guard.snapshot(),
  };
}
