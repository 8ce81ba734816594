import { assertNever, type Decision, type Findings, type Guard, loopKinds } from 'loopfuse';
import type { Measure, Moment } from '../protocol/protocol.js';

export interface MeasureOptions {
  readonly moment: Moment['type'];
  /** What the model was to be told and could not be yet. */
  readonly owed: string | undefined;
  /** Whether the agent can ask the person about a call. */
  readonly asks: boolean;
  readonly guard: Pick<Guard, 'explain'>;
}

export interface Measured {
  readonly measure: Measure | undefined;
  /** What the model is still to be told. */
  readonly owes: string | undefined;
}

/**
 * What a decision comes to at this moment of a run. Models are told something only together with a result, because only
 * there every agent lets a hook add to what the model reads; until then it is owed.
 */
export function measureOf(decision: Decision, { moment, owed, asks, guard }: MeasureOptions): Measured {
  switch (decision.type) {
    case 'allow':
      return tell(undefined, owed, moment);
    case 'steer':
      return tell(decision.message, owed, moment);
    case 'block':
      return { measure: { type: 'refuse', text: `${voice}${decision.message}` }, owes: owed };
    case 'rewind': // no hook reaches the history: the model keeps what it did, and reads the note
      if (moment !== 'call') return tell(decision.note, owed, moment);
      return { measure: { type: 'refuse', text: `${voice}${decision.note}` }, owes: owed };
    case 'escalate': // no hook chooses the model: the one at work is told what a stronger one would have been
      return tell(adviceOn(decision.findings, guard), owed, moment);
    case 'ask': {
      const text = `${voice}${decision.question.message}`;
      if (!asks) return { measure: { type: 'end', text: `${text} ${farewell}` }, owes: undefined };
      return { measure: moment === 'call' ? { type: 'ask', text } : undefined, owes: owed };
    }
    case 'stop':
      return { measure: { type: 'end', text: `${voice}${decision.reason} ${farewell}` }, owes: undefined };
    default:
      return assertNever(decision, 'measureOf');
  }
}

function adviceOn([finding]: Findings, guard: Pick<Guard, 'explain'>): string {
  return `${guard.explain(finding)} ${loopKinds[finding.kind].advice}`;
}

/** The model and the person should know who speaks. */
const voice = 'Loopfuse noticed a loop. ';
const farewell = 'The run was stopped: call no more tools, and tell the user where you are stuck.';

function tell(message: string | undefined, owed: string | undefined, moment: Moment['type']): Measured {
  const text = [owed, message === undefined ? undefined : `${voice}${message}`].filter(Boolean).join('\n');
  if (text === '') return { measure: undefined, owes: undefined };
  return moment === 'result'
    ? { measure: { type: 'tell', text }, owes: undefined }
    : { measure: undefined, owes: text };
}
