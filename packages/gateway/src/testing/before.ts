import { createGateway } from '../gateway.js';
import type { GatewayEvent } from '../gateway-event.js';
import type { GatewayOptions } from '../gateway-options.js';
import { type ListenOptions, listen } from '../listen.js';

/** A gateway in front of an upstream at this address. */
export async function before(upstream: string, options: GatewayOptions = {}, door: ListenOptions = {}) {
  const events: GatewayEvent[] = [];
  const to = new URL(upstream);
  const gateway = createGateway({
    upstreams: { openai: to, anthropic: to, gemini: to },
    onEvent: (event) => events.push(event),
    ...options,
  });
  const listener = await listen(gateway.handle, door);
  return {
    ...{ gateway, url: listener.url, events, port: listener.port },
    async close() {
      await listener.close();
      await gateway.close();
    },
  };
}

/** A small request of an agent, in the format of OpenAI chat. */
export function chatRequest(prompt = 'Do it.', stream = true): string {
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
  return JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: prompt }], tools });
}
