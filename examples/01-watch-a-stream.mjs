// Watch a session, event by event, and be told when it goes round in circles.
// A watch only judges. What to do about a loop is up to you, or to a guard (see 02).
//
// Prints: event 3: clear
// Prints: looping  (tool-result)
// Prints: with the same result each time
import { createWatch } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

const watch = createWatch({ detectors: balanced() });

// What your agent does, as events. A stream of text may be cut anywhere; calls and results are joined by their ids.
function* session() {
  yield { type: 'prompt', text: 'Where is the retry limit set?' };
  yield { type: 'text', text: 'Let me search ' };
  yield { type: 'text', text: 'for it.' };
  for (let round = 1; round <= 5; round++) {
    yield { type: 'tool-call', id: `call-${round}`, tool: 'grep', input: { pattern: 'RETRY_LIMIT', path: 'src' } };
    yield { type: 'tool-result', id: `call-${round}`, output: 'src/http.ts:12: import { RETRY_LIMIT } from "./env";' };
  }
}

for (const event of session()) {
  const verdict = watch.observe(event);
  console.log(`event ${watch.seq - 1}: ${verdict.status}  (${event.type})`);
  if (verdict.status !== 'looping') continue;
  for (const finding of verdict.findings) console.log(`  ${finding.detector}: ${watch.explain(finding)}`);
}
