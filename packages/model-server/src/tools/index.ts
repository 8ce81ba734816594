export { type CallPart, callFor } from './call-for.js';
export { type Capability, capabilityOf, commandFor, type Deed } from './deed.js';
export { toolFor } from './tool-for.js';
export { type Filler, validValue } from './valid-value.js';
export { workspaceOf } from './workspace-of.js';
