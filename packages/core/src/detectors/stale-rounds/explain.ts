import { messageTool } from '../../step/step.js';
import { inWords } from '../evidence.js';
import type { Stall } from './stalls.js';

export type StaleRoundsEvidence = {
  /**
   * Similar rounds; a change that is made and undone; many steps of all kinds without news; one failure that no change
   * fixes; searches that find nothing; polls that bring nothing; or a plan that is not carried out.
   */
  readonly type: 'rounds' | Stall['type'];
  readonly tool: string;
  readonly about: string;
  readonly times: number;
  /** The calls of a round, when the rounds are exactly the same and follow each other at once. */
  readonly cycle: readonly { readonly tool: string; readonly about: string }[];
  /** Rounds with exactly the same call. */
  readonly verbatim: number;
  /** Some rounds called another tool than `tool`, the tool of the last round. */
  readonly mixed: boolean;
  /** The line of the error, for rounds that fail; for messages, the answer of the harness. */
  readonly error: string | null;
  readonly empty: boolean;
  /** No results were seen. */
  readonly unseen: boolean;
  readonly support: number;
};

/** A finding in one or two sentences, for people and for the model. */
export function explain({
  type,
  tool,
  about,
  times,
  cycle,
  verbatim,
  mixed,
  error,
  empty,
  unseen,
}: StaleRoundsEvidence): string {
  if (type === 'stall') return `The last ${times} calls brought nothing that had not been seen before.`;
  if (type === 'vain') return `Of late, ${times} searches found nothing, the last of them ${tool} (${about}).`;
  if (type === 'plan')
    return `The plan was written ${times} times in a row with ${tool}, and nothing was done in between.`;
  if (type === 'futile')
    return `${tool} has failed ${times} times with the same error, “${error}”, whatever was changed in between.`;
  if (type === 'undone')
    return `The same change of ${about === '' ? 'the same thing' : about} was made ${times} times with ${tool}, and undone in between.`;
  if (type === 'wait')
    return `${inBrief({ tool, about })} was polled ${times} times in a row and gave the same answer. One blocking call that waits until it is done would save the rest.`;
  if (tool === messageTool) {
    const answer = error === null ? 'the same' : `the same “${error}”`;
    const last = error === null && about !== '' ? `, the last of them “${about}”,` : '';
    return `${times} messages in a row${last} were answered with ${answer}, and nothing was done in between.`;
  }
  if (cycle.length > 0) {
    const names = inWords(cycle.map(inBrief));
    const what =
      cycle.length === 1
        ? `The call ${names} was made ${times} times in a row`
        : `The same ${cycle.length} calls, ${names}, went round ${times} times`;
    return `${what}, ${unseen ? 'without a result that we could see' : `with the same ${error === null ? 'result' : 'failure'} each time`}.`;
  }
  const call = inBrief({ tool, about });
  const how =
    verbatim === times
      ? 'the same call each time'
      : verbatim > 1
        ? 'some calls the same, some a little different'
        : 'each call a little different';
  if (unseen) return `The call ${call} was made ${times} times, ${how}, without a result that we could see.`;
  if (error !== null) {
    const failed = mixed ? `${tool} and other tools have failed` : `${tool} has failed`;
    return `${failed} ${times} times with the same error, “${error}”, ${how}.`;
  }
  if (verbatim === times)
    return `The call ${call} came back ${times} times with the same result each time, and nothing had changed in between.`;
  return `${mixed ? `${tool} and other tools were` : `${tool} was`} asked in ${times} ways, last ${about === '' ? 'without arguments' : `(${about})`}, and ${empty ? 'found nothing each time' : 'gave the same result each time'}.`;
}

function inBrief({ tool, about }: { readonly tool: string; readonly about: string }): string {
  return about === '' ? tool : `${tool} (${about})`;
}
