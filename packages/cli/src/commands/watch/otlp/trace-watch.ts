import { createReading, formats } from '@loopfuse/formats';
import type { Preset } from '../../../presets.js';
import { type Alarm, type Alarms, createAlarms } from '../alarms.js';
import { createMemory } from '../memory.js';
import type { TraceRequest } from './decode.js';

/** Watches conversations whose spans come in as they end, and reports each loop once. */
export interface TraceWatch {
  add(request: TraceRequest): Promise<void>;
  /** How many conversations were seen. */
  readonly size: number;
}

interface Conversation {
  readonly spans: RawSpan[];
  readonly alarms: Alarms;
}

interface RawSpan {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly startTimeUnixNano?: string | number;
  readonly attributes?: readonly { readonly key?: string; readonly value?: { readonly stringValue?: string } }[];
}

/** Only the latest spans of a conversation, and the latest conversations, are kept. */
const mostSpans = 2000;
const mostConversations = 256;
const conversationKeys = new Set(['gen_ai.conversation.id', 'session.id', 'langfuse.session.id']);

/**
 * Spans come in the order in which they end, tools before the answer that called them. So a conversation is read again
 * with every batch, in the order in which its spans began; new events are recognised by their content.
 */
export function watchTraces(preset: Preset, onAlarm: (alarm: Alarm) => void): TraceWatch {
  const memory = createMemory();
  const conversations = new Map<string, Conversation>();
  const byTrace = new Map<string, string>();
  let seen = 0;

  function conversationOf(span: RawSpan): Conversation {
    const trace = span.traceId ?? '';
    const stated = span.attributes?.find(({ key }) => key !== undefined && conversationKeys.has(key))?.value
      ?.stringValue;
    const name = stated ?? byTrace.get(trace) ?? trace;
    byTrace.set(trace, name);
    if (byTrace.size > 16 * mostConversations) byTrace.delete(byTrace.keys().next().value!);
    let known = conversations.get(name);
    if (known === undefined) {
      const spans: RawSpan[] = [];
      const report = (alarm: Alarm) => onAlarm({ ...alarm, span: latestOf(spans) });
      known = { spans, alarms: createAlarms({ preset, memory, isNews: () => true, onAlarm: report }) };
      seen++;
    }
    conversations.delete(name);
    conversations.set(name, known);
    if (conversations.size > mostConversations) conversations.delete(conversations.keys().next().value!);
    return known;
  }

  return {
    get size() {
      return seen;
    },
    async add({ resourceSpans }) {
      const changed = new Set<Conversation>();
      for (const span of spansIn(resourceSpans)) {
        const conversation = conversationOf(span);
        conversation.spans.push(span);
        if (conversation.spans.length > mostSpans) conversation.spans.shift();
        changed.add(conversation);
      }
      for (const { spans, alarms } of changed) {
        alarms.startOver();
        const reading = createReading(formats, 'otlp', { onEvent: alarms.observe });
        reading.push(Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })));
        await reading.end();
      }
    },
  };
}

/** The span that began last: a loop is seen with what it brought. */
function latestOf(spans: readonly RawSpan[]): Alarm['span'] {
  let latest: Alarm['span'];
  let began = -1;
  for (const { traceId = '', spanId = '', startTimeUnixNano } of spans) {
    const start = Number(startTimeUnixNano ?? 0);
    if (start < began || !/^[0-9a-f]{32}$/i.test(traceId) || !/^[0-9a-f]{16}$/i.test(spanId)) continue;
    began = start;
    latest = { traceId, spanId };
  }
  return latest;
}

function spansIn(resourceSpans: readonly unknown[] | undefined): RawSpan[] {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const member = (value: unknown, key: string) => list(Object(value)[key]);
  return list(resourceSpans)
    .flatMap((resource) => member(resource, 'scopeSpans'))
    .flatMap((scope) => member(scope, 'spans'))
    .filter((span): span is RawSpan => typeof span === 'object' && span !== null);
}
