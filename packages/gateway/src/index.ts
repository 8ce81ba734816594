export { isLoopback } from './access.js';
export { createGateway, type Gateway, type GatewayOptions, type OnLoop } from './gateway.js';
export type { GatewayEvent, SessionName } from './gateway-event.js';
export { type Handler, type Listener, type ListenOptions, listen } from './listen.js';
export type { SessionFacts } from './session.js';
export { providerUpstreams, type UpstreamName, type Upstreams } from './upstreams.js';
