import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** `loopfuse watch --json` in a home folder, from now on until `end`. */
export async function startWatch({ cli, home, env }) {
  const child = spawn(process.execPath, [cli, 'watch', '--json'], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const alarms = [];
  let rest = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) alarms.push({ ...JSON.parse(line), receivedAt: Date.now() });
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => child.on('close', resolve));
  while (!said.includes('Watching')) {
    if (child.exitCode !== null) throw new Error(`loopfuse watch ended at once: ${said}`);
    await setTimeout(50);
  }
  return {
    /** Resolves when a session of that project was warned of, or after so many seconds. */
    async warned(project, seconds) {
      const last = Date.now() + seconds * 1000;
      while (Date.now() < last && !alarms.some((alarm) => alarm.project === project)) await setTimeout(100);
    },
    async end() {
      child.kill('SIGINT');
      await ended;
      return alarms;
    },
  };
}
