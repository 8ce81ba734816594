// What you know about your tools and no name can tell: which of their arguments matter, what they do, how often is too
// often, and which are never to be flagged. And exemptions that a person adds while the agent runs.
//
// Prints: check_job: clear
// Prints: roll_dice: clear
// Prints: ask_oracle: looping at round 2
// Prints: find_user: looping
// Prints: after "never flag ask_oracle": allow
import { createGuard, createWatch } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

const tools = {
  check_job: { effect: 'poll' }, // it waits for something else, and waiting is work
  roll_dice: { exempt: true }, // calls of it are never evidence
  ask_oracle: { times: 2 }, // to ask twice and get the same answer is a loop already
  'find_*': { identity: ['query'] }, // only the query tells two searches apart; the trace id does not
};

/** The same thing over and over, as far as the tool's rule goes. */
function* rounds(tool, inputOf, output, count = 6) {
  for (let round = 1; round <= count; round++) {
    const id = `${tool}-${round}`;
    yield { type: 'tool-call', id, tool, input: inputOf(round) };
    yield { type: 'tool-result', id, output };
  }
}

const sessions = {
  check_job: rounds('check_job', () => ({ job: 7 }), 'The build is in its second stage.'),
  roll_dice: rounds('roll_dice', () => ({ sides: 6 }), 'You rolled a four, which is an even number.'),
  ask_oracle: rounds('ask_oracle', () => ({ question: 'why' }), 'The oracle says that the reply is hazy today.'),
  find_user: rounds('find_user', (n) => ({ query: 'ada', trace: `t-${n}` }), 'Ada Lovelace, London, number 1815.'),
};
for (const [tool, events] of Object.entries(sessions)) {
  const watch = createWatch({ detectors: balanced(), tools });
  let looping;
  for (const event of events) if (watch.observe(event).status === 'looping') looping ??= Math.ceil(watch.seq / 2);
  console.log(`${tool}: ${looping === undefined ? 'clear' : `looping at round ${looping}`}`);
}

// At run time: the person who was asked says "never flag this tool again".
const guard = createGuard({ detectors: balanced(), tools });
const ask = () => [...rounds('ask_oracle', () => ({ question: 'why' }), 'The reply is hazy, as it was before.', 8)];
const before = ask().map((event) => guard.observe(event).type);
console.log(`decisions before: ${[...new Set(before)].join(', ')}`);
guard.release({ type: 'exempt', tool: 'ask_oracle' });
const after = ask().map((event) => guard.observe(event).type);
console.log(`after "never flag ask_oracle": ${[...new Set(after)].join(', ')}`);
