import type { JudgeOptions } from '@loopfuse/judge';
import type { Store } from '@loopfuse/store';
import { type Detector, ladder, type Policy, shadowOf, unattended } from 'loopfuse';
import type { GatewayEvent } from './gateway-event.js';
import type { UpstreamOptions } from './upstream.js';
import type { Upstreams } from './upstreams.js';

/** How loops are handled: send the model a message, refuse its calls and then stop; stop at once; or only watch. */
export type OnLoop = 'steer' | 'stop' | 'shadow';

export interface GatewayOptions extends UpstreamOptions {
  readonly upstreams?: Partial<Upstreams>;
  /** Upstreams by the first part of the path, which is removed: `/m0` for `/m0/v1/models`. May be added to later. */
  readonly mounts?: ReadonlyMap<string, URL>;
  readonly onLoop?: OnLoop;
  /** Replaces the policy of `onLoop`. */
  readonly policy?: Policy;
  readonly detectors?: readonly Detector[];
  /**
   * A judge that gives a second opinion on sessions that look stuck. It is asked while a request goes on, which does
   * not wait for it; its opinion counts from the next request on.
   */
  readonly judge?: Omit<JudgeOptions, 'lane' | 'onFault'> | undefined;
  /** Where sessions are kept between requests; by default, in this process. */
  readonly store?: Store;
  readonly mostSessions?: number;
  readonly expirySeconds?: number;
  /** The session of requests that do not name one: for a gateway that serves one run. */
  readonly session?: string;
  /** Larger requests are passed on unread. */
  readonly mostRequestBytes?: number;
  readonly onEvent?: (event: GatewayEvent) => void;
  /** Whether `onEvent` also gets every event that is observed. */
  readonly emitObserved?: boolean;
  readonly now?: () => number;
}

/** The policy for each value of `onLoop`. */
export const loopPolicies: { readonly [Name in OnLoop]: Policy } = {
  steer: unattended,
  stop: ladder({ steers: 0, last: 'stop' }),
  shadow: shadowOf(unattended),
};
