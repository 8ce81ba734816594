import { ladder, type Policy, type RecoveryOptions, shadowOf } from './policy.js';

/** A policy as settings, flags and menus offer it. */
export interface NamedPolicy {
  /** A few words for help and menus. */
  readonly description: string;
  make(recovery?: RecoveryOptions): Policy;
}

const rows = {
  interactive: {
    description: 'tell the model once, then ask you',
    make: (recovery) => ladder({ ...recovery, steers: 1, last: 'ask' }),
  },
  unattended: {
    description: 'tell the model twice, then stop',
    make: (recovery) => ladder({ ...recovery, steers: 2, last: 'stop' }),
  },
  ask: {
    description: 'ask you at once',
    make: (recovery) => ladder({ ...recovery, steers: 0, last: 'ask' }),
  },
  stop: {
    description: 'stop at once',
    make: (recovery) => ladder({ ...recovery, steers: 0, last: 'stop' }),
  },
  shadow: {
    description: 'only watch, and report what would have been done',
    make: (recovery) => shadowOf(ladder({ ...recovery, steers: 1, last: 'ask' })),
  },
} as const satisfies { readonly [name: string]: NamedPolicy };

/** The name of a policy, as settings and flags give it. */
export type PolicyName = keyof typeof rows;

/** Every policy that has a name. A policy added here is offered by every face. */
export const policies: { readonly [Name in PolicyName]: NamedPolicy } = rows;

/** The names of `policies`, in the order of menus. */
export const policyNames = Object.keys(policies) as [PolicyName, ...PolicyName[]];
