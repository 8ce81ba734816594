import { assertNever, type Decision, type Guard, loopKinds } from 'loopfuse';

/** What the gateway does about a decision. */
export type Action =
  | { readonly type: 'allow' }
  | { readonly type: 'steer' | 'block' | 'stop'; readonly message: string };

/**
 * A gateway has nobody to ask, so a question is a stop until somebody releases the session. The history and the choice of
 * the model are the client's: a rewind becomes a note to the model, and the present call is not run; an escalation becomes
 * a note too.
 */
export function actionFor(decision: Decision, guard: Pick<Guard, 'explain'>, atCall: boolean): Action {
  switch (decision.type) {
    case 'allow':
      return { type: 'allow' };
    case 'steer':
    case 'block':
      return { type: decision.type, message: decision.message };
    case 'rewind':
      return { type: atCall ? 'block' : 'steer', message: decision.note };
    case 'escalate': {
      const [finding] = decision.findings;
      return { type: 'steer', message: `${guard.explain(finding)} ${loopKinds[finding.kind].advice}` };
    }
    case 'ask':
      return { type: 'stop', message: decision.question.message };
    case 'stop':
      return { type: 'stop', message: decision.reason };
    default:
      return assertNever(decision, 'actionFor');
  }
}

/** The text of a note to the model, which must not take it for words of the user. */
export function noteText(message: string): string {
  return `[Loop notice from a supervising gateway, not from the user] ${message}`;
}

/** The text for the model from whoever released the session. */
export function hintText(message: string): string {
  return `[Message from the person who supervises this run] ${message}`;
}

/** What the client gets when a person stopped it. */
export function haltText(reason: string): string {
  return `Whoever supervises this run stopped it in Loopfuse.${reason === '' ? '' : ` ${reason}`}`;
}

/** What the client gets when the guard stopped it. */
export function stopText(message: string): string {
  return `Loopfuse stopped this run because it was going in a loop. ${message}`;
}
