import type { Client, ClientEvent } from '@loopfuse/agent';
import { gist, type Scene, type Used } from './scene.js';

export interface PerformOptions {
  /** The audience knows the request and has seen a trip before. */
  readonly again?: boolean;
}

/** Lets an agent work on a request, and shows what it does. Gives what that used. */
export async function* perform(
  client: Client,
  request: string,
  { again: brief = false }: PerformOptions = {},
): AsyncGenerator<Scene, Used> {
  const titles = new Map<string, string>();
  let said = '';
  let calls = 0;
  let state = client.guard.circuit.state;

  function* quiet(): Generator<Scene> {
    if (said.trim() !== '') yield { type: 'says', text: said };
    said = '';
  }

  function* trip(event: Extract<ClientEvent, { type: 'loop-steered' | 'loop-detected' }>): Generator<Scene> {
    const { decision } = event;
    const [finding] = decision.findings;
    const { state: to } = client.guard.circuit;
    yield { type: 'trips', finding, decision, from: state, to, brief };
    state = to;
  }

  if (!brief) yield { type: 'asks', text: request };
  for await (const event of client.sendMessageStream(request)) {
    switch (event.type) {
      case 'content':
        said += event.text;
        break;
      case 'tool-call-request':
        yield* quiet();
        calls++;
        titles.set(event.call.id, event.title);
        break;
      case 'tool-call-result': {
        const { id, tool, status, output } = event;
        const result =
          status === 'blocked' || status === 'not-run'
            ? ({ status: 'refused' } as const)
            : { status: status === 'ok' ? ('ok' as const) : ('failed' as const), output: gist(output) };
        yield { type: 'acts', tool: tool.split('_')[0]!, about: titles.get(id) ?? '', result };
        break;
      }
      case 'loop-steered':
      case 'loop-detected':
        yield* quiet();
        yield* trip(event);
        break;
      case 'error':
        throw new Error(`the demo's agent could not go on: ${event.message}`);
      default:
        break; // a play is no log: the rest is not shown
    }
  }
  yield* quiet();
  const { inputTokens, outputTokens } = client.usage;
  return { calls, tokens: inputTokens + outputTokens };
}

/** Lets an agent work and shows nothing. */
export async function rehearse(client: Client, request: string): Promise<Used> {
  const play = perform(client, request);
  for (;;) {
    const { done, value } = await play.next();
    if (done === true) return value;
  }
}
