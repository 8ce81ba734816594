import { callFor, chants, loopsForever, saw, say, sequence, thinksInCircles } from '@loopfuse/model-server';

/** Models that do what a scene needs. Their tokens are counted in round numbers, so that captures stay as they are. */
export const models = {
  loops: () => counted(loopsForever()),
  /** Gives in after eight turns, so that a model that nobody stops comes to an end. */
  loopsForAWhile: () => counted(loopsForever({ rounds: 8 })),
  /** Loops until somebody mentions the sources. */
  takesAHint: () =>
    counted((turn) => (saw(turn, 'sources') ? say('The sources say: `main` adds two numbers.') : loopsForever()(turn))),
  chants: () => counted(chants({ pace: { cut: 12 } })),
  thinksInCircles: () => counted(thinksInCircles({ pace: { cut: 12 } })),
  /** Says a lot, slowly. */
  talks: () => counted(() => ({ ...say(words(400)), pace: { delay: 30 } })),
  runs: (command) =>
    counted(
      sequence([(turn) => ({ parts: [{ text: 'I run it.' }, callFor(turn, { shell: command })] }), say('It has run.')]),
    ),
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
  summarises: () =>
    counted((turn) => say(turn.tools.length === 0 ? 'They asked whether it adds. It does.' : words(300))),
};

/** Words that do not repeat. */
function words(count) {
  return Array.from({ length: count }, (_, k) => `word${(k * 7919) % 10007}`).join(' ');
}

function counted(script) {
  return async (turn) => ({
    usage: { inputTokens: 1000 + 100 * turn.turn, outputTokens: 20 },
    ...(await script(turn)),
  });
}
