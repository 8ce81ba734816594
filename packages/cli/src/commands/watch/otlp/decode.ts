import protobuf from 'protobufjs/light.js';

/** A request of an OpenTelemetry exporter as OTLP's JSON; only what a trace of an agent needs is decoded. */
export type TraceRequest = { readonly resourceSpans?: readonly unknown[] };

const string = (id: number) => ({ type: 'string', id });
const repeated = (type: string, id: number) => ({ rule: 'repeated', type, id });

/** The part of opentelemetry/proto/{collector/trace,trace,common,resource}/v1 that is read; other fields are skipped. */
const root = protobuf.Root.fromJSON({
  nested: {
    ExportTraceServiceRequest: { fields: { resourceSpans: repeated('ResourceSpans', 1) } },
    ResourceSpans: { fields: { resource: { type: 'Resource', id: 1 }, scopeSpans: repeated('ScopeSpans', 2) } },
    Resource: { fields: { attributes: repeated('KeyValue', 1) } },
    ScopeSpans: { fields: { spans: repeated('Span', 2) } },
    Span: {
      fields: {
        traceId: { type: 'bytes', id: 1 },
        spanId: { type: 'bytes', id: 2 },
        parentSpanId: { type: 'bytes', id: 4 },
        name: string(5),
        startTimeUnixNano: { type: 'fixed64', id: 7 },
        endTimeUnixNano: { type: 'fixed64', id: 8 },
        attributes: repeated('KeyValue', 9),
        events: repeated('Event', 11),
        status: { type: 'Status', id: 15 },
      },
    },
    Event: {
      fields: { timeUnixNano: { type: 'fixed64', id: 1 }, name: string(2), attributes: repeated('KeyValue', 3) },
    },
    Status: { fields: { message: string(2), code: { type: 'int32', id: 3 } } },
    KeyValue: { fields: { key: string(1), value: { type: 'AnyValue', id: 2 } } },
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      fields: {
        stringValue: string(1),
        boolValue: { type: 'bool', id: 2 },
        intValue: { type: 'int64', id: 3 },
        doubleValue: { type: 'double', id: 4 },
        arrayValue: { type: 'ArrayValue', id: 5 },
        kvlistValue: { type: 'KeyValueList', id: 6 },
        bytesValue: { type: 'bytes', id: 7 },
      },
    },
    ArrayValue: { fields: { values: repeated('AnyValue', 1) } },
    KeyValueList: { fields: { values: repeated('KeyValue', 1) } },
  },
});
const request = root.lookupType('ExportTraceServiceRequest');

/** Throws for a body that is neither the protobuf nor the JSON of an export request. */
export function decodeTraces(body: Buffer, contentType: string): TraceRequest {
  if (/\bjson\b/.test(contentType)) {
    const value = JSON.parse(body.toString('utf8')) as TraceRequest | null;
    if (typeof value !== 'object' || value === null) throw new TypeError('expected a JSON object with "resourceSpans"');
    return value;
  }
  return inJson(request.toObject(request.decode(body), { longs: String, bytes: String }));
}

interface Decoded {
  resourceSpans?: { scopeSpans?: { spans?: { [key: string]: unknown }[] }[] }[];
}

/** OTLP's JSON writes ids in hexadecimal digits; everything else that is bytes, as base64. */
function inJson(decoded: Decoded): TraceRequest {
  for (const { scopeSpans = [] } of decoded.resourceSpans ?? [])
    for (const { spans = [] } of scopeSpans)
      for (const span of spans)
        for (const key of ['traceId', 'spanId', 'parentSpanId'])
          if (typeof span[key] === 'string') span[key] = Buffer.from(span[key], 'base64').toString('hex');
  return decoded;
}
