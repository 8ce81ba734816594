import type { JudgeOptions } from '@loopfuse/judge';
import type { Store } from '@loopfuse/store';
import { type Detector, ladder, type Policy, shadowOf, unattended } from 'loopfuse';
import type { GatewayEvent } from './gateway-event.js';
import type { UpstreamOptions } from './upstream.js';
import type { Upstreams } from './upstreams.js';

/** How loops are handled: tell the model, refuse its calls and then stop; stop at once; or only watch. */
export type OnLoop = 'steer' | 'stop' | 'shadow';

export interface GatewayOptions extends UpstreamOptions {
  readonly upstreams?: Partial<Upstreams>;
  /** Upstreams by the first part of the path, which is left out: `/m0` for `/m0/v1/models`. May be added to later. */
  readonly mounts?: ReadonlyMap<string, URL>;
  readonly onLoop?: OnLoop;
  /** In place of the policy of `onLoop`. */
  readonly policy?: Policy;
  readonly detectors?: readonly Detector[];
  /**
   * Who gives a second opinion on sessions that look stuck. It is asked beside a request, which does not wait; what it
   * thinks counts from the next request on.
   */
  readonly judge?: Omit<JudgeOptions, 'lane' | 'onFault'> | undefined;
  /** Where sessions live between requests; without one, in this process. */
  readonly store?: Store;
  readonly mostSessions?: number;
  readonly expirySeconds?: number;
  /** The session of requests that name none: for a gateway that serves one run. */
  readonly session?: string;
  /** Larger requests are passed on unread. */
  readonly mostRequestBytes?: number;
  readonly onEvent?: (event: GatewayEvent) => void;
  /** Whether `onEvent` gets everything that is observed, too. */
  readonly emitObserved?: boolean;
  readonly now?: () => number;
}

/** The policy of each way to handle loops. */
export const loopPolicies: { readonly [Name in OnLoop]: Policy } = {
  steer: unattended,
  stop: ladder({ steers: 0, last: 'stop' }),
  shadow: shadowOf(unattended),
};
