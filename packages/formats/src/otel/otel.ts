import type { Json } from 'loopfuse';
import type { DocumentFormat, LinesFormat, Recorder, Translator } from '../format.js';
import { isObject, list, obj } from '../translating/json.js';
import { readSpan, type Span, writeSpans } from './spans.js';

/** OpenTelemetry traces with `gen_ai` spans, as OTLP JSON in one document. */
export const otel: DocumentFormat = {
  name: 'otel',
  shape: 'document',
  sniff: ({ document }) => document?.keys.has('resourceSpans') === true,
  translate: translateOtel,
};

/** The same as the collector's file exporter writes it: one request per line. */
export const otelLines: LinesFormat = {
  name: 'otel',
  shape: 'lines',
  sniff: ({ lines }) => lines.some((line) => Array.isArray(obj(line).resourceSpans)),
  translate: translateOtel,
};

/** Spans are exported when they end, children before their parents, so they are sorted at the end of the file. */
function translateOtel(recorder: Recorder): Translator<Json> {
  const spans: Span[] = [];

  function resource(value: Json): void {
    const { scopeSpans, instrumentationLibrarySpans } = obj(value);
    for (const scope of [...list(scopeSpans), ...list(instrumentationLibrarySpans)])
      for (const each of list(obj(scope).spans)) {
        const span = readSpan(obj(each));
        if (span) spans.push(span);
        else recorder.skip('span of another kind');
      }
  }

  return {
    record(value, key) {
      if (key === 'resourceSpans') resource(value);
      else if (key === '' && isObject(value)) for (const each of list(value.resourceSpans)) resource(each);
      else recorder.skip(key);
    },
    end: () => writeSpans(recorder, spans),
  };
}
