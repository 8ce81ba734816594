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
  talks: () => counted(() => ({ ...say(Array.from({ length: 400 }, (_, k) => `word${k}`).join(' ')), pace: { delay: 30 } })),
  runs: (command) =>
    counted(
      sequence([(turn) => ({ parts: [{ text: 'I run it.' }, callFor(turn, { shell: command })] }), say('It has run.')]),
    ),
  edits: () =>
    counted(
      sequence(
        [
          (turn) => ({
            parts: [{ text: 'I write it down.' }, callFor(turn, { write: 'notes.md', content: '# Notes\n\nIt adds.\n' })],
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
  explains: (text) => counted(() => ({ parts: [{ reasoning: 'They want to know what is wrong with the sum.' }, { text }] })),
  summarises: () => counted((turn) => (turn.tools.length === 0 ? say('It adds.') : say(`Yes. ${'It adds. '.repeat(300)}`))),
};

function counted(script) {
  return async (turn) => ({ usage: { inputTokens: 1000 + 100 * turn.turn, outputTokens: 20 }, ...(await script(turn)) });
}
