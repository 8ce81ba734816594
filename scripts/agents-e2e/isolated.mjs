import { spawn, spawnSync } from 'node:child_process';

/**
 * How to run a command where there is no network but loopback, and where no process outlives it: in namespaces of its
 * own, where Linux grants them. Undefined where it does not.
 */
export function isolation() {
  const flags = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
  if (process.getuid?.() !== 0) flags.unshift('--map-root-user');
  const up = 'ip link set lo up';
  const works = process.platform === 'linux' && spawnSync('unshare', [...flags, 'sh', '-c', up]).status === 0;
  return works ? ['unshare', ...flags, 'sh', '-c', `${up} && exec "$@"`, 'sh'] : undefined;
}

/** Runs a command to its end, wrapped, with our own input and output. Ctrl-C ends it with all that it started. */
export function runWrapped(wrapping, command, args) {
  const [first, ...rest] = [...wrapping, command, ...args];
  const child = spawn(first, rest, { stdio: 'inherit' });
  const end = () => child.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
