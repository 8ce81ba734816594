import { assertNever, type Decision, type Findings, type Guard, loopKinds } from 'loopfuse';
import type { Measure, Moment } from '../protocol/protocol.js';

export interface MeasureOptions {
  readonly moment: Moment['type'];
  /** The message that is waiting for the model. */
  readonly owed: string | undefined;
  /** Whether the agent can ask the user about a call. */
  readonly asks: boolean;
  readonly guard: Pick<Guard, 'explain'>;
}

export interface Measured {
  readonly measure: Measure | undefined;
  /** The message that is still waiting for the model. */
  readonly owes: string | undefined;
}

/**
 * What a hook does about a decision at this moment of a run. A message to the model is sent only with a result, because
 * only there every agent lets a hook add to what the model reads; until then it waits.
 */
export function measureOf(decision: Decision, { moment, owed, asks, guard }: MeasureOptions): Measured {
  switch (decision.type) {
    case 'allow':
      return tell(undefined, owed, moment);
    case 'steer':
      return tell(decision.message, owed, moment);
    case 'block':
      return { measure: { type: 'refuse', text: `${prefix}${decision.message}` }, owes: owed };
    case 'rewind': // no hook can change the history: the model still sees those rounds, and reads the note
      if (moment !== 'call') return tell(decision.note, owed, moment);
      return { measure: { type: 'refuse', text: `${prefix}${decision.note}` }, owes: owed };
    case 'escalate': // no hook can choose the model: the current one gets the advice
      return tell(adviceOn(decision.findings, guard), owed, moment);
    case 'ask': {
      const text = `${prefix}${decision.question.message}`;
      if (!asks) return { measure: { type: 'end', text: `${text} ${stopAdvice}` }, owes: undefined };
      return { measure: moment === 'call' ? { type: 'ask', text } : undefined, owes: owed };
    }
    case 'stop':
      return { measure: { type: 'end', text: `${prefix}${decision.reason} ${stopAdvice}` }, owes: undefined };
    default:
      return assertNever(decision, 'measureOf');
  }
}

function adviceOn([finding]: Findings, guard: Pick<Guard, 'explain'>): string {
  return `${guard.explain(finding)} ${loopKinds[finding.kind].advice}`;
}

/** The model and the user should know where the message comes from. */
const prefix = 'Loopfuse noticed a loop. ';
const stopAdvice = 'The run was stopped: call no more tools, and tell the user where you are stuck.';

function tell(message: string | undefined, owed: string | undefined, moment: Moment['type']): Measured {
  const text = [owed, message === undefined ? undefined : `${prefix}${message}`].filter(Boolean).join('\n');
  if (text === '') return { measure: undefined, owes: undefined };
  return moment === 'result'
    ? { measure: { type: 'tell', text }, owes: undefined }
    : { measure: undefined, owes: text };
}
