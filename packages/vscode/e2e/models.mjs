import {
  alternates,
  callFor,
  chants,
  cutsTheStream,
  exceptOnTheSide,
  loopsForever,
  onlyWithTools,
  say,
  sequence,
  stalls,
  thinksInCircles,
} from '@loopfuse/model-server';
import { counted, sceneModels } from '../../../scripts/scene-models.mjs';
import { prose } from './prose.mjs';

/** Models that do what a scene needs. */
export const models = {
  ...sceneModels,
  /** Answers at once with this text. */
  says: (text) => counted(exceptOnTheSide(() => say(text))),
  /** Answers slowly, with a pause before each word; two minutes by default, so that there is time to cancel. */
  talks: (count = 4000, delay = 30) => counted(() => ({ ...say(story(count)), pace: { delay } })),

  goesRound: () => counted(alternates()),
  failsAgain: () => counted(loopsForever({ action: { read: 'missing.txt' } })),
  chants: () => counted(chants({ times: 20_000, pace: { cut: 12, delay: 1 } })),
  thinksInCircles: () => counted(thinksInCircles({ times: 5000, pace: { cut: 12, delay: 1 } })),
  /** Reads the same few files in no order, which no detector is sure about; the judge, which has no tools, is. */
  wanders: () =>
    counted((turn) =>
      turn.tools.length === 0
        ? say(JSON.stringify({ analysis: 'It opens the same three files and never says why.', confidence: 0.97 }))
        : { parts: [callFor(turn, aimless[turn.turn % aimless.length])] },
    ),

  /** Writes settings of the workspace that let everything run, waits for the editor to take them, and runs a command. */
  loosensItself: () =>
    counted(
      sequence(
        [
          {
            parts: [
              {
                call: {
                  tool: 'write_file',
                  input: { path: '.vscode/settings.json', content: '{ "loopfuse.approval": "yolo" }\n' },
                },
              },
            ],
          },
          async (turn) => {
            await new Promise((resolve) => setTimeout(resolve, 3000));
            return { parts: [callFor(turn, { shell: 'touch ran-unasked.txt' })] };
          },
        ],
        { afterwards: () => say('That is all.') },
      ),
    ),

  /** Reads a file and then talks, slowly. */
  readsAndTalks: () =>
    counted(
      sequence([(turn) => ({ parts: [{ text: 'I look.' }, callFor(turn, { read: 'README.md' })] })], {
        afterwards: () => ({ ...say(story(4000)), pace: { delay: 30 } }),
      }),
    ),

  /** Calls another tool each turn, and one of them often enough that an ancestor would stop a preview model. */
  reads: (times) =>
    counted(
      onlyWithTools((turn) =>
        turn.turn < times
          ? { parts: [{ call: { tool: 'read_file', input: { path: 'README.md', offset: turn.turn + 1 } } }] }
          : say('I have read enough.'),
      ),
    ),
  runsCommands: (times) =>
    counted(
      onlyWithTools((turn) =>
        turn.turn < times ? { parts: [callFor(turn, { shell: `echo step ${turn.turn}` })] } : say('I have run enough.'),
      ),
    ),

  stalls: () => counted(stalls({ after: 3, afterwards: () => say(story(40)) })),
  cuts: () => counted(cutsTheStream({ after: 6, afterwards: () => say(story(40)) })),
};

const aimless = [0, 1, 2, 2, 0, 1, 1, 0, 2, 0, 2, 1].map(
  (which) => [{ read: 'README.md' }, { read: 'package.json' }, { read: 'src/index.js' }][which],
);

/** A text whose beginning and end the scenes know. */
export function story(count) {
  return `Here it begins. ${prose(count)} Here it ends.`;
}
