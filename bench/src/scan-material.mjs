/**
 * A tree of recorded sessions for the benchmark of `scan`, made up but shaped like what the agents write. The shape was
 * taken from logs of real work (three of Claude Code, one long rollout of Codex) and from runs of the agents against
 * the scripted model server:
 *
 * - Claude Code: the lines with results are 59 to 69 % of the bytes, and more than half of each is `toolUseResult`, the
 *   result told again for the user interface, for an edit with the whole file before it; answers are 14 to 30 %, in some
 *   sessions `progress` is a quarter. Results have a median of a few hundred characters and a mean of 1 to 2 thousand.
 * - Codex: reasoning is 38 % of the bytes, three quarters of it encrypted; outputs 37 %, calls 15 %, messages 7 %. New
 *   versions write each item once more as an event, and the usage twice.
 * - Gemini CLI writes a message again when its calls are done; Qwen Code writes telemetry between its lines; opencode
 *   exports one document, indented.
 *
 * Which agent has how large a part of a home folder is a guess (`share`): most of it is Claude Code and Codex.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeLine, nouns, pick, prose, randomOf, uuid } from './scan-words.mjs';
import { writers } from './scan-writers.mjs';

const share = /** @type {const} */ ([
  ['claude', 0.55],
  ['codex', 0.25],
  ['gemini', 0.07],
  ['qwen', 0.06],
  ['opencode', 0.04],
  ['trace', 0.03],
]);

/** One session in so many ends in a loop. */
const loopEvery = 25;

/**
 * @typedef {{ say: string; think: string; tool: string; input: Record<string, unknown>; output: string; failed: boolean;
 *   file?: SourceFile; from?: number; lines?: number }} Step
 * @typedef {{ path: string; lines: string[]; text: string }} SourceFile
 * @typedef {{ id: string; number: number; steps: Step[]; prompts: Map<number, string>; start: number }} Session
 */

/**
 * Writes about so many bytes of sessions into a folder; the same for the same seed.
 * @param {string} folder
 * @param {number} bytes
 * @param {number} [seed]
 */
export function writeTree(folder, bytes, seed = 1) {
  const random = randomOf(seed);
  const files = Array.from({ length: 240 }, (_, k) => sourceFile(random, k));
  const written = new Map(share.map(([agent]) => [agent, 0]));
  let total = 0;
  let sessions = 0;
  while (total < bytes) {
    // The agent that lags most behind its share writes next.
    const [agent] = [...share].sort((a, b) => written.get(a[0]) / a[1] - written.get(b[0]) / b[1])[0];
    const session = sessionOf(random, files, ++sessions);
    const { path, text } = writers[agent](session, random);
    const size = write(join(folder, path), text);
    written.set(agent, written.get(agent) + size);
    total += size;
  }
  return { bytes: total, sessions };
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(path, 'w');
  const size = writeSync(descriptor, text);
  closeSync(descriptor);
  return size;
}

/** @param {() => number} random @param {SourceFile[]} files @param {number} number @returns {Session} */
function sessionOf(random, files, number) {
  const own = Array.from({ length: 12 }, () => pick(random, files));
  const count = 20 + Math.floor(random() ** 2 * 400);
  const prompts = new Map([[0, prose(random, 40)]]);
  /** @type {Step[]} */
  const steps = [];
  for (let k = 0; k < count; k++) {
    if (k > 0 && random() < 0.06) prompts.set(k, prose(random, 5 + Math.floor(random() * 60)));
    steps.push(stepOf(random, pick(random, own), number, k));
  }
  if (number % loopEvery === 0) {
    const failing = runStep(random, number, count, true);
    for (let k = 0; k < 8; k++) steps.push({ ...failing, say: k < 2 ? failing.say : '' });
  }
  return { id: uuid(random), number, steps, prompts, start: Date.UTC(2026, 0, 1) + number * 3_600_000 };
}

