import { type AgentEvent, eventProblem, type Json } from 'loopfuse/event';
import type { LinesFormat, RecordedSession, Recorder, Translator } from '../format.js';

/** Loopfuse's own traces: a line with a `session` key opens a session, every other line is one of its events. */
export const trace: LinesFormat = {
  name: 'trace',
  shape: 'lines',
  sniff: ({ lines }) => lines.some(isHeader) || (lines.length > 0 && lines.every(isBareEvent)),
  translate: translateTrace,
};

function translateTrace(recorder: Recorder): Translator<Json> {
  let session: RecordedSession | undefined;
  return {
    record(value) {
      if (isHeader(value)) {
        if (session) recorder.close(session);
        session = recorder.open(String(value.session), {
          agent: textOr(value.agent, 'unknown'),
          ...optional('model', value.model),
          ...optional('project', value.project),
          ...optional('version', value.version),
          ...optional('title', value.title),
          ...optional('parent', value.parent),
        });
        return;
      }
      const problem = eventProblem(value);
      if (problem !== undefined) {
        recorder.fault(`the line was skipped: ${problem}`);
        return;
      }
      if (session === undefined) {
        recorder.fault(
          'there are events before the first session line; they are read as a session named after the file',
        );
        session = recorder.open(recorder.fallbackId);
      }
      recorder.emit(session, value as unknown as AgentEvent);
    },
    end() {},
  };
}

function isHeader(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && 'session' in value && !('type' in value);
}

const eventKeys = new Set(
  'type at lane id text tool input output failed inputTokens outputTokens cachedTokens cacheWriteTokens longCacheWriteTokens cost model reason by confidence analysis'.split(
    ' ',
  ),
);

/** An event without other keys: other logs have records of type `text` with their own keys. */
function isBareEvent(value: Json): boolean {
  return eventProblem(value) === undefined && Object.keys(value as object).every((key) => eventKeys.has(key));
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function optional<Key extends string>(key: Key, value: Json | undefined): { [K in Key]?: string } {
  return (typeof value === 'string' ? { [key]: value } : {}) as { [K in Key]?: string };
}
