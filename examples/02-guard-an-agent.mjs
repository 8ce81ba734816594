// Guard an agent loop: the guard sees every event and answers with a decision. The agent here is a toy with a scripted
// model and a real tool, but the loop is the one you have: ask the model, run its calls, repeat. The model keeps sending
// an edit that does not match; when the guard steers it, it reads the file, and gets on.
//
// Prints: steered: The call edit (price.txt) was made 3 times in a row
// Prints: done: 19.99
// Prints: steered 1 time, stopped 0 times
import { createGuard, interactive } from 'loopfuse';
import { balanced } from 'loopfuse/presets';

const files = new Map([['price.txt', 'price = 18.99']]);
const tools = {
  read: ({ path }) => files.get(path) ?? fail(`${path} does not exist`),
  edit({ path, old, text }) {
    const before = tools.read({ path });
    if (!before.includes(old)) fail(`the text to replace was not found in ${path}`);
    files.set(path, before.replace(old, text));
    return `${path} was changed`;
  },
};

/** Stands in for a model: an edit of what it believes is in the file, until somebody tells it to look. */
function model(history) {
  const steered = history.some(({ role }) => role === 'steer');
  const last = history.at(-1);
  if (last?.text?.endsWith('was changed')) return { text: 'Done.' };
  if (!steered) return { text: 'This will do it.', call: edit('price: 18.99', 'price: 19.99') };
  if (last?.tool === 'read')
    return { text: 'There is an equals sign in it.', call: edit('price = 18.99', 'price = 19.99') };
  return { text: 'I should look at the file.', call: { tool: 'read', input: { path: 'price.txt' } } };
}

const guard = createGuard({ detectors: balanced(), policy: interactive });
const history = [];
const count = { steer: 0, stop: 0 };

/** Shows the guard an event and carries out what it decides. Answers whether the agent may go on. */
function show(event) {
  const decision = guard.observe(event);
  switch (decision.type) {
    case 'allow':
      return true;
    case 'steer': // tell the model, and let it go on
      console.log(`steered: ${decision.message}`);
      count.steer++;
      history.push({ role: 'steer', text: decision.message });
      return guard.observe({ type: 'steer', text: decision.message }).type === 'allow';
    case 'block': // do not run this call; its result is the message
      history.push({ role: 'tool', tool: event.tool, text: decision.message });
      return false;
    case 'ask': // hand it to the person: guard.release(…) lets the agent go on
    case 'stop':
      console.log(`stopped: ${decision.type === 'ask' ? decision.question.message : decision.reason}`);
      count.stop++;
      return false;
    default: // rewind and escalate: this policy does not choose them
      return true;
  }
}

show({ type: 'prompt', text: 'Set the price to 19.99.' });
for (let turn = 1; turn <= 12 && guard.circuit.state !== 'open'; turn++) {
  show({ type: 'turn-start' });
  const { text, call } = model(history);
  console.log(`model:   ${text}`);
  show({ type: 'text', text });
  if (call === undefined) break;
  const id = `call-${turn}`;
  if (!show({ type: 'tool-call', id, ...call })) continue;
  const { output, failed } = run(call);
  console.log(`${call.tool}:    ${output}`);
  history.push({ role: 'tool', tool: call.tool, text: output });
  show({ type: 'tool-result', id, output, failed });
}
console.log(`done: ${tools.read({ path: 'price.txt' }).split(' = ')[1]}`);
console.log(`steered ${count.steer} time, stopped ${count.stop} times`);

function run({ tool, input }) {
  try {
    return { output: tools[tool](input), failed: false };
  } catch (error) {
    return { output: `Error: ${error.message}`, failed: true };
  }
}

function edit(old, text) {
  return { tool: 'edit', input: { path: 'price.txt', old, text } };
}

function fail(message) {
  throw new Error(message);
}
