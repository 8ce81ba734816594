export { isLoopback } from './access.js';
export { createGateway, type Gateway } from './gateway.js';
export type { GatewayEvent, SessionName } from './gateway-event.js';
export type { GatewayOptions, OnLoop } from './gateway-options.js';
export { type Handler, type Listener, type ListenOptions, listen } from './listen.js';
export type { Detail, Evidence, Live, LiveAction, LiveSession, Mark } from './operator/live.js';
export { createOperator, type Operator, type OperatorOptions } from './operator/operator.js';
export type { SessionFacts } from './session.js';
export { providerUpstreams, type UpstreamName, type Upstreams } from './upstreams.js';
