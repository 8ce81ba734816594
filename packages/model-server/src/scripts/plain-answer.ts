import { isSideRequest } from '@loopfuse/wire';
import { type Reply, type Script, say } from '../reply.js';
import { validValue } from '../tools/valid-value.js';
import type { TurnRequest } from '../turn.js';

/** The short answer to a side request: a title, a summary, or JSON if the request requires it. */
export function plainAnswer({ schema }: Pick<TurnRequest, 'schema'>): Reply {
  return say(schema === undefined ? 'A short piece of work' : JSON.stringify(validValue(schema)));
}

/** Plays the script if the request has tools; agents request titles and summaries without tools. */
export function onlyWithTools(script: Script): Script {
  return (turn) => (turn.tools.length === 0 ? plainAnswer(turn) : script(turn));
}

/** Plays the script, except for side requests for a title, a summary or JSON. */
export function exceptOnTheSide(script: Script): Script {
  return (turn) => (isSideRequest(turn) ? plainAnswer(turn) : script(turn));
}
