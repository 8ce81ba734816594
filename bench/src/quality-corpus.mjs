import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/**
 * A folder of labelled traces: `labels.jsonl` beside trace files, which lie in `traces/` where there is such a folder
 * and anywhere below the labels otherwise.
 *
 * @typedef {import('./score.mjs').Label} Label
 * @typedef {import('loopfuse').AgentEvent} AgentEvent
 * @typedef {{ file: string, id: string, header: Record<string, unknown>, events: AgentEvent[] }} Session
 */

const endings = ['.jsonl.gz', '.jsonl'];

/** @param {string} folder */
export function openCorpus(folder) {
  const labelled = join(folder, 'labels.jsonl');
  if (!existsSync(labelled)) throw new Error(`${folder} holds no labels.jsonl, so there is nothing to score against`);
  const labels = readLabels(labelled);
  const traces = findTraces(existsSync(join(folder, 'traces')) ? join(folder, 'traces') : folder);

  /** The trace file that a label means: of exactly that name, or the only one whose name begins with it. */
  function traceOf(/** @type {string} */ name) {
    if (traces.has(name)) return name;
    const candidates = [...traces.keys()].filter((trace) => trace.startsWith(name));
    if (candidates.length === 1) return candidates[0];
    throw new Error(
      `${labelled}: "${name}" names ${candidates.length === 0 ? 'no trace file' : `several (${candidates.join(', ')})`}`,
    );
  }

  return {
    labels: labels.map((label) => ({ ...label, file: traceOf(label.file) })),
    /** @param {string} name */
    has: (name) => traces.has(name),
    /**
     * The sessions of one trace file, one at a time; with `ids`, only those, and lines of others are not even parsed.
     *
     * @param {string} name
     * @param {ReadonlySet<string>} [ids]
     */
    sessions: (name, ids) => readSessions(name, /** @type {string} */ (traces.get(name)), ids),
  };
}

/** @param {string} path @returns {Label[]} */
function readLabels(path) {
  const labels = [];
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const label = parse(line, `${path}:${index + 1}`);
    if (typeof label.file !== 'string' || typeof label.id !== 'string' || !Array.isArray(label.loops))
      throw new Error(`${path}:${index + 1}: a label needs "file", "id" and "loops"`);
    labels.push(label);
  }
  return labels;
}

/** @param {string} folder @returns {Map<string, string>} path by name: relative to the folder, without the ending */
function findTraces(folder) {
  const traces = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const ending = endings.find((one) => entry.name.endsWith(one));
    if (!entry.isFile() || ending === undefined || entry.name === 'labels.jsonl') continue;
    const path = join(entry.parentPath, entry.name);
    traces.set(relative(folder, path).split(sep).join('/').slice(0, -ending.length), path);
  }
  return new Map([...traces].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @param {string} file
 * @param {string} path
 * @param {ReadonlySet<string>} [ids]
 * @returns {AsyncGenerator<Session>}
 */
async function* readSessions(file, path, ids) {
  const bytes = createReadStream(path);
  const input = path.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  let number = 0;
  /** @type {Session | undefined} */
  let session;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    const header = line.includes('"session"') ? parse(line, `${path}:${number}`) : undefined;
    if (header !== undefined && Object.hasOwn(header, 'session')) {
      if (session) yield session;
      const id = String(header.session);
      session = ids === undefined || ids.has(id) ? { file, id, header, events: [] } : undefined;
    } else if (session && line.trim() !== '') {
      session.events.push(header ?? parse(line, `${path}:${number}`));
    }
  }
  if (session) yield session;
}

/** @param {string} line @param {string} place */
function parse(line, place) {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`${place} is not JSON`, { cause });
  }
}
