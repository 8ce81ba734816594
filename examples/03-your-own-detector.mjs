// A detector of your own: it sees an agent that begins turn after turn with an apology. A detector is a value made of
// pure functions; its state is plain JSON that the engine owns, so snapshots and resuming work without a further word.
//
// Prints: silent after 2 apologies
// Prints: has apologised 3 turns in a row
import { createWatch, defineDetector } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

/** Sees `times` turns in a row that begin with an apology. */
function apologies({ times = 3 } = {}) {
  if (!Number.isInteger(times) || times < 2)
    throw new RangeError(`apologies: times must be an integer of at least 2, got ${times}`);
  const fresh = () => ({ opening: '', opened: -1, streak: 0, onset: -1 });
  return defineDetector({
    name: 'apologies',
    reads: ['prompt', 'text', 'turn-end'],
    start: fresh,
    observe(state, event, seq) {
      if (event.type === 'prompt') Object.assign(state, fresh());
      else if (event.type === 'text') {
        // A stream is cut anywhere, so nothing is looked for in a delta: the opening of the turn is gathered first.
        if (state.opened < 0) state.opened = seq;
        state.opening = (state.opening + event.text).slice(0, 40);
      } else {
        const { opened } = state;
        const sorry = /^\W*(sorry|apologies|my apologies|i apologi[sz]e|you('|’)re right)/i.test(state.opening);
        state.streak = sorry ? state.streak + 1 : 0;
        if (state.streak === 2) state.onset = opened; // the first repeat
        state.opening = '';
        state.opened = -1;
        if (state.streak >= times)
          return {
            kind: 'monologue',
            status: state.streak > times ? 'looping' : 'suspect',
            onset: state.onset,
            confidence: Math.min(0.95, 0.5 + 0.1 * state.streak),
            evidence: { turns: state.streak },
          };
      }
      return undefined;
    },
    explain: ({ turns }) => `The agent has apologised ${turns} turns in a row.`,
  });
}

// It goes beside ours; a preset is an ordinary list.
const watch = createWatch({ detectors: [...balanced(), apologies()] });

const turns = [
  ['Sor', 'ry about that. Trying again.'],
  ['My apologies', '! Once more.'],
  ['I apologise', '. Now it works.'],
];
for (const [count, deltas] of turns.entries()) {
  for (const text of deltas) watch.observe({ type: 'text', text });
  const verdict = watch.observe({ type: 'turn-end' });
  if (verdict.status === 'clear') console.log(`silent after ${count + 1} ${count === 0 ? 'apology' : 'apologies'}`);
  else for (const finding of verdict.findings) console.log(`${finding.status}: ${watch.explain(finding)}`);
}
