import { type Script, say } from '../reply.js';
import { validValue } from '../tools/valid-value.js';
import { plainAnswer } from './plain-answer.js';

export interface JudgeOptions {
  readonly analysis?: string;
  /** The script for requests without structured output. */
  readonly otherwise?: Script;
}

/**
 * The second opinion: to a request for structured output it answers with this confidence and an analysis, under
 * the names that the schema has for them; also if the schema is that of a tool that must be called.
 */
export function judge(
  confidence: number,
  {
    analysis = confidence > 0.5 ? 'The same step is taken again and again.' : 'The work moves on.',
    otherwise = plainAnswer,
  }: JudgeOptions = {},
): Script {
  if (!(confidence >= 0 && confidence <= 1))
    throw new RangeError(`judge: confidence must be a number from 0 to 1, got ${String(confidence)}`);
  return (turn) => {
    const forced = turn.tools.find(({ name }) => name === turn.forced);
    const schema = turn.schema ?? forced?.parameters;
    if (schema === undefined) return otherwise(turn);
    const opinion = validValue(schema, (name, { type }) => {
      if (type === 'number' || /confidence/i.test(name)) return confidence;
      return type === 'string' || /analysis|reason/i.test(name) ? analysis : undefined;
    });
    return turn.schema === undefined && forced
      ? { parts: [{ call: { tool: forced.name, input: opinion } }] }
      : say(JSON.stringify(opinion));
  };
}
