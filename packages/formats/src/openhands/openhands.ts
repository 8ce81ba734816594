import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Json } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import type { DocumentFormat, FileFormat, LinesFormat, Recorder, Translator } from '../format.js';
import type { Head } from '../records/head.js';
import { deepest, nestsTooDeeply } from '../records/nesting.js';
import { obj, str } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';
import { createEvents, eventsOf, historyOf, isEvent } from './events.js';

/** OpenHands' events as one list: an exported trajectory, or an object that holds one. */
export const openhands: DocumentFormat = {
  name: 'openhands',
  shape: 'document',
  sniff: ({ document }) =>
    document?.records.some(
      ({ key, value }) => isListKey(key, document.top) && eventsOf(value).some((each) => isEvent(each)),
    ) === true,
  translate: translateDocument,
};

/** OpenHands' events line by line, or the output of an evaluation: one line per run, with its history. */
export const openhandsLines: LinesFormat = {
  name: 'openhands',
  shape: 'lines',
  sniff: (head) => !isEventFile(head) && head.lines.some((line) => isEvent(line) || historyOf(line).length > 0),
  translate: translateLines,
};

/** OpenHands' own store: a folder with a file for each event. The session is read with the first file. */
export const openhandsFolder: FileFormat = {
  name: 'openhands',
  shape: 'file',
  sniff: ({ document, lines }) => {
    if (document?.top !== 'object' || lines.length > 1) return false;
    return isEvent(document.whole ?? Object.fromEntries(document.records.map(({ key, value }) => [key, value])));
  },
  read: readFolder,
};

const eventFile = /^(?:event-)?\d.*\.json$/;

/** Whether a file has one event, on one line or on many, and a name as in the store. */
function isEventFile({ name, document, lines }: Head): boolean {
  return eventFile.test(name) && document?.top === 'object' && lines.length <= 1;
}

function isListKey(key: string, top: 'object' | 'array'): boolean {
  return top === 'array' ? key === '' : key === 'history' || key === 'trajectory' || key === 'events';
}

function translateDocument(recorder: Recorder): Translator<Json> {
  const transcript = createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'openhands' }));
  const write = createEvents(recorder, transcript);
  return {
    record(value, key) {
      if (key === '' || key === 'history' || key === 'trajectory' || key === 'events') eventsOf(value).forEach(write);
      else if (key === 'instance_id' && str(value) !== undefined) recorder.rename(transcript.session, str(value)!);
      else recorder.skip(key);
    },
    end: () => transcript.end(),
  };
}

function translateLines(recorder: Recorder): Translator<Json> {
  let one: { transcript: Transcript; write: (event: Json) => void } | undefined;
  const runs = new Map<string, number>();

  function start(id: string): { transcript: Transcript; write: (event: Json) => void } {
    const transcript = createTranscript(recorder, recorder.open(id, { agent: 'openhands' }));
    return { transcript, write: createEvents(recorder, transcript) };
  }

  return {
    record(value) {
      const history = historyOf(value);
      if (history.length === 0) {
        one ??= start(recorder.fallbackId);
        one.write(value);
        return;
      }
      const id = str(obj(value).instance_id) ?? recorder.fallbackId;
      const times = (runs.get(id) ?? 0) + 1;
      runs.set(id, times);
      const run = start(times === 1 ? id : `${id}#${times}`);
      for (const each of history) eventsOf(each).forEach(run.write);
      run.transcript.end();
      recorder.close(run.transcript.session);
    },
    end: () => one?.transcript.end(),
  };
}

const maxBytes = 64 * 1024 * 1024;

function readFolder(recorder: Recorder): boolean {
  const folder = dirname(recorder.file);
  const files = eventFilesIn(folder);
  const own = basename(recorder.file);
  if (files.includes(own) && files[0] !== own) {
    recorder.skip(`read with ${files[0]}`);
    return true;
  }
  const id = basename(folder) === 'events' ? basename(dirname(folder)) : recorder.fallbackId;
  const transcript = createTranscript(recorder, recorder.open(id, { agent: 'openhands' }));
  const write = createEvents(recorder, transcript);
  for (const name of files.length === 0 ? [own] : files) {
    try {
      const { size } = lstatSync(join(folder, name));
      if (size > maxBytes) throw new RangeError(`it has ${size} bytes`);
      const text = readFileSync(join(folder, name), 'utf8');
      if (nestsTooDeeply(text)) throw new RangeError(`it nests more than ${deepest} levels deep`);
      write(JSON.parse(text) as Json);
    } catch (cause) {
      recorder.fault(`${name} could not be read: ${messageOf(cause)}`);
    }
  }
  transcript.end();
  return true;
}

/** The folder that was listed last. A scan reads its files one after the other, and each asks for all of them. */
let listed: { readonly folder: string; readonly changedAt: number; readonly files: readonly string[] } | undefined;
/** The clocks of file systems are coarse: a folder that changed so few milliseconds ago may have changed twice. */
const coarsest = 2000;

/** The files of events in a folder, in their order. */
function eventFilesIn(folder: string): readonly string[] {
  const changedAt = statSync(folder).mtimeMs;
  if (listed?.folder === folder && listed.changedAt === changedAt && Date.now() - changedAt > coarsest)
    return listed.files;
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && eventFile.test(entry.name))
    .map((entry) => entry.name)
    .sort((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
  listed = { folder, changedAt, files };
  return files;
}

function numberOf(name: string): number {
  return Number(/\d+/.exec(name)?.[0] ?? 0);
}
