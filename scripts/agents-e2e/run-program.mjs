import { spawn } from 'node:child_process';

/**
 * Runs a program to its end, or to the end of our patience: then it is killed, and so is, in any case, whatever it has
 * left behind in its process group.
 */
export function runProgram(command, args, { cwd, env, seconds = 120, onStart = () => {} }) {
  return new Promise((resolve) => {
    const begun = Date.now();
    let said = '';
    let stdout = '';
    let timedOut = false;
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const kill = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {} // they are gone already
    };
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, seconds * 1000);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      said += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    const end = (code) => {
      clearTimeout(timer);
      if (child.pid !== undefined) kill();
      resolve({ code, timedOut, stdout, said, begun, ended: Date.now() });
    };
    child.on('error', (cause) => {
      said += cause.message;
      end(-1);
    });
    child.on('exit', () => setTimeout(kill, 500)); // what it left may hold its output open
    child.on('close', (code, signal) => end(code ?? signal));
    onStart(child);
  });
}
