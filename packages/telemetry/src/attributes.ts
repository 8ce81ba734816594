import type { JudgeSpending, LoopReport, TraceEvent, Usage } from '@loopfuse/agent';
import type { Attributes } from '@opentelemetry/api';

type Opinion = NonNullable<Extract<TraceEvent, { type: 'judge-end' }>['opinion']>;

/** What may be exported beyond measurements. */
export interface Discretion {
  readonly content: boolean;
  /** The tools that have run. Other names were invented by the model, so they are content. */
  readonly tools: ReadonlySet<string>;
}

/** The labels of a loop in counters. */
export function loopLabels({ kind, findings: [first] }: LoopReport): Attributes {
  return { 'loopfuse.loop.kind': kind, ...(first && { 'loopfuse.loop.detector': first.detector }) };
}

/** A decision of the guard: with our own attributes, and as the result of an evaluation, which other tools understand. */
export function loopAttributes(report: LoopReport, { content, tools }: Discretion): Attributes {
  const { kind, waste, decision, explanation, findings } = report;
  const [first] = findings;
  const involved = [...new Set(findings.flatMap((finding) => finding.tools))].filter((tool) => tools.has(tool));
  return {
    ...loopLabels(report),
    'loopfuse.decision': decision.type,
    'loopfuse.waste.calls': waste.calls,
    'loopfuse.waste.characters': waste.characters,
    'loopfuse.waste.tokens': waste.tokens,
    ...(involved.length > 0 && { 'loopfuse.loop.tools': involved }),
    'gen_ai.evaluation.name': 'loopfuse.loop',
    'gen_ai.evaluation.score.label': kind,
    ...(first && { 'loopfuse.loop.confidence': first.confidence, 'gen_ai.evaluation.score.value': first.confidence }),
    ...(content && { 'gen_ai.evaluation.explanation': explanation }),
  };
}

export interface Consultation {
  readonly opinion: Opinion | undefined;
  /** Why there is none. */
  readonly failure?: string | undefined;
  readonly spending: JudgeSpending | undefined;
  /** The number of requests to models. */
  readonly calls: number;
  readonly seconds: number;
}

export function judgeAttributes(
  { opinion, failure, spending, calls, seconds }: Consultation,
  content: boolean,
): Attributes {
  return {
    'loopfuse.judge.calls': calls,
    'loopfuse.judge.duration': seconds,
    ...(spending && {
      'loopfuse.judge.total.calls': spending.calls,
      'loopfuse.judge.total.input_tokens': spending.inputTokens,
      'loopfuse.judge.total.output_tokens': spending.outputTokens,
    }),
    ...(spending?.failures !== undefined && { 'loopfuse.judge.total.failures': spending.failures }),
    ...(failure !== undefined && { 'loopfuse.judge.failed': true }),
    ...(failure !== undefined && content && { 'error.message': failure }),
    ...(spending?.cost !== undefined && { 'loopfuse.judge.total.cost': spending.cost }),
    ...(opinion && {
      'loopfuse.judge.name': opinion.by,
      'gen_ai.evaluation.name': 'loopfuse.judge',
      'gen_ai.evaluation.score.value': opinion.confidence,
    }),
    ...(opinion && content && { 'gen_ai.evaluation.explanation': opinion.analysis }),
  };
}

export function usageAttributes(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
    ...(cacheWriteTokens !== undefined && { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
  };
}
