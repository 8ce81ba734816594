import type { LoopReport, PromptOutcome, Trace, TraceEvent, Usage } from '@loopfuse/agent';
import {
  type Attributes,
  type Meter,
  metrics,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { judgeAttributes, loopAttributes, loopLabels, usageAttributes } from './attributes.js';
import { createInstruments, type Instruments } from './instruments.js';
import { providerName } from './provider-name.js';
import { scope } from './scope.js';
import { startSpanTree } from './span-tree.js';

export interface TelemetryOptions {
  /** By default that of the registered SDK. Without one, nothing is recorded. */
  readonly tracer?: Tracer;
  /** Likewise. An SDK for metrics must be registered before the first request. */
  readonly meter?: Meter;
  /** The name of the agent. */
  readonly agent?: string;
  /**
   * Also export explanations of loops, opinions of the judge and error messages. They quote arguments and outputs. Without
   * it, nothing that a user, a model or a tool wrote is recorded.
   */
  readonly content?: boolean;
}

type EventOf<Type extends TraceEvent['type']> = Extract<TraceEvent, { type: Type }>;

/** The numbers of the current request. */
interface Account {
  readonly promptId: string;
  readonly sessionId: string;
  turns: number;
  loops: number;
  steers: number;
  usage: Usage | undefined;
}

/**
 * Records what an agent does as OpenTelemetry spans, events and metrics, by the conventions for generative AI. Pass it to
 * the agent as `trace`. Use one for each client, because a client works on one request at a time.
 */
export function telemetry(options: TelemetryOptions = {}): Trace {
  const { agent = 'loopfuse', content = false, meter, tracer = trace.getTracer(scope.name, scope.version) } = options;
  requireMethod('tracer', tracer, 'startSpan');
  if (meter !== undefined) requireMethod('meter', meter, 'createCounter');
  if (typeof agent !== 'string' || agent === '')
    throw new TypeError(`telemetry: agent must be a name, got ${JSON.stringify(agent)}`);
  if (typeof content !== 'boolean')
    throw new TypeError(`telemetry: content must be true or false, got ${JSON.stringify(content)}`);

  const spans = startSpanTree(tracer);
  const discretion = { content, tools: new Set<string>() };
  const countedLoops = new Set<string>();
  let instruments: Instruments | undefined;
  let account: Account | undefined;
  let asked: { readonly labels: Attributes; readonly since: number } | undefined;
  let judgeSince = 0;
  let judgeCalls: number | undefined;

  const count = (): Instruments => {
    instruments ??= createInstruments(meter ?? metrics.getMeter(scope.name, scope.version));
    return instruments;
  };
  const conversation = (): Attributes => (account ? { 'gen_ai.conversation.id': account.sessionId } : {});

  function startRequest({ promptId, sessionId }: EventOf<'prompt-start'>): void {
    if (account?.promptId !== promptId) countedLoops.clear();
    account = { promptId, sessionId, turns: 0, loops: 0, steers: 0, usage: undefined };
    spans.begin('request', `invoke_agent ${agent}`, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.conversation.id': sessionId,
      'loopfuse.prompt.id': promptId,
    });
  }

  function endRequest({ outcome }: EventOf<'prompt-end'>): void {
    spans.end('request', (span) => {
      span.setAttribute('loopfuse.outcome', outcome);
      if (account) {
        const { turns, loops, steers, usage } = account;
        span.setAttributes({ 'loopfuse.turns': turns, 'loopfuse.loops': loops, 'loopfuse.steers': steers });
        if (usage) span.setAttributes(usageAttributes(usage));
      }
      if (failures.has(outcome)) fail(span, outcome === 'error' ? unknownError : outcome);
    });
  }

  function startModel({ purpose, provider, model }: EventOf<'model-start'>): void {
    const labels = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerName(provider),
      'gen_ai.request.model': model,
    };
    asked = { labels, since: performance.now() };
    spans.begin('model', `chat ${model}`, { ...labels, ...conversation(), 'loopfuse.purpose': purpose });
    const { 'gen_ai.operation.name': _, ...about } = labels;
    if (purpose === 'turn') spans.at('request')?.setAttributes(about);
  }

  function endModel({ usage, reason, error }: EventOf<'model-end'>): void {
    spans.end('model', (span) => {
      if (usage) span.setAttributes(usageAttributes(usage));
      // A stream that was cut off has reported neither its usage nor its reason.
      if (usage && reason !== undefined && error === undefined)
        span.setAttribute('gen_ai.response.finish_reasons', [reason]);
      if (error !== undefined) fail(span, unknownError, content ? error : undefined);
    });
    if (account && usage) account.usage = sum(account.usage, usage);
    if (asked === undefined) return;
    const { labels, since } = asked;
    asked = undefined;
    count().duration.record((performance.now() - since) / 1000, {
      ...labels,
      ...(error !== undefined && { 'error.type': unknownError }),
    });
    if (usage === undefined) return;
    count().tokens.record(usage.inputTokens, { ...labels, 'gen_ai.token.type': 'input' });
    count().tokens.record(usage.outputTokens, { ...labels, 'gen_ai.token.type': 'output' });
  }

  function startTool({ id, tool }: EventOf<'tool-start'>): void {
    discretion.tools.add(tool);
    spans.begin(`tool ${id}`, `execute_tool ${tool}`, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.type': 'function',
      ...conversation(),
    });
  }

  function endTool({ id, status }: EventOf<'tool-end'>): void {
    spans.end(`tool ${id}`, (span) => {
      span.setAttribute('loopfuse.tool.status', status);
      if (status === 'failed') fail(span, status);
    });
  }

  /** A consultation without a request to a model and without an opinion is not recorded. */
  function endJudge({ opinion, failure, spending }: EventOf<'judge-end'>): void {
    const known = spending !== undefined && judgeCalls !== undefined ? spending.calls - judgeCalls : undefined;
    const calls = Math.max(known ?? (opinion || failure !== undefined ? 1 : 0), 0);
    judgeCalls = spending?.calls;
    if (calls === 0 && opinion === undefined) return;
    const seconds = (performance.now() - judgeSince) / 1000;
    spans.note('loopfuse.judge_consulted', judgeAttributes({ opinion, failure, spending, calls, seconds }, content));
    count().judgeCalls.add(calls, {
      ...(opinion && { 'loopfuse.judge.name': opinion.by }),
      ...(failure !== undefined && { 'loopfuse.judge.failed': true }),
    });
  }

  /** A loop that is steered, then refused, then halted is one loop. */
  function countLoop(report: LoopReport): void {
    const [first] = report.findings;
    const name = first && `${first.onset} ${first.lane ?? ''}`;
    if (name !== undefined && countedLoops.has(name)) return;
    if (name !== undefined) countedLoops.add(name);
    if (account) account.loops++;
    count().loops.add(1, loopLabels(report));
  }

  return (event) => {
    switch (event.type) {
      case 'prompt-start':
        return startRequest(event);
      case 'prompt-end':
        return endRequest(event);
      case 'turn-start':
        if (account) account.turns++;
        return spans.begin('turn', 'loopfuse.turn', { 'loopfuse.turn': event.turn, ...conversation() });
      case 'turn-end':
        return spans.end('turn', () => {});
      case 'model-start':
        return startModel(event);
      case 'model-end':
        return endModel(event);
      case 'tool-start':
        return startTool(event);
      case 'tool-end':
        return endTool(event);
      case 'judge-start':
        judgeSince = performance.now();
        return;
      case 'judge-end':
        return endJudge(event);
      case 'history-compressed':
        return spans.note('loopfuse.history_compressed', conversation());
      case 'loop-steered':
        countLoop(event.report);
        if (account) account.steers++;
        count().steers.add(1, { ...loopLabels(event.report), 'loopfuse.decision': event.report.decision.type });
        return spans.note('loopfuse.loop_steered', loopAttributes(event.report, discretion));
      case 'loop-detected':
        countLoop(event.report);
        return spans.note('loopfuse.loop_detected', loopAttributes(event.report, discretion));
      case 'detection-disabled':
        count().disabled.add(1);
        return spans.note('loopfuse.detection_disabled', { ...conversation(), 'loopfuse.prompt.id': event.promptId });
    }
  };
}

/** The outcomes that count as failed. A request that the user cancelled does not. */
const failures: ReadonlySet<PromptOutcome> = new Set(['error', 'loop-detected', 'max-turns']);

/** The conventions' value for an error whose class is not known. */
const unknownError = '_OTHER';

function fail(span: Span, type: string, message?: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

function sum(a: Usage | undefined, b: Usage): Usage {
  if (a === undefined) return b;
  const cacheWriteTokens = (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
  };
}

function requireMethod(option: string, value: unknown, method: string): void {
  const found = (value as Record<string, unknown> | null)?.[method];
  if (typeof found !== 'function')
    throw new TypeError(`telemetry: ${option} must be one of OpenTelemetry, with ${method}(), got ${typeof value}`);
}
