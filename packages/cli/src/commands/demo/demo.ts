import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Shell } from '../../shell.js';
import { fit } from '../../terminal/width.js';
import { draw } from './draw.js';
import { playRecording, recording } from './play.js';
import type { Scene } from './scene.js';

export interface DemoOptions {
  /** No pauses. */
  readonly fast: boolean;
  /** The recording of an agent in place of a real one. */
  readonly fromRecording: boolean;
}

/** Only there in a checkout. */
const example = fileURLToPath(new URL('../../../../../examples/02-guard-an-agent.mjs', import.meta.url));

/** How long a scene stays before the next, in milliseconds. */
const pause: { readonly [Type in Scene['type']]: number } = {
  opens: 200,
  asks: 300,
  says: 150,
  acts: 150,
  trips: 700,
  ends: 200,
  saves: 200,
};

/** Shows a stuck agent being caught. */
export async function demo({ fast, fromRecording }: DemoOptions, shell: Shell): Promise<void> {
  const { out } = shell;
  const about = fromRecording
    ? 'a recorded session, played through the guard. No key, no network.\n'
    : 'the real agent with a scripted model. No key, no network.';
  await out.write(`${out.paint('loopfuse demo', 'bold')}: ${about}\n`);
  for await (const scene of await (fromRecording ? playRecording() : liveScenes())) {
    await out.write(`${draw(scene, out).join('\n')}\n`);
    if (out.isInteractive && !fast) await setTimeout(pause[scene.type]);
  }
  await out.write(`\n${tryNext(shell).join('\n')}\n`);
}

/** The agent is not loaded for a recording. */
async function liveScenes(): Promise<AsyncGenerator<Scene>> {
  const { live } = await import('./live.js');
  return live();
}

/** Commands that work here and now. */
function tryNext({ out, command }: Shell): string[] {
  const next: [command: string, about: string][] = [
    [`${command} chat --help`, 'work with the agent yourself'],
    existsSync(join(homedir(), '.claude', 'projects'))
      ? [`${command} scan ~/.claude/projects`, 'your sessions with Claude Code']
      : [`${command} scan ${here(dirname(recording))}`, 'a recorded session as a report'],
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
