import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readSessions } from '@loopfuse/formats';
import { type AgentEvent, unattended } from 'loopfuse';
import type { Shell } from '../../shell.js';
import { fit } from '../../terminal/width.js';
import { draw } from './draw.js';
import { play, type Scene } from './play.js';

export interface DemoOptions {
  /** No pauses. */
  readonly fast: boolean;
}

const recording = fileURLToPath(new URL('../../../demo/stuck-edit.jsonl', import.meta.url));
/** Only there in a checkout. */
const example = fileURLToPath(new URL('../../../../../examples/02-guard-an-agent.mjs', import.meta.url));

/** How long a scene stays before the next, in milliseconds. */
const pause: { readonly [Type in Scene['type']]: number } = { asks: 700, says: 450, acts: 350, trips: 1600, ends: 300 };

/** Plays the recording of a stuck agent through the guard. */
export async function demo({ fast }: DemoOptions, shell: Shell): Promise<void> {
  const { out } = shell;
  const { paint } = out;
  const events = await eventsOf(recording);
  await out.write(
    `${paint('loopfuse demo', 'bold')}: a recorded session, played through the guard. No key, no network.\n\n`,
  );
  for (const scene of play(events, unattended)) {
    await out.write(`${draw(scene, out).join('\n')}\n`);
    if (out.isInteractive && !fast) await setTimeout(pause[scene.type]);
  }
  await out.write(`\n${tryNext(shell).join('\n')}\n`);
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

/** Commands that work here and now. */
function tryNext({ out, command }: Shell): string[] {
  const next: [command: string, about: string][] = [
    [`${command} scan ${here(dirname(recording))}`, 'this recording as a report'],
    existsSync(join(homedir(), '.claude', 'projects'))
      ? [`${command} scan ~/.claude/projects`, 'your sessions with Claude Code']
      : [`${command} scan --help`, 'find loops in your own sessions'],
  ];
  if (existsSync(example)) next.push([`node ${here(example)}`, 'guard an agent loop of your own']);
  const longest = Math.max(...next.map(([line]) => line.length));
  return [
    out.paint('  Try next', 'bold'),
    ...next.map(([line, about]) => {
      const words = fit(about, Math.max(0, out.columns - longest - 4), '');
      return `  ${out.paint(line.padEnd(longest), 'cyan')}  ${words === about ? out.paint(words, 'dim') : ''}`.trimEnd();
    }),
  ];
}

function here(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}
