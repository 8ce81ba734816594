import { messageOf } from 'loopfuse/words';
import type { z } from 'zod';
import type { ResultStatus, ToolCall, ToolResult } from '../history/message.js';
import { notRun } from '../history/repair.js';
import type { Display, Tool, ToolContext, ToolOutcome } from '../tools/tool.js';
import { clipMiddle, maxOutput } from '../workspace/clip.js';
import { diskFiles, type Files } from '../workspace/files.js';
import type { Workspace } from '../workspace/workspace.js';
import type { Approvals, Verdict } from './approval.js';
import { createChannel } from './channel.js';

export type SchedulerEvent =
  | { readonly type: 'output'; readonly id: string; readonly text: string }
  | { readonly type: 'result'; readonly result: ToolResult; readonly display?: Display };

export interface SchedulerOptions {
  readonly tools: readonly Tool[];
  readonly workspace: Workspace;
  readonly approvals: Approvals;
  readonly files?: Files | undefined;
  /** Called when a call starts to run and when it ends. Calls that are refused do not run. */
  readonly onRun?: (step: { type: 'start' | 'end'; call: ToolCall; status?: ResultStatus }) => void;
  /** In milliseconds. */
  readonly now?: () => number;
}

/** Runs the calls of one turn. */
export interface Scheduler {
  /**
   * Consecutive reads run in parallel, all other calls alone and in order. There is one result for each call, in the
   * order of the calls. Output is passed on as it is written. Never rejects: an error is a failed result. After an abort
   * the results come soon, even from a tool that ignores the signal.
   */
  run(calls: readonly ToolCall[], signal: AbortSignal): AsyncGenerator<SchedulerEvent, void>;
}

/** The maximum number of parallel reads. */
const maxBeside = 8;

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { tools, workspace, approvals, files = diskFiles, onRun = () => {}, now = () => performance.now() } = options;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));

  async function execute(call: ToolCall, signal: AbortSignal, onOutput: (text: string) => void): Promise<Outcome> {
    if (signal.aborted) return dropped;
    const tool = byName.get(call.tool);
    if (tool === undefined)
      return failed(`There is no tool ${call.tool}. The tools are: ${[...byName.keys()].join(', ')}.`);
    const checked = tool.schema.safeParse(call.input);
    if (!checked.success) return failed(`The arguments of ${call.tool} are wrong. ${problemsOf(checked.error)}`);
    const input = checked.data as ToolCall['input'];
    const context: ToolContext = { workspace, files, signal, onOutput };
    try {
      const verdict = await unlessAborted(approvals.decide(tool, { ...call, input }, context), signal, 0);
      if (verdict === 'aborted') return dropped;
      if (verdict.type === 'withdrawn') return unanswered;
      if (verdict.type === 'refused') return refused(verdict);
    } catch (cause) {
      return failed(messageOf(cause));
    }
    onRun({ type: 'start', call });
    const began = now();
    const ran = await runTool(tool, input, context);
    const milliseconds = Math.round(now() - began);
    onRun({ type: 'end', call, status: ran.status });
    return { ...ran, milliseconds };
  }

  return {
    async *run(calls, signal) {
      for (const batch of batches(calls, (call) => byName.get(call.tool)?.effect === 'read')) {
        const channel = createChannel<SchedulerEvent>();
        const running = batch.map((call) =>
          execute(call, signal, (text) => channel.push({ type: 'output', id: call.id, text })),
        );
        void report(batch, running, channel.push).finally(channel.close);
        yield* channel;
      }
    },
  };
}

interface Outcome {
  readonly status: ResultStatus;
  readonly outcome: ToolOutcome;
  /** What the user wants instead of a call that was refused. */
  readonly instead?: string;
  /** How long it ran. */
  readonly milliseconds?: number;
}

async function runTool(tool: Tool, input: ToolCall['input'], context: ToolContext): Promise<Outcome> {
  try {
    const outcome = await unlessAborted(tool.run(input, context), context.signal, patience);
    if (outcome === 'aborted') return { status: 'cancelled', outcome: { output: cancelled } };
    if (context.signal.aborted) return { status: 'cancelled', outcome };
    return { status: outcome.failed === true ? 'failed' : 'ok', outcome };
  } catch (cause) {
    if (context.signal.aborted) return { status: 'cancelled', outcome: { output: cancelled } };
    return failed(messageOf(cause));
  }
}

async function report(
  batch: readonly ToolCall[],
  running: readonly Promise<Outcome>[],
  push: (event: SchedulerEvent) => void,
): Promise<void> {
  for (const [index, { id, tool }] of batch.entries()) {
    const { status, outcome, instead, milliseconds } = await running[index]!;
    const output = clipMiddle(outcome.output, 2 * maxOutput) || '(no output)';
    push({
      type: 'result',
      result: {
        ...{ id, tool, output, status },
        ...(instead === undefined ? {} : { instead }),
        ...(milliseconds === undefined || milliseconds < worthTelling ? {} : { milliseconds }),
      },
      ...(outcome.display === undefined ? {} : { display: outcome.display }),
    });
  }
}

/** The duration of a shorter call is not reported; in milliseconds. */
const worthTelling = 1000;

/** The calls in order, with consecutive reads in one batch. */
export function batches(calls: readonly ToolCall[], isRead: (call: ToolCall) => boolean): readonly ToolCall[][] {
  const all: ToolCall[][] = [];
  let open: ToolCall[] | undefined;
  for (const call of calls) {
    if (!isRead(call)) {
      all.push([call]);
      open = undefined;
    } else if (open !== undefined && open.length < maxBeside) open.push(call);
    else {
      open = [call];
      all.push(open);
    }
  }
  return all;
}

/** How long to wait for the partial output of a tool after an abort, in milliseconds. */
const patience = 1000;

async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  milliseconds: number,
): Promise<Value | 'aborted'> {
  let onAbort = () => {};
  let timer: NodeJS.Timeout | undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve('aborted'), milliseconds);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

const cancelled = 'Cancelled by the user.';
const unanswered: Outcome = {
  status: 'not-run',
  outcome: { output: notRun('the request was stopped before the user had answered whether it may run') },
};
const dropped: Outcome = { status: 'not-run', outcome: { output: notRun('cancelled by the user') } };

function refused({ why, instead }: Extract<Verdict, { type: 'refused' }>): Outcome {
  return { status: 'refused', outcome: { output: why }, ...(instead === undefined ? {} : { instead }) };
}

function failed(output: string): Outcome {
  return { status: 'failed', outcome: { output } };
}

function problemsOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 8)
    .map((issue) => `${issue.path.length === 0 ? 'In all' : issue.path.join('.')}: ${issue.message}.`)
    .join(' ');
}
