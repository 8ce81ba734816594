import type { Json } from 'loopfuse';
import { grouped, messageOf } from 'loopfuse/words';
import type { DocumentFormat, LinesFormat, TextFormat, Translator } from '../format.js';
import { createDocument, recordsOf } from '../records/document.js';
import { gluedObjects } from '../records/glued.js';
import { textOfBytes } from '../records/line-bytes.js';
import { createLines, type Lines } from '../records/lines.js';
import { deepest, nestsTooDeeply } from '../records/nesting.js';
import { parseDocument } from '../records/parse-document.js';
import type { FileRecorder } from './recorder.js';

/** Takes the bytes of a file, cut anywhere, and drives a translator with its records. */
export interface Feed {
  push(chunk: Buffer): void;
  /** The file has ended, and another file continues the same sessions. Only for JSON lines. */
  next?(): void;
  end(): void;
}

const closeBrace = 125;

/** Drives a translator with the records of a parsed document. */
export function feedWhole(format: DocumentFormat, recorder: FileRecorder, document: Json): void {
  reportWhole(format.translate(recorder), recorder, document);
}

function reportWhole(translator: Translator<Json>, recorder: FileRecorder, document: Json): void {
  for (const { key, value } of recordsOf(document)) {
    recorder.records++;
    recorder.attempt(() => translator.record(value, key));
  }
  recorder.attempt(() => translator.end());
}

export function feedOf(
  format: LinesFormat | DocumentFormat | TextFormat,
  recorder: FileRecorder,
  longest: number,
): Feed {
  switch (format.shape) {
    case 'lines':
      return lineFeed(format, recorder, longest);
    case 'document':
      return documentFeed(format, recorder, longest);
    case 'text':
      return textFeed(format, recorder, longest);
  }
}

function lineFeed(format: LinesFormat, recorder: FileRecorder, longest: number): Feed {
  const translator = format.translate(recorder);
  /** A last line without a line end that is not valid JSON is not broken: it is being written, or the file was cut. */
  let suspect: { line: number; reason: string } | undefined;

  function record(value: Json, line: number): void {
    recorder.line = line;
    recorder.records++;
    try {
      translator.record(value, '');
    } catch (cause) {
      recorder.failed(cause);
    }
  }

  function glance(bytes: Buffer, line: number): boolean {
    if (bytes[bytes.length - 1] !== closeBrace) return false;
    if (suspect) reportBroken();
    const glimpse = translator.glance!(bytes);
    if (glimpse === undefined) return false;
    if ('skip' in glimpse) {
      recorder.records++;
      if (glimpse.skip !== undefined) recorder.skip(glimpse.skip);
      return true;
    }
    if (glimpse.read.includes('\uFFFD') || nestsTooDeeply(glimpse.read)) return false; // bytes that are no UTF-8, perhaps, which are reported
    let value: Json;
    try {
      value = JSON.parse(glimpse.read) as Json;
    } catch {
      return false;
    }
    record(value, line);
    return true;
  }

  const newLines = (): Lines => {
    const { onLong, onBadBytes } = complaints(recorder, longest);
    return createLines({
      onBadBytes,
      onLong(line, bytes) {
        if (suspect) reportBroken();
        onLong(line, bytes);
      },
      longest,
      glance: translator.glance && glance,
      onLine(text, line) {
        if (suspect) reportBroken();
        let value: Json;
        if (nestsTooDeeply(text)) {
          recorder.report('broken', `the line nests more than ${deepest} levels deep; it was skipped`, line);
          return;
        }
        try {
          value = JSON.parse(text) as Json;
        } catch (cause) {
          const glued = gluedObjects(text);
          for (const each of glued?.values ?? []) record(each, line);
          if (glued === undefined || glued.rest) suspect = { line, reason: reasonOf(cause) };
          return;
        }
        record(value, line);
      },
    });
  };
  let lines = newLines();
  let endsInLine = false;

  function reportBroken(): void {
    recorder.report('broken', `the line is not valid JSON (${suspect!.reason}); it was skipped`, suspect!.line);
    suspect = undefined;
  }

  return {
    push(chunk) {
      if (chunk.length > 0) endsInLine = chunk[chunk.length - 1] !== 10;
      lines.push(chunk);
      if (suspect && !endsInLine) reportBroken();
    },
    next() {
      endFile();
      lines = newLines();
    },
    end() {
      endFile();
      recorder.attempt(() => translator.end());
    },
  };

  function endFile(): void {
    lines.end();
    if (suspect && endsInLine)
      recorder.report('cut', 'the file ends inside this line; everything before it was read', suspect.line);
    else if (suspect) reportBroken();
    suspect = undefined;
    endsInLine = false;
    recorder.line = 0;
  }
}

function textFeed(format: TextFormat, recorder: FileRecorder, longest: number): Feed {
  const translator = format.translate(recorder);
  const lines = createLines({
    ...complaints(recorder, longest),
    longest,
    onLine(text, line) {
      recorder.line = line;
      recorder.records++;
      recorder.attempt(() => translator.record(text, ''));
    },
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      recorder.line = 0;
      recorder.attempt(() => translator.end());
    },
  };
}

/** Bytes; a document that is not longer is parsed at once, which takes more memory and much less time. */
const longestWhole = 8 * 1024 * 1024;

function documentFeed(format: DocumentFormat, recorder: FileRecorder, longest: number): Feed {
  const translator = format.translate(recorder);
  let gathered: Buffer[] | undefined = [];
  let size = 0;
  const document = createDocument({
    longest,
    onRecord(value, key, line) {
      recorder.line = line;
      recorder.records++;
      recorder.attempt(() => translator.record(value, key));
    },
    onLong: (key, line, bytes) =>
      recorder.report('too-long', `the value under "${key}" has ${grouped(bytes)} bytes; it was skipped`, line),
    onBroken: (key, line, reason) =>
      recorder.report('broken', `the value under "${key}" is not valid JSON (${reason}); it was skipped`, line),
    onStop: (line, reason) =>
      recorder.report(
        'cut',
        `the document is not valid JSON from line ${line} on (${reason}); everything before it was read`,
      ),
  });

  /** It is too long, or not valid JSON: what was gathered of it is read piece by piece after all. */
  function release(): void {
    const chunks = gathered ?? [];
    gathered = undefined;
    for (const chunk of chunks) document.push(chunk);
  }

  return {
    push(chunk) {
      if (gathered === undefined) {
        document.push(chunk);
        return;
      }
      gathered.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > Math.min(longestWhole, longest)) release();
    },
    end() {
      recorder.line = 0;
      const whole = gathered && parseDocument(textOfBytes(Buffer.concat(gathered, size)));
      if (whole !== undefined) {
        reportWhole(translator, recorder, whole);
        return;
      }
      release();
      recorder.line = 0;
      if (document.end() === 'cut')
        recorder.report('cut', 'the file ends inside the document; everything before it was read');
      recorder.attempt(() => translator.end());
    },
  };
}

function complaints(recorder: FileRecorder, longest: number) {
  let reported = false;
  return {
    onLong: (line: number, bytes: number) =>
      recorder.report(
        'too-long',
        `the line has ${grouped(bytes)} bytes, more than ${grouped(longest)}; it was skipped`,
        line,
      ),
    onBadBytes(line: number): void {
      if (!reported) recorder.report('strange', 'the line is not valid UTF-8; the bad bytes were replaced', line);
      reported = true;
    },
  };
}

function reasonOf(cause: unknown): string {
  const message = messageOf(cause);
  return message.length > 120 ? `${message.slice(0, 120)}…` : message;
}
