import { type Action, callFor, type Part, type Script, saw, say } from '@loopfuse/model-server';

/** What the agent is asked for. */
export const request = 'The test fails. Please make it pass.';

/** The workspace: a function with a fault, and a test that finds it. */
export const files: Readonly<Record<string, string>> = {
  'invoice.mjs': `export function total(lines) {
  return lines.reduce((sum, line) => sum + Math.round(line.price * line.count), 0);
}
`,
  'test.mjs': `import { total } from './invoice.mjs';

const sum = total([{ price: 10.4, count: 1 }, { price: 20.4, count: 1 }]);
if (sum !== 31) {
  console.log(\`Error: the total is \${sum}, expected 31\`);
  process.exit(1);
}
console.log('1 passed');
`,
};

const rounded = '  return Math.round(lines.reduce((sum, line) => sum + line.price * line.count, 0));';
const right = '  return lines.reduce((sum, line) => sum + Math.round(line.price * line.count), 0);';
/** What the model believes to be there. */
const wrong = '  return lines.reduce((sum, line) => sum + Math.round(line.price), 0);';

const test: Action = { shell: 'node test.mjs' };
const look: Action = { read: 'invoice.mjs' };

function edit(old_string: string): Part {
  return { call: { tool: 'replace', input: { path: 'invoice.mjs', old_string, new_string: rounded } } };
}

/** What a stuck model says: each time it is sure. */
const excuses = [
  'It rounds every line. It should round once, at the end.',
  'The edit did not match. I apply it again, more carefully.',
  'I see the problem: the white space. This one will match.',
];

/** Sends the same rejected edit over and over, until it is warned; then it looks at the file and gets it right. */
export const listens: Script = (turn) => {
  const { turn: nth } = turn;
  if (nth === 0) return { parts: [callFor(turn, test)] };
  if (!saw(turn, '[Loop guard]')) return { parts: [{ text: excuses[(nth - 1) % excuses.length]! }, edit(wrong)] };
  switch (nth) {
    case 4:
      return { parts: [{ text: 'I keep sending the same edit. What is really there?' }, callFor(turn, look)] };
    case 5:
      return { parts: [{ text: 'I had left out the count.' }, edit(right)] };
    case 6:
      return { parts: [callFor(turn, test)] };
    default:
      return say('The test passes: the total is rounded once, at the end.');
  }
};

const promises = [
  'Understood. I have corrected it, so it works now.',
  'My apologies. This is the edit with the right text.',
];

/** Sends the same rejected edit for ever, whatever it reads. */
export const doesNotListen: Script = (turn) => {
  const promise = promises[turn.turn - excuses.length];
  return { parts: [...(promise === undefined ? [] : [{ text: promise }]), edit(wrong)] };
};
