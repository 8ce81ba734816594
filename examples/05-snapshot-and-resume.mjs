// Stop anywhere, keep the session as JSON, go on elsewhere: the future is the same as if nothing had happened. This is
// how a gateway with many workers, or an agent that is restarted, keeps watching.
//
// Prints: the same verdicts: true
// Prints: resumed session: looping at event
// Prints: a broken snapshot is told of, and the watch works all the same
import { createWatch, resumeWatch } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

const options = { detectors: balanced() };
const events = [{ type: 'prompt', text: 'Install the package.' }];
for (let round = 1; round <= 5; round++) {
  events.push({ type: 'tool-call', id: `c${round}`, tool: 'shell', input: { command: 'pip install lodestar' } });
  const output = 'ERROR: No matching distribution found for lodestar';
  events.push({ type: 'tool-result', id: `c${round}`, output, failed: true });
}

const whole = createWatch(options);
const expected = events.map((event) => whole.observe(event).status);

const first = createWatch(options);
const until = 4; // in the middle of a call: any event will do
const verdicts = events.slice(0, until).map((event) => first.observe(event).status);
const saved = JSON.stringify(first.snapshot());
console.log(`snapshot: ${saved.length} characters of JSON after ${until} events`);

const second = resumeWatch(options, JSON.parse(saved));
for (const event of events.slice(until)) verdicts.push(second.observe(event).status);
console.log(`the same verdicts: ${verdicts.join() === expected.join()}`);
console.log(`resumed session: looping at event ${verdicts.indexOf('looping')}`);

// What cannot be read starts from scratch and is reported; nothing throws at the agent.
const faults = [];
const third = resumeWatch({ ...options, onFault: (fault) => faults.push(fault.message) }, { version: 99 });
third.observe(events[0]);
if (faults.length > 0) console.log(`a broken snapshot is told of, and the watch works all the same: ${faults[0]}`);
