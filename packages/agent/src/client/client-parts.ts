import { randomUUID } from 'node:crypto';
import { type Detector, type Json, policies } from 'loopfuse';
import { presetNamed } from 'loopfuse/presets';
import { messageOf } from 'loopfuse/words';
import { projectMemory } from '../project-memory.js';
import { type Approvals, createApprovals } from '../scheduler/approval.js';
import { createScheduler } from '../scheduler/scheduler.js';
import { masked, secretMask } from '../session/mask-secrets.js';
import type { Session } from '../session/session.js';
import { keepSession } from '../session/session-keeper.js';
import { systemPrompt } from '../system-prompt.js';
import type { Tool } from '../tools/tool.js';
import { standardTools } from '../tools/tools.js';
import type { TraceEvent } from '../trace.js';
import { clipEnd } from '../workspace/clip.js';
import { createWorkspace } from '../workspace/workspace.js';
import { createAsk } from './ask.js';
import type { ClientOptions, LogLevel } from './client-options.js';
import { createCompressor } from './compressor.js';
import { limitsOf } from './limits.js';
import type { RunParts } from './run.js';
import { createSaver, type Saver } from './saver.js';
import { createSentry } from './sentry.js';
import { historySoFar, startState } from './state.js';

/** The parts of a client: those that a run needs, and those that only the client itself needs. */
export interface ClientParts {
  readonly run: RunParts;
  readonly approvals: Approvals;
  readonly detectors: readonly Detector[];
  readonly contextTokens: number;
  readonly sessionId: () => string;
  readonly session: () => Session;
  readonly save: Saver['save'];
}

/** Makes the parts from the options, from a saved session where there is one. Throws where an option is wrong. */
export function createClientParts(options: ClientOptions): ClientParts {
  const { maxTurns, contextTokens, compressAt, silenceSeconds, retries } = limitsOf(options);
  const { session: saved, environment = process.env, sessionFile } = options;
  const preset = presetNamed(options.preset ?? 'balanced', 'createClient: preset');
  const workspace = createWorkspace(options.root);
  const { tools = standardTools({ environment }) } = options;
  const mask = secretMask(options.secrets ?? [], environment);
  const log = (level: LogLevel, message: string, data?: unknown) =>
    options.log?.(
      level,
      mask(message),
      data === undefined ? undefined : masked(JSON.parse(JSON.stringify(data)), mask),
    );
  const state = startState(saved);
  const approvals = createApprovals(options.approval ?? 'ask', options.approve);
  const firstId = saved?.id ?? options.sessionId ?? randomUUID();
  const keeper =
    sessionFile === undefined
      ? undefined
      : keepSession({ id: firstId, file: sessionFile, revision: saved?.revision ?? 0, mask });
  const createdAt = saved?.createdAt ?? new Date().toISOString();

  const ask = createAsk({
    model: options.model,
    providerOptions: options.providerOptions,
    system: options.system ?? systemPrompt(workspace.root, process.platform, projectMemory(workspace.root)),
    tools,
    maxOutputTokens: options.maxOutputTokens,
    silenceSeconds,
    retries,
    onWarning: (message) => log('debug', message),
  });

  const detectors = options.detectors ?? preset.make({ model: () => ask.name.model });
  const sentry = createSentry(
    {
      detectors,
      policy: options.policy ?? policies[preset.policy].make(),
      ...(options.toolRules === undefined ? {} : { tools: options.toolRules }),
      ...(options.recovery === undefined ? {} : { recovery: options.recovery }),
      onFault(fault) {
        log('error', `A fault of the loop guard in ${fault.where}: ${fault.message}`);
        options.onFault?.(fault);
      },
    },
    saved?.guard,
    (event, findings) => {
      try {
        options.judge?.observe?.(event, findings);
      } catch (cause) {
        log('error', `The judge failed to observe an event: ${messageOf(cause)}`);
      }
    },
  );
  if (options.disableDetection === true) sentry.guard.release({ type: 'disable' });

  function trace(event: TraceEvent): void {
    try {
      options.trace?.(event);
    } catch (cause) {
      log('error', `The trace threw: ${messageOf(cause)}`);
    }
  }

  /** Changes when another process has continued the session. */
  const sessionId = () => keeper?.id ?? firstId;

  /** The session is saved even where the state of the judge cannot be. */
  function judgeSnapshot(): { judge?: Json } {
    if (options.judge?.snapshot === undefined) return {};
    try {
      const kept: string | undefined = JSON.stringify(options.judge.snapshot());
      return kept === undefined ? {} : { judge: JSON.parse(kept) as Json };
    } catch (cause) {
      log('error', `The state of the judge could not be saved: ${messageOf(cause)}`);
      return {};
    }
  }

  function session(): Session {
    const { title, promptId, request, turns, usage, halted } = state;
    return {
      version: 1,
      id: sessionId(),
      ...(keeper === undefined ? {} : { revision: keeper.revision }),
      root: workspace.root,
      createdAt,
      updatedAt: new Date().toISOString(),
      model: ask.name.model,
      ...(title === '' ? {} : { title }),
      ...(promptId === undefined ? {} : { promptId, request }),
      turns,
      history: historySoFar(state),
      usage,
      ...(halted === undefined ? {} : { halted }),
      guard: sentry.guard.snapshot(),
      ...judgeSnapshot(),
    };
  }

  const { save, trySave } = createSaver({ keeper, session, log });

  const run: RunParts = {
    state,
    sentry,
    preset,
    judge: options.judge,
    maxTurns,
    stronger: options.stronger,
    ask,
    scheduler: createScheduler({
      tools,
      workspace,
      approvals,
      files: options.files,
      onRun: ({ type, call: { id, tool }, status = 'ok' }) =>
        trace(type === 'start' ? { type: 'tool-start', id, tool } : { type: 'tool-end', id, tool, status }),
    }),
    compressor: createCompressor({ state, ask, contextTokens, compressAt, mask, trace }),
    titleOf: titlesBy(tools),
    save: trySave,
    mask,
    log,
    trace,
  };
  return { run, approvals, detectors, contextTokens, sessionId, session, save };
}

/** Titles of calls as their tools give them, or the input where it does not match the schema of the tool. */
function titlesBy(tools: readonly Tool[]): RunParts['titleOf'] {
  return (call) => {
    const tool = tools.find(({ name }) => name === call.tool);
    const input = tool?.schema.safeParse(call.input);
    const title = tool && input?.success ? tool.title(input.data as typeof call.input) : JSON.stringify(call.input);
    return clipEnd(title, 400);
  };
}
