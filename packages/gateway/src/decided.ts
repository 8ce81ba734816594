import { assertNever, type Decision, type Guard, loopKinds } from 'loopfuse';

/** What the gateway does about a decision. */
export type Action =
  | { readonly type: 'allow' }
  | { readonly type: 'steer' | 'block' | 'stop'; readonly message: string };

/**
 * A gateway cannot ask a user, so a question is a stop until the operator releases the session. The client owns the
 * history and chooses the model: so a rewind becomes a note to the model, and the current call is not run; an
 * escalation becomes a note too.
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

/** The text of a note to the model, worded so that the model does not take it for a message of the user. */
export function noteText(message: string): string {
  return `[Loop notice from a supervising gateway, not from the user] ${message}`;
}

/** The text for the model from the operator who released the session. */
export function hintText(message: string): string {
  return `[Message from the person who supervises this run] ${message}`;
}

/** What the client gets when the operator stopped the session. */
export function haltText(reason: string): string {
  return `Whoever supervises this run stopped it in Loopfuse.${reason === '' ? '' : ` ${reason}`}`;
}

/** What the client gets when the guard stopped the session. */
export function stopText(message: string): string {
  return `Loopfuse stopped this run because it was going in a loop. ${message}`;
}