/** @param {() => number} random @param {SourceFile} file @param {number} number @param {number} k @returns {Step} */
function stepOf(random, file, number, k) {
  const kind = random();
  const told = {
    say: random() < 0.35 ? prose(random, 8 + Math.floor(random() ** 3 * 180)) : '',
    think: random() < 0.5 ? prose(random, 20 + Math.floor(random() ** 2 * 160)) : '',
    failed: false,
    file,
  };
  const at = Math.floor(random() * file.lines.length * 0.8);
  if (kind < 0.3) {
    const lines = Math.min(file.lines.length - at, random() < 0.1 ? 900 : 5 + Math.floor(random() ** 2 * 150));
    const shown = file.lines.slice(at, at + lines);
    const output = shown.map((line, j) => `${String(at + j + 1).padStart(6)}\t${line}`).join('\n');
    return {
      ...told,
      tool: 'Read',
      input: { file_path: file.path, offset: at + 1, limit: lines },
      output,
      from: at,
      lines,
    };
  }
  if (kind < 0.46) {
    const size = 1 + Math.floor(random() ** 2 * 25);
    const before = file.lines.slice(at, at + size).join('\n');
    const after = `${before}\n${codeLine(random, 2)} // ${number}.${k}`;
    const snippet = file.lines.slice(Math.max(0, at - 4), at + size + 4);
    const output = `The file ${file.path} has been updated. Here's a snippet of the edited file:\n${snippet
      .map((line, j) => `${String(at + j).padStart(6)}\t${line}`)
      .join('\n')}`;
    const input = { file_path: file.path, old_string: before, new_string: after };
    return {
      ...told,
      tool: 'Edit',
      input,
      output: random() < 0.5 ? output : `The file ${file.path} has been updated successfully.`,
      from: at,
      lines: size,
    };
  }
  if (kind < 0.6) {
    const word = pick(random, nouns);
    const hits = Array.from(
      { length: Math.floor(random() ** 3 * 120) },
      (_, j) => `${file.path}:${at + j * 3}:${pick(random, file.lines)}`,
    );
    const output = hits.length === 0 ? 'No matches found' : hits.join('\n');
    return {
      ...told,
      tool: 'Grep',
      input: { pattern: `${word}_${k}`, path: dirname(file.path), output_mode: 'content' },
      output,
    };
  }
  return { ...told, ...runStep(random, number, k, random() < 0.15) };
}

/** @param {() => number} random @param {number} number @param {number} k @param {boolean} failed @returns {Step} */
function runStep(random, number, k, failed) {
  const command = pick(random, [
    () => `npx vitest run src/${pick(random, nouns)}-${k}.test.ts`,
    () => `git diff HEAD~1 -- src/${pick(random, nouns)} | head -${50 + k}`,
    () => `cd /home/ada/project-${number % 40} && npm run build 2>&1 | tail -40`,
    () => `grep -rn "${pick(random, nouns)}" src/ | wc -l && ls -la src/${pick(random, nouns)}`,
    () => `python3 - <<'EOF'\n${Array.from({ length: 6 }, () => codeLine(random, 0)).join('\n')}\nEOF`,
  ])();
  const length = random() < 0.03 ? 600 : Math.floor(random() ** 3 * 70);
  const lines = Array.from({ length }, (_, j) =>
    random() < 0.3
      ? ` ✓ src/${pick(random, nouns)}.test.ts (${j + 3} tests) ${Math.floor(random() * 900)}ms`
      : random() < 0.5
        ? codeLine(random, j % 4)
        : `${pick(random, nouns)}: ${prose(random, 9)}`,
  );
  if (failed)
    lines.push(
      `TypeError: Cannot read properties of undefined (reading '${pick(random, nouns)}')`,
      `    at ${pick(random, nouns)} (src/${pick(random, nouns)}.ts:${k + 3}:14)`,
    );
  return {
    say: prose(random, 12),
    think: '',
    tool: 'Bash',
    input: { command, description: prose(random, 6) },
    output: lines.join('\n'),
    failed,
  };
}

/** @param {() => number} random @param {number} number @returns {SourceFile} */
function sourceFile(random, number) {
  const count = 20 + Math.floor(random() ** 3 * 450);
  const lines = Array.from({ length: count }, () => codeLine(random, Math.floor(random() * 5)));
  if (number % 8 === 0) for (let k = 0; k < count; k += 20) lines[k] = `// ${prose(random, 6)} → naïve “quotes” ${k}`;
  return {
    path: `/home/ada/project/src/${pick(random, nouns)}/${pick(random, nouns)}-${number}.ts`,
    lines,
    text: lines.join('\n'),
  };
}
