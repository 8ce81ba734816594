import { fileURLToPath } from 'node:url';
import { readSessions } from '@loopfuse/formats';
import { type AgentEvent, unattended } from 'loopfuse';
import { play } from './play.js';
import type { Scene } from './scene.js';

/** A stuck agent, as it was recorded. */
export const recording = fileURLToPath(new URL('../../../demo/stuck-edit.jsonl', import.meta.url));

/** Plays the recording through the guard. */
export async function* recorded(): AsyncGenerator<Scene> {
  yield* play(await eventsOf(recording), unattended);
}

async function eventsOf(file: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  await readSessions(file, {
    onEvent: (event) => void events.push(event),
    onFault({ line, message }) {
      throw new Error(`the demo's recording is damaged (${file}${line === undefined ? '' : `:${line}`}): ${message}`);
    },
  });
  return events;
}
