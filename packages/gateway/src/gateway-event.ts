import type { AgentEvent, Finding } from 'loopfuse';
import type { SessionFacts } from './session.js';

/** What the gateway reports to its operator. Only `observed` carries the content of messages and calls. */
export type GatewayEvent =
  | { readonly type: 'request'; readonly session: SessionName; readonly status: number }
  | { readonly type: 'observed'; readonly session: SessionName; readonly event: AgentEvent }
  | { readonly type: 'finding'; readonly session: SessionName; readonly finding: Finding; readonly explanation: string }
  | {
      readonly type: 'action';
      readonly session: SessionName;
      readonly action: 'steer' | 'block' | 'stop';
      readonly message: string;
    }
  | { readonly type: 'fault'; readonly message: string; readonly cause?: unknown };

export interface SessionName extends Pick<SessionFacts, 'name' | 'agent' | 'model'> {
  readonly key: string;
}
