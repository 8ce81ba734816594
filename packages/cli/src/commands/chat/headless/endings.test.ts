import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@loopfuse/agent';
import { callFor, type Script, say } from '@loopfuse/model-server';
import { describe, expect, test } from 'vitest';
import { callLoop } from '../../../../../conversation/testing/loop-report.js';
import { bin, cleanEnv, type Ended, runLoopfuse } from '../../../../testing/run-loopfuse.js';
import { scriptedWorkplace, type Workplace } from '../../../../testing/scripted-workplace.js';
import { fakeTerminal } from '../../../../testing/terminal.js';
import type { Shell } from '../../../shell.js';
import { askAboutLoop } from './ask-about-loop.js';

/** Runs a command that would do something later, and whose processes can be told; `goesOn` is its end. */
function runsLong(goesOn = 'sleep 60'): Script {
  const command = `sh -c "echo \\$\\$ > inner; sleep 60; touch later" & echo $$ > outer; ${goesOn}`;
  return (turn) =>
    turn.results.length > 0 ? say('Done.') : { parts: [{ text: 'I run it.' }, callFor(turn, { shell: command })] };
}

async function pidsIn(root: string): Promise<number[]> {
  const files = ['inner', 'outer'].map((name) => join(root, name));
  while (!files.every((file) => existsSync(file) && readFileSync(file, 'utf8').trim() !== '')) await wait(10);
  return files.map((file) => Number(readFileSync(file, 'utf8')));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

async function allGone(pids: readonly number[], root: string): Promise<void> {
  while (pids.some(isAlive)) await wait(20);
  expect(existsSync(join(root, 'later'))).toBe(false);
}

/** Runs until the command does, then ends it in some way. */
async function endedBy(place: Workplace, args: readonly string[], end: (child: ChildProcess) => void): Promise<Ended> {
  let pids: number[] = [];
  const ended = await runLoopfuse(['chat', ...place.flags, '--approval', 'yolo', '-p', 'go', ...args], {
    env: { HOME: place.home },
    onStart: (child) =>
      void pidsIn(place.root).then((found) => {
        pids = found;
        end(child);
      }),
  });
  await allGone(pids, place.root);
  return ended;
}

function sessionsOf(
  place: Workplace,
): { history: { role: string; results?: { status: string; output: string }[] }[] }[] {
  const folder = join(place.home, '.loopfuse', 'sessions');
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

describe('every way to end ends the commands, too', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s: the result is written, and the session kept', async (signal, code) => {
    const place = await scriptedWorkplace(runsLong());
    const ended = await endedBy(place, ['-o', 'json'], (child) => void child.kill(signal));
    expect(ended.code).toBe(code);
    const result = JSON.parse(ended.stdout);
    expect(result).toMatchObject({ status: 'interrupted', exitCode: code, interruptedBy: signal, calls: 1 });
    expect(ended.stderr).toContain(`Interrupted by ${signal}.`);
    expect(sessionsOf(place)[0]?.history.at(-1)?.results).toMatchObject([{ status: 'cancelled' }]);
  });

  test('a reader of the output that goes away', async () => {
    const place = await scriptedWorkplace(runsLong('while :; do echo tick; sleep 0.1; done'));
    const words = ['chat', ...place.flags, '--approval', 'yolo', '-p', 'go', '-o', 'stream-json'];
    const child = spawn(process.execPath, [bin, ...words], {
      env: { ...cleanEnv, HOME: place.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    const pids = await pidsIn(place.root);
    child.stdout.destroy(); // as `head` does; what is written next fails
    expect(await exited).toBe(141);
    await allGone(pids, place.root);
    expect(sessionsOf(place)[0]?.history.length).toBeGreaterThan(1);
  });

  test('kill -9, which nothing can catch: and the turn is there with the call that was running', async () => {
    const place = await scriptedWorkplace(runsLong());
    const { code } = await endedBy(place, [], (child) => void child.kill('SIGKILL'));
    expect(code).toBe('SIGKILL');
    const { history } = sessionsOf(place)[0]!;
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(history[2]?.results).toMatchObject([
      {
        status: 'cancelled',
        output: expect.stringMatching(/ended before this call had a result.*may have been carried/),
      },
    ]);
  });
});

test('the question about a loop is answered with stop by a signal that ends the process', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} });
  const stderr = Object.assign(new PassThrough().resume(), { isTTY: true, columns: 80, rows: 24 });
  const shell = { err: fakeTerminal({ isInteractive: true }), streams: { stdin, stderr } } as unknown as Shell;
  const decided: string[] = [];
  const client = { halted: callLoop(), decide: (choice: string) => decided.push(choice), async save() {} };
  const ending = new AbortController();
  const asked = askAboutLoop(client as unknown as Client, shell, ending.signal);
  ending.abort();
  const outcome = await Promise.race([asked, wait(5_000, 'still asking', { ref: false })]);
  expect({ outcome, decided }).toEqual({ outcome: undefined, decided: ['stop'] });
});
