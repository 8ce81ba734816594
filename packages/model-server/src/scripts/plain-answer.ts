import { isSideRequest } from '@loopfuse/wire';
import { type Reply, type Script, say } from '../reply.js';
import { validValue } from '../tools/valid-value.js';
import type { TurnRequest } from '../turn.js';

/** The short answer to a side request: a title, a summary, or JSON where the request wants JSON. */
export function plainAnswer({ schema }: Pick<TurnRequest, 'schema'>): Reply {
  return say(schema === undefined ? 'A short piece of work' : JSON.stringify(validValue(schema)));
}

/** Plays the script where the model has tools to work with; agents ask for titles and summaries without any. */
export function onlyWithTools(script: Script): Script {
  return (turn) => (turn.tools.length === 0 ? plainAnswer(turn) : script(turn));
}

/** Plays the script except where an agent asks for a title, a summary or JSON on the side. */
export function exceptOnTheSide(script: Script): Script {
  return (turn) => (isSideRequest(turn) ? plainAnswer(turn) : script(turn));
}
