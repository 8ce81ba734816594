import { type LadderOptions, ladder, type Policy, type RecoveryOptions, shadowOf } from './policy.js';

/** A policy as settings, flags and menus offer it. */
export interface NamedPolicy {
  /** A few words for help and menus. */
  readonly description: string;
  make(recovery?: RecoveryOptions): Policy;
}

const rows = {
  interactive: named('tell the model once, then ask you', { steers: 1, last: 'ask' }),
  unattended: named('tell the model, refuse the call, then stop', { steers: 2, last: 'stop' }),
  ask: named('ask you at once', { steers: 0, last: 'ask' }),
  stop: named('stop at once', { steers: 0, last: 'stop' }),
  shadow: named('only watch, and report what would have been done', { steers: 1, last: 'ask' }, shadowOf),
};

function named(
  description: string,
  rungs: LadderOptions,
  then: (policy: Policy) => Policy = (policy) => policy,
): NamedPolicy {
  return { description, make: (recovery) => then(ladder({ ...recovery, ...rungs })) };
}

/** With a user present: one message to the model, then the user decides. */
export const interactive: Policy = rows.interactive.make();

/** With no user present: two tries to get the model out of the loop, then the run ends. */
export const unattended: Policy = rows.unattended.make();

/** Watches, never acts, and says what `interactive` would have done. */
export const shadow: Policy = rows.shadow.make();

/** The name of a policy, as settings and flags give it. */
export type PolicyName = keyof typeof rows;

/** Every policy that has a name. Every user interface offers all of them. */
export const policies: { readonly [Name in PolicyName]: NamedPolicy } = rows;

/** The names of `policies`, in the order of menus. */
export const policyNames = Object.keys(policies) as [PolicyName, ...PolicyName[]];
