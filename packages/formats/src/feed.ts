import type { Json } from 'loopfuse';
import { createDocument, recordsOf } from './document.js';
import type { DocumentFormat, LinesFormat, TextFormat } from './format.js';
import { gluedObjects } from './glued.js';
import { createLines } from './lines.js';
import type { FileRecorder } from './recorder.js';

/** Takes the bytes of a file, cut anywhere, and drives a translator with its records. */
export interface Feed {
  push(chunk: Buffer): void;
  end(): void;
}

/** Drives a translator with the records of a document that is parsed already. */
export function feedWhole(format: DocumentFormat, recorder: FileRecorder, document: Json): void {
  const translator = format.translate(recorder);
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
  /** A last line without an end that is no JSON is not broken: it is being written, or the file was cut. */
  let suspect: { line: number; reason: string } | undefined;

  function record(value: Json, line: number): void {
    recorder.line = line;
    recorder.records++;
    recorder.attempt(() => translator.record(value, ''));
  }

  const lines = createLines({
    ...complaints(recorder, longest),
    longest,
    onLine(text, line) {
      if (suspect) tellBroken();
      let value: Json;
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
  let endsInLine = false;

  function tellBroken(): void {
    recorder.report('broken', `the line is no JSON (${suspect!.reason}); it was passed over`, suspect!.line);
    suspect = undefined;
  }

  return {
    push(chunk) {
      if (chunk.length > 0) endsInLine = chunk[chunk.length - 1] !== 10;
      lines.push(chunk);
      if (suspect && !endsInLine) tellBroken();
    },
    end() {
      lines.end();
      if (suspect && endsInLine)
        recorder.report('cut', 'the file ends inside this line; everything before it was read', suspect.line);
      else if (suspect) tellBroken();
      recorder.line = 0;
      recorder.attempt(() => translator.end());
    },
  };
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

function documentFeed(format: DocumentFormat, recorder: FileRecorder, longest: number): Feed {
  const translator = format.translate(recorder);
  const document = createDocument({
    longest,
    onRecord(value, key, line) {
      recorder.line = line;
      recorder.records++;
      recorder.attempt(() => translator.record(value, key));
    },
    onLong: (key, line, bytes) =>
      recorder.report('too-long', `the value under "${key}" has ${bytes} bytes; it was passed over`, line),
    onBroken: (key, line, reason) =>
      recorder.report('broken', `the value under "${key}" is no JSON (${reason}); it was passed over`, line),
    onStop: (line, reason) =>
      recorder.report('broken', `the document is no JSON from here on (${reason}); what came before was read`, line),
  });
  return {
    push: document.push,
    end() {
      recorder.line = 0;
      if (document.end() === 'cut')
        recorder.report('cut', 'the file ends inside the document; what came before was read');
      recorder.attempt(() => translator.end());
    },
  };
}

function complaints(recorder: FileRecorder, longest: number) {
  let told = false;
  return {
    onLong: (line: number, bytes: number) =>
      recorder.report('too-long', `the line has ${bytes} bytes, more than ${longest}; it was passed over`, line),
    onBadBytes(line: number): void {
      if (!told) recorder.report('strange', 'the line is not valid UTF-8; the bad bytes were replaced', line);
      told = true;
    },
  };
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.length > 120 ? `${message.slice(0, 120)}…` : message;
}
