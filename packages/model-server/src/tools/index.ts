export { type Action, type Capability, capabilityOf, commandFor } from './action.js';
export { type CallPart, callFor } from './call-for.js';
export { toolFor } from './tool-for.js';
export { type Filler, validValue } from './valid-value.js';
export { workspaceOf } from './workspace-of.js';
