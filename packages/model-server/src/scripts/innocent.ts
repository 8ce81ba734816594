import { type Script, say } from '../reply.js';
import type { Action } from '../tools/action.js';
import { callFor } from '../tools/call-for.js';
import { onlyWithTools } from './plain-answer.js';

interface Move {
  readonly says: string;
  readonly does: Action;
}

const moves: readonly Move[] = [
  { says: 'I start with the readme.', does: { read: 'README.md' } },
  { says: 'Now the manifest.', does: { read: 'package.json' } },
  { says: 'Where is the function used?', does: { search: 'main' } },
  { says: 'Here is the source.', does: { read: 'src/index.js' } },
  {
    says: 'I write a check for it.',
    does: {
      write: 'check.mjs',
      content:
        "import { main } from './src/index.js';\nif (main(2, 3) !== 5) throw new Error('wrong sum');\nconsole.log('1 passed');\n",
    },
  },
  { says: 'And run it.', does: { shell: 'node check.mjs' } },
];

/** A few different reads, an edit, a run of the tests, an answer: work that must not be stopped. */
export function innocent({ answer = 'The function adds two numbers, and the new check passes.' } = {}): Script {
  return onlyWithTools((turn) => {
    const move = moves[turn.turn];
    if (!move) return say(answer);
    return { parts: [{ reasoning: `Next: ${move.says}` }, { text: move.says }, callFor(turn, move.does)] };
  });
}
