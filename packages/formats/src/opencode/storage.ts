import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Json } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import type { FileFormat, Recorder } from '../format.js';
import { deepest, nestsTooDeeply } from '../records/nesting.js';
import { packingOf } from '../records/unpacking.js';
import { type Obj, obj, str } from '../translating/json.js';
import { createSessions, isPlainId } from './session.js';

/**
 * opencode's sessions from before it had a database: `storage/session/<project>/<session>.json`, with the messages
 * under `storage/message/<session>/` and their parts under `storage/part/<message>/`. Only regular files in these
 * folders are read, never links.
 */
export const opencodeStorage: FileFormat = {
  name: 'opencode',
  shape: 'file',
  sniff: ({ document }) =>
    document?.top === 'object' &&
    ['id', 'projectID', 'time'].every((key) => document.keys.has(key)) &&
    !document.keys.has('sessionID') &&
    !document.keys.has('messages'),
  read(recorder) {
    const info = readObject(recorder, recorder.file);
    const id = info.id;
    if (!isPlainId(id)) return false;
    const sessions = createSessions(recorder);
    sessions.session(id, info);
    const roots = [dirname(dirname(dirname(recorder.file))), dirname(dirname(recorder.file))];
    const root = roots.find((folder) => isFolder(join(folder, 'message', id)));
    if (root !== undefined) {
      const loose = looseParts(recorder, join(root, 'part'));
      for (const name of filesIn(join(root, 'message', id))) {
        const message = readObject(recorder, join(root, 'message', id, name));
        const messageId = str(message.id);
        if (!isPlainId(messageId)) continue;
        sessions.message(message, { sessionId: id, id: messageId });
        for (const folder of [join(root, 'part', messageId), join(root, 'part', id, messageId)])
          for (const file of filesIn(folder)) sessions.part(readObject(recorder, join(folder, file)), { messageId });
        for (const part of loose.get(messageId) ?? []) sessions.part(part, { messageId });
      }
    }
    sessions.end();
    return true;
  },
};

/** Parts that are directly in the folder of parts, by message. */
function looseParts(recorder: Recorder, folder: string): ReadonlyMap<string, Obj[]> {
  const parts = new Map<string, Obj[]>();
  for (const name of filesIn(folder)) {
    const part = readObject(recorder, join(folder, name));
    const id = str(part.messageID) ?? '';
    parts.set(id, [...(parts.get(id) ?? []), part]);
  }
  return parts;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Names sort by time: opencode's ids ascend. */
function filesIn(folder: string): string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.json(?:\.gz)?$/.test(entry.name))
    .map((entry) => entry.name)
    .sort();
}

/** Removes a byte order mark. */
const utf8 = new TextDecoder();
const maxBytes = 64 * 1024 * 1024;

/** The files of old sessions may have been packed one by one. */
function unpacked(bytes: Buffer): Buffer {
  const packing = packingOf(bytes);
  if (packing === undefined) return bytes;
  if (packing === 'gzip') return gunzipSync(bytes, { maxOutputLength: maxBytes });
  throw new TypeError(`it is packed with ${packing}; unpack it first`);
}

function readObject(recorder: Recorder, file: string): Obj {
  try {
    const { size } = lstatSync(file);
    if (size > maxBytes) throw new RangeError(`it has ${size} bytes`);
    const text = utf8.decode(unpacked(readFileSync(file)));
    if (nestsTooDeeply(text)) throw new RangeError(`it nests more than ${deepest} levels deep`);
    return obj(JSON.parse(text) as Json);
  } catch (cause) {
    recorder.fault(`${file} could not be read: ${messageOf(cause)}`);
    return obj(null);
  }
}
