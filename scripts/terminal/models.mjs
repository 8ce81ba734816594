import { chants, say, thinksInCircles } from '@loopfuse/model-server';
import { counted, sceneModels } from '../scene-models.mjs';

/** Models that do what a scene needs. */
export const models = {
  ...sceneModels,
  chants: () => counted(chants({ pace: { cut: 12 } })),
  thinksInCircles: () => counted(thinksInCircles({ pace: { cut: 12 } })),
  /** Says a lot, slowly: for a minute, so that nobody comes too late to cancel it. */
  talks: () => counted(() => ({ ...say(words(2000)), pace: { delay: 30 } })),
  /** Runs a command that would do something later, in two processes that write down their numbers. */
  runsLong: (goesOn = 'sleep 120') =>
    sceneModels.runs(`sh -c 'echo $$ > inner; sleep 60; touch later' & echo $$ > outer; echo begun; ${goesOn}`),
  /** Loops until a judge of the ancestors was asked once; the model `name` judges as the script says. */
  judgedBy(name, script) {
    const loops = sceneModels.loopsForAWhile(31);
    return (turn) => (turn.model === name ? script(turn) : loops(turn));
  },
  summarises: () =>
    counted((turn) => say(turn.tools.length === 0 ? 'They asked whether it adds. It does.' : words(300))),
};

/** Words that do not repeat. */
function words(count) {
  return Array.from({ length: count }, (_, k) => `word${(k * 7919) % 10007}`).join(' ');
}
