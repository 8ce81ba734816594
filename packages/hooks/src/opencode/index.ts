import type { PolicyName } from 'loopfuse';
import { createPlugin } from './plugin.js';

/** Set by a line written before this bundle, so that only one file must be installed. */
declare const LOOPFUSE_POLICY: PolicyName;

/** opencode takes every exported function for a plugin, so there is only one. */
export const Loopfuse = createPlugin(LOOPFUSE_POLICY);
