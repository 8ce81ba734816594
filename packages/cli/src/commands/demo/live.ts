import { perform, rehearse } from './perform.js';
import type { Scene } from './scene.js';
import { openStage } from './stage.js';
import { doesNotListen, files, listens, request } from './story.js';

/** The turn limit of the agent without a guard. */
const turnLimit = 40;

/** The real agent, twice: with a model that recovers after a message about the loop, and with one that does not. */
export async function* live(): AsyncGenerator<Scene> {
  const stage = await openStage(files);
  try {
    yield { type: 'opens', title: 'A model that listens' };
    yield* perform(await stage.agent(listens), request);
    yield { type: 'opens', title: 'The same request, and a model that does not' };
    const guarded = yield* perform(await stage.agent(doesNotListen), request, { again: true });
    const alone = await rehearse(await stage.agent(doesNotListen, { guarded: false, maxTurns: turnLimit }), request);
    yield { type: 'saves', guarded, alone };
  } finally {
    await stage.close();
  }
}
