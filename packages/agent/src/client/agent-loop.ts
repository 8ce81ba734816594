import { type EventOf, eventProblem } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import { choicesOf, feedbackOf, type HaltReport, reportOf } from '../guard/loop-report.js';
import { charactersPerToken } from '../history/compress.js';
import type { Message, ToolCall } from '../history/message.js';
import { guardMark } from '../history/with-note.js';
import { callErrorOf, errorInWords } from '../model/error-in-words.js';
import type { PromptOutcome } from '../trace.js';
import type { ClientEvent } from './client-event.js';
import { listen, resultEvent } from './listen.js';
import type { OpenTurn } from './open-turn.js';
import { remark } from './remark.js';
import { type Events, type Run, type RunParts, startRun, type TurnEnd } from './run.js';
import { addUsage } from './state.js';

/**
 * Works on the request at the end of the history, turn by turn, until the model is done or something ends the request.
 * In every case, also when the reader of the events stops reading, the history is left valid and the session is saved.
 * The last event says how the request ended.
 */
export async function* agentLoop(parts: RunParts, signal: AbortSignal): Events<PromptOutcome> {
  const run = startRun(parts, signal);
  let overflowed = false;
  try {
    yield* run.saved();
    for (let count = 1; ; count++) {
      if (count > run.maxTurns)
        return yield* leave(run, { type: 'max-turns', turns: run.maxTurns }, 'the turns are used up');
      const end = yield* nextTurn(run);
      switch (end.type) {
        case 'again':
          continue;
        case 'finished':
          run.settle('whole', 'it was dropped');
          return yield* leave(run, end, 'it was dropped');
        case 'halt':
          yield* halt(run, end);
          return 'loop-detected';
        case 'cancelled':
          return yield* leave(run, { type: 'user-cancelled' }, 'cancelled by the user');
        case 'error':
          run.settle('interrupted', 'the answer broke off');
          if (!overflowed && isOverflow(end.error) && (yield* compressed(run, 'now'))) {
            overflowed = true;
            run.sentry.check({ type: 'compaction' }); // reading something again is legitimate now
            continue;
          }
          return yield* leave(run, errorEvent(run, end.error), 'the answer broke off');
      }
    }
  } finally {
    run.close();
    if (run.isOpen) {
      run.settle('interrupted', 'the run was left');
      await run.save();
    }
  }
}

/** One turn: compression where the history is full, the judge, the model, the tools. */
async function* nextTurn(run: Run): Events<TurnEnd> {
  const { state, trace } = run;
  state.turns++;
  trace({ type: 'turn-start', turn: state.turns });
  try {
    if (yield* compressed(run, 'whenFull')) {
      const end = yield* run.apply(yield* run.check({ type: 'compaction' }));
      if (end) return end;
    }
    const early = (yield* run.apply(yield* run.check({ type: 'turn-start' }))) ?? (yield* consult(run));
    if (early) return early;
    if (run.signal.aborted) return { type: 'cancelled' };
    const calls: ToolCall[] = [];
    const turn = run.open();
    const ended = yield* listen(run, turn, calls);
    if (turn.usage === undefined) yield* countBrokenOff(run, turn);
    const end = ended ?? (yield* work(run, calls));
    if (end) return end;
    run.settle('whole', 'it was dropped');
    yield* run.rewindDue();
    yield* run.saved();
    return { type: 'again' };
  } finally {
    trace({ type: 'turn-end', turn: state.turns });
  }
}

/** A provider reports the usage at the end of a turn. A turn that was cut off is billed too, so its usage is estimated. */
async function* countBrokenOff({ state }: Run, { draft, weight }: OpenTurn): Events {
  const written = draft.blocks.reduce(
    (sum, block) => sum + (block.type === 'tool-call' ? JSON.stringify(block.call.input).length : block.text.length),
    0,
  );
  if (written === 0) return;
  const outputTokens = Math.ceil(written / charactersPerToken);
  const usage = { inputTokens: weight, outputTokens, cachedTokens: 0, reasoningTokens: 0 };
  state.usage = addUsage(state.usage, usage);
  yield { type: 'token-usage', usage, total: state.usage, estimated: true };
}

async function* compressed({ compressor, signal }: Run, when: 'now' | 'whenFull'): Events<boolean> {
  return yield* compressor[when](signal);
}

/** Asks the judge, if there is one, and applies the decision about its opinion. */
async function* consult(run: Run): Events<TurnEnd | undefined> {
  const { judge, trace } = run;
  if (judge === undefined || run.signal.aborted) return undefined;
  trace({ type: 'judge-start' });
  const { opinion, failure: why } = await opinionOf(run, judge);
  const spending = judge.spending === undefined ? {} : { spending: judge.spending };
  const failure = why === undefined ? undefined : run.mask(why);
  trace({
    type: 'judge-end',
    ...(opinion === undefined ? {} : { opinion }),
    ...(failure === undefined ? {} : { failure }),
    ...spending,
  });
  if (run.signal.aborted) return { type: 'cancelled' };
  if (failure !== undefined) yield remark(run.state, { type: 'judge-failed', message: failure, ...spending });
  if (opinion === undefined) return undefined;
  const decision = yield* run.check(opinion);
  yield { type: 'judge-consulted', opinion, ...spending };
  return yield* run.apply(decision);
}

