import { fileURLToPath } from 'node:url';
import { readSessions } from '@loopfuse/formats';
import { type Act, type AgentEvent, assertNever, createGuard, type Json, type Policy, unattended } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { gist as gistOf, type Scene } from './scene.js';
import { lastCall, spentIn } from './spent.js';

/** The session of a stuck agent. */
export const recording = fileURLToPath(new URL('../../../demo/stuck-edit.jsonl', import.meta.url));

/** The scenes of the recording, with a guard that stops the agent. */
export async function playRecording(): Promise<Generator<Scene>> {
  const events: AgentEvent[] = [];
  await readSessions(recording, {
    onEvent: (event) => void events.push(event),
    onFault({ line, message }) {
      const place = line === undefined ? recording : `${recording}:${line}`;
      throw new Error(`The demo's recording is damaged (${place}): ${message}`);
    },
  });
  return play(events, unattended);
}

/**
 * Plays a recording through a guard as a host would run an agent: a message to the model is observed as a steer, a refused
 * call gets the refusal as its result, and a stop ends the play. The rest of the recording is only counted: it is what
 * would have happened without a guard.
 */
export function* play(events: readonly AgentEvent[], policy: Policy): Generator<Scene> {
  const guard = createGuard({ detectors: balanced(), policy });
  const calls = new Map<string, { tool: string; about: string }>();
  const refused = new Set<string>();
  let said = '';

  function* quiet(): Generator<Scene> {
    if (said.trim() !== '') yield { type: 'says', text: said };
    said = '';
  }

  for (const [at, event] of events.entries()) {
    if (event.type === 'tool-result' && refused.has(event.id)) continue;
    const from = guard.circuit.state;
    const decision = guard.observe(event);

    if (event.type === 'text') said += event.text;
    else if (event.type !== 'usage') yield* quiet();
    if (event.type === 'prompt') yield { type: 'asks', text: event.text ?? '' };
    if (event.type === 'tool-call') calls.set(event.id, { tool: event.tool, about: gist(event.input) });
    const call = event.type === 'tool-call' || event.type === 'tool-result' ? calls.get(event.id) : undefined;
    if (call && event.type === 'tool-result') {
      const status = event.failed === true ? 'failed' : 'ok';
      yield { type: 'acts', ...call, result: { status, output: gist(event.output) } };
    }
    if (decision.type === 'allow') continue;

    if (call && event.type === 'tool-call') yield { type: 'acts', ...call, result: { status: 'refused' } };
    yield { type: 'trips', finding: decision.findings[0], decision, from, to: guard.circuit.state };
    switch (decision.type) {
      case 'ask':
      case 'stop': {
        const last = lastCall(events, at);
        yield { type: 'ends', played: spentIn(events.slice(0, at), last), left: spentIn(events.slice(at), last) };
        return;
      }
      case 'steer':
        guard.observe({ type: 'steer', text: decision.message });
        break;
      case 'block':
      case 'rewind':
        if (event.type !== 'tool-call') break;
        refused.add(event.id);
        guard.observe({ type: 'tool-result', id: event.id, output: wordsOf(decision), failed: true });
        break;
      case 'escalate':
        break; // the recording goes on as it went
      default:
        assertNever(decision, 'the demo');
    }
  }
  yield* quiet();
  yield { type: 'ends', played: spentIn(events, undefined), left: spentIn([], undefined) };
}

function wordsOf(decision: Extract<Act, { type: 'block' | 'rewind' }>): string {
  return decision.type === 'block' ? decision.message : decision.note;
}

/** The most important line of an input or a result. */
function gist(value: Json): string {
  if (typeof value === 'string') return gistOf(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return String(Object.values(value).find((inner) => typeof inner === 'string') ?? '');
}
