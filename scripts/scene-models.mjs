import { callFor, loopsForever, saw, say, sequence } from '@loopfuse/model-server';

/** What a model says that has much to show. */
export const markdown = `# What is wrong

The **sum** is wrong in \`total()\`: it rounds *every* line.

1. Round once, at the end
2. Run the tests
   - unit
   - slow

\`\`\`ts
return round(lines.reduce((sum, line) => sum + line.price, 0));
\`\`\`

| file | what it is for | lines |
|---|---|--:|
| src/invoice.ts | sums up | 120 |
| src/round.ts | rounds | 8 |
`;

/** Models for the scenes of the terminal and of the editor alike. */
export const sceneModels = {
  loops: () => counted(loopsForever()),
  /** Gives in after so many turns, so that a model that nobody stops comes to an end. */
  loopsForAWhile: (rounds = 8) => counted(loopsForever({ rounds })),
  /** Loops until somebody mentions the sources. */
  takesAHint: () =>
    counted((turn) => (saw(turn, 'sources') ? say('The sources say: `main` adds two numbers.') : loopsForever()(turn))),
  runs: (command) =>
    counted(
      sequence([(turn) => ({ parts: [{ text: 'I run it.' }, callFor(turn, { shell: command })] }), say('It has run.')]),
    ),
  /** Writes a file, then changes another. */
  edits: () =>
    counted(
      sequence(
        [
          (turn) => ({
            parts: [
              { text: 'I write it down.' },
              callFor(turn, { write: 'notes.md', content: '# Notes\n\nIt adds.\n' }),
            ],
          }),
          () => ({
            parts: [
              { call: { tool: 'replace', input: { path: 'src/index.js', old_string: 'a + b', new_string: 'b + a' } } },
            ],
          }),
        ],
        { afterwards: () => say('That is all.') },
      ),
    ),
  explains: (text) =>
    counted(() => ({ parts: [{ reasoning: 'They want to know what is wrong with the sum.' }, { text }] })),
};

/** Tokens in round numbers, so that captures and pictures stay as they are. */
export function counted(script) {
  return async (turn) => ({
    usage: { inputTokens: 1000 + 100 * turn.turn, outputTokens: 20 },
    ...(await script(turn)),
  });
}