/** Why the value is not a valid opinion. A judge may be third-party code, so its answer is checked. */
function opinionProblem(opinion: EventOf<'opinion'>): string | undefined {
  const problem = eventProblem(opinion);
  if (problem !== undefined) return `its opinion was ignored: ${problem}`;
  const { type, confidence } = opinion;
  if (type !== 'opinion') return `its opinion was ignored: it is an event of type ${JSON.stringify(type)}`;
  if (confidence >= 0 && confidence <= 1) return undefined;
  return `its opinion was ignored: the confidence must be from 0 to 1, got ${String(confidence)}`;
}

/** The turn waits for the judge, which may be third-party code. Our own judge gives up much earlier. */
const judgeWithinMs = 60_000;

async function opinionOf(
  { state, sentry, signal, log }: Run,
  judge: NonNullable<Run['judge']>,
): Promise<{ readonly opinion?: EventOf<'opinion'>; readonly failure?: string }> {
  const { promptId = '', turns: turn, request, history } = state;
  const failures = judge.spending?.failures ?? 0;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), judgeWithinMs);
  const ended = AbortSignal.any([signal, late.signal]);
  const aborted = new Promise<undefined>((resolve, reject) => {
    const seconds = judgeWithinMs / 1000;
    const onAbort = () =>
      signal.aborted ? resolve(undefined) : reject(new Error(`it did not answer within ${seconds} seconds`));
    ended.addEventListener('abort', onAbort, { once: true });
  });
  try {
    const context = { promptId, turn, request, history, findings: sentry.findings };
    const opinion = (await Promise.race([judge.consult(context, ended), aborted])) ?? undefined;
    if (opinion !== undefined) {
      const failure = opinionProblem(opinion);
      return failure === undefined ? { opinion } : { failure };
    }
    const failed = !signal.aborted && (judge.spending?.failures ?? 0) > failures;
    return failed ? { failure: judge.failure ?? 'no reason was given' } : {};
  } catch (cause) {
    if (signal.aborted) return {};
    log('warn', `The judge failed and gave no opinion: ${messageOf(cause)}`);
    return { failure: messageOf(cause) };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the calls of a turn. The answer and each result are saved before the next call runs. */
async function* work(run: Run, calls: readonly ToolCall[]): Events<TurnEnd | undefined> {
  let left = calls.length;
  if (left > 0) yield* run.saved();
  for await (const event of run.scheduler.run(calls, run.signal)) {
    if (event.type === 'output') {
      yield { type: 'tool-call-output', id: event.id, text: event.text };
      continue;
    }
    const { result, display } = event;
    if (run.signal.aborted) {
      yield* run.give(result, display); // partial output of a cancelled call; the guard must not count it
      continue;
    }
    const decision = yield* run.check(resultEvent(result.id, result.output, result.status));
    yield* run.give(result, display);
    const end = yield* run.apply(decision);
    if (end) return end;
    if (--left > 0) yield* run.saved();
  }
  return run.signal.aborted ? { type: 'cancelled' } : undefined;
}

/** Ends the run because of a loop. The history is complete and saved before the event is sent. */
async function* halt(run: Run, { decision, cut }: Extract<TurnEnd, { type: 'halt' }>): Events {
  const { state, sentry, preset } = run;
  run.close();
  const dropped = run.settle('interrupted', 'the loop guard halted the run', cut);
  const report: HaltReport = {
    ...reportOf(sentry.guard, decision),
    choices: preset.choices ?? choicesOf(decision),
    resumes: preset.resumes,
    dropped,
    usage: state.usage,
  };
  if (preset.feedback)
    state.history = [...state.history, { role: 'user', from: 'guard', text: `${guardMark} ${feedbackOf(report)}` }];
  state.halted = report;
  remark(state, { type: 'loop-detected', ...report });
  run.log('warn', `Loop detected (${report.kind}): ${report.explanation}`, report);
  run.trace({ type: 'loop-detected', promptId: state.promptId ?? '', report });
  yield* run.saved();
  yield { type: 'loop-detected', ...report };
}

/** Sends the last event of the request. The history is complete and saved before that. */
async function* leave(
  run: Run,
  event: Extract<ClientEvent, { type: 'finished' | 'max-turns' | 'user-cancelled' | 'error' }>,
  missing: string,
): Events<PromptOutcome> {
  run.settle('interrupted', missing);
  if (event.type !== 'finished' || event.reason !== 'stop' || !endsInWords(run.state.history)) remark(run.state, event);
  yield* run.saved();
  yield event;
  return event.type;
}

/** Whether the history ends with text of the model. Then the event `finished` adds no information. */
function endsInWords(history: readonly Message[]): boolean {
  const last = history.at(-1);
  return last?.role === 'assistant' && last.parts.some((part) => part.type === 'text' && part.text.trim() !== '');
}

function errorEvent({ log, mask }: Run, error: unknown): Extract<ClientEvent, { type: 'error' }> {
  const message = mask(errorInWords(error));
  log('error', `The request failed: ${message}`);
  const status = callErrorOf(error)?.statusCode;
  return { type: 'error', message, ...(status === undefined ? {} : { status }) };
}

/** Whether a provider refused a request because it is too long. Each provider words this differently. */
function isOverflow(error: unknown): boolean {
  const found = callErrorOf(error);
  if (found === undefined || (found.statusCode !== 400 && found.statusCode !== 413)) return false;
  return /context.{0,20}(?:length|window|size|limit)|too (?:long|large|many tokens)|maximum.{0,20}tokens|token count.{0,20}exceed/i.test(
    `${found.message} ${found.responseBody ?? ''}`,
  );
}
