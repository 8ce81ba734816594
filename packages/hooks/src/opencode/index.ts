import type { PolicyName } from 'loopfuse';
import { createPlugin } from './plugin.js';

/** A line before this bundle says it, so that one file is all there is to install. */
declare const LOOPFUSE_POLICY: PolicyName;

/** opencode takes every function that a plugin exports for a plugin, so there is one. */
export const Loopfuse = createPlugin(LOOPFUSE_POLICY);
