import { spawn } from 'node:child_process';
import { resolve as resolvePath } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnvironment } from '../run-shell-command/environment.js';
import { byPlace, type Match, maxLine, type Search } from './search.js';

/** Searches with `rg`, where it is installed. */
export const ripgrep: Search = ({ workspace, place, pattern, include, signal, most }) =>
  new Promise((resolve, reject) => {
    const child = spawn('rg', argumentsOf(pattern, include, place), {
      cwd: workspace.root,
      env: cleanEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    const matches: Match[] = [];
    let more = false;
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, 2000);
    });
    createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      const match = readMatch(line, (path) => workspace.show(resolvePath(workspace.root, path)));
      if (match === undefined) return;
      if (matches.length < most) matches.push(match);
      else if (!more) {
        more = true;
        child.kill();
      }
    });
    child.on('error', () => {
      if (signal.aborted) reject(signal.reason);
      else resolve(undefined); // not installed, or not to be run
    });
    child.on('close', (code) => {
      // 0: matches, 1: none, 2: an error, perhaps beside matches
      if (code === 2 && matches.length === 0) resolve({ type: 'problem', message: complaint.trim() || 'rg failed.' });
      else resolve({ type: 'found', matches: matches.sort(byPlace), more, notes: [] });
    });
  });

function argumentsOf(pattern: string, include: string | undefined, place: string): string[] {
  return [
    '--no-config',
    '--json',
    '--hidden',
    '--no-require-git',
    '--max-columns-preview',
    '--max-filesize=32M',
    '--sort=path',
    ...(include === undefined ? [] : [`--glob=${include}`]),
    '--glob=!.git',
    '--glob=!node_modules',
    `--regexp=${pattern}`,
    '--',
    place,
  ];
}

function readMatch(line: string, show: (path: string) => string): Match | undefined {
  try {
    const { type, data } = JSON.parse(line) as {
      type?: unknown;
      data?: { path?: { text?: string }; line_number?: number; lines?: { text?: string } };
    };
    const path = data?.path?.text;
    if (type !== 'match' || path === undefined || data?.line_number === undefined) return undefined;
    return {
      path: show(path),
      line: data.line_number,
      text: (data.lines?.text ?? '').replace(/\r?\n$/, '').slice(0, maxLine),
    };
  } catch {
    return undefined;
  }
}
