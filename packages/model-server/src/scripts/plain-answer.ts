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

/** A request that offers no tools and wants JSON, or says that it wants a title, a topic or a summary. */
export function isSideRequest({ tools, schema, system, messages }: TurnRequest): boolean {
  if (tools.length > 0) return false;
  if (schema !== undefined) return true;
  const asked = `${system}\n${messages.at(-1)?.text ?? ''}`;
  return /\b(title|topic|summari[sz]e|summary)\b/i.test(asked);
}
