import { type ModelServer, type Script, startModelServer } from '@loopfuse/model-server';
import { createGateway, type Gateway } from '../gateway.js';
import type { GatewayEvent } from '../gateway-event.js';
import type { GatewayOptions } from '../gateway-options.js';
import { type Listener, type ListenOptions, listen } from '../listen.js';

export interface Started {
  readonly model: ModelServer;
  readonly gateway: Gateway;
  readonly listener: Listener;
  readonly url: string;
  readonly events: GatewayEvent[];
  close(): Promise<void>;
}

/** A gateway in front of the scripted model server. */
export async function start(script: Script, options: GatewayOptions = {}, door: ListenOptions = {}): Promise<Started> {
  const model = await startModelServer({ script });
  const events: GatewayEvent[] = [];
  const upstream = new URL(model.url);
  const gateway = createGateway({
    upstreams: { openai: upstream, anthropic: upstream, gemini: upstream },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const listener = await listen(gateway.handle, door);
  return {
    ...{ model, gateway, listener, url: listener.url, events },
    async close() {
      await listener.close();
      await gateway.close();
      await model.close();
    },
  };
}
