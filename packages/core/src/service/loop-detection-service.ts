import type { AgentEvent } from '../event.js';
import type { Finding, LoopKind } from '../finding.js';
import { afterAnswer, countTurn, isDue, type JudgeSchedule, startSchedule } from '../judge-schedule.js';
import { type Preset, type PresetName, presetNamed } from '../presets/registry.js';
import { aFunction, type Check, checked, optional } from '../shape.js';
import { createWatch, type Watch } from '../watch/watch.js';
import { messageOf } from '../words/message-of.js';
import { type JudgeAnswer, type JudgeRequest, type Signal, unlessAborted } from './judge.js';
import { recentHistory } from './recent-history.js';
import { readStreamEvent, type StreamEvent } from './stream-event.js';

export type { PresetName };
export type LoopType = 'consecutive_identical_tool_calls' | 'chanting_identical_sentences' | 'llm_detected_loop';
export type LogLevel = 'debug' | 'info' | 'warn';

export interface LoopDetectionServiceOptions {
  readonly preset: PresetName;
  /** The model in use; asked at each reset. */
  readonly model?: () => string;
  /** Asks the judge for a second opinion. Without it, no judge is asked. */
  readonly judge?: (request: JudgeRequest, signal: Signal) => Promise<JudgeAnswer>;
  /** The conversation so far, for the judge. */
  readonly history?: () => readonly unknown[];
  /** Whether the configuration switches loop detection off; asked at each event and turn. */
  readonly disabled?: () => boolean;
  /** Once per detection. */
  readonly onDetected?: (detected: { readonly type: LoopType; readonly promptId: string }) => void;
  /** Once, when the session is switched off. */
  readonly onDisabled?: (disabled: { readonly promptId: string }) => void;
  readonly log?: (level: LogLevel, line: string) => void;
}

const mayBeFunction = optional(aFunction);
/** All but the preset must be functions: `disabled: true`, for example, could not be called at each event. */
const optionsLike: { readonly [Name in Exclude<keyof LoopDetectionServiceOptions, 'preset'>]: Check } = {
  model: mayBeFunction,
  judge: mayBeFunction,
  history: mayBeFunction,
  disabled: mayBeFunction,
  onDetected: mayBeFunction,
  onDisabled: mayBeFunction,
  log: mayBeFunction,
};

/**
 * Our engine behind the methods that Gemini CLI, Qwen Code and DeepV Code call. One for each session: call `reset` at
 * each request of the user, `turnStarted` before the model is asked, and `addAndCheck` for every event of its stream.
 * True means a loop: stop. The constructor throws if an option is wrong. After that no argument makes it throw; what it
 * cannot use, it logs.
 */
export class LoopDetectionService {
  readonly #options: LoopDetectionServiceOptions;
  readonly #preset: Preset;
  readonly #watch: Watch;
  #promptId = '';
  #model = '';
  #events = 0;
  #prompts = 0;
  #schedule: JudgeSchedule = startSchedule();
  #looping = false;
  #detected: LoopType | null = null;
  #disabledForSession = false;

  constructor(options: LoopDetectionServiceOptions) {
    this.#options = checked(
      optionsLike,
      options,
      'LoopDetectionService: options',
    ) as unknown as LoopDetectionServiceOptions;
    this.#preset = presetNamed(options.preset, 'LoopDetectionService: preset');
    this.#watch = createWatch({
      detectors: this.#preset.make({ model: () => this.#model }),
      onFault: ({ where, message }) => this.#log('warn', `Loop detection had a fault in ${where}: ${message}`),
    });
  }

  /** A new request of the user: everything starts from scratch, but a session that is switched off stays off. */
  reset(promptId: string): void {
    this.#promptId = textOr(promptId, '');
    this.#prompts++;
    this.#schedule = startSchedule();
    this.#looping = false;
    this.#detected = null;
    this.#model = textOr(this.#ask('model', this.#options.model, ''), '');
    const note = this.#preset.noteOn?.(this.#model);
    if (note !== undefined) this.#log('info', note);
    this.#watch.observe({ type: 'prompt', id: this.#promptId });
  }

  /** True at the event that completes a loop and at every event after it, until the next reset. */
  addAndCheck(event: StreamEvent): boolean {
    if (this.#isDisabled()) return false;
    if (this.#looping) return true;
    const reading = this.#read(event);
    if (reading === 'ignored') return false;
    if ('problem' in reading) {
      this.#log('warn', `A stream event was ignored: ${reading.problem}.`);
      return false;
    }
    this.#looping = this.#show(reading);
    return this.#looping;
  }

  /** Counts a turn, and asks the judge if that is due. True for a loop; unlike `addAndCheck` it reports it once. */
  async turnStarted(signal: Signal): Promise<boolean> {
    if (this.#isDisabled()) return false;
    if (!this.#looping && this.#show({ type: 'turn-start' })) {
      this.#looping = true;
      return true;
    }
    this.#schedule = countTurn(this.#schedule);
    if (!isDue(this.#schedule) || this.#options.judge === undefined) return false;
    const prompts = this.#prompts;
    const answer = await this.#judged(signal);
    // An answer about an earlier request says nothing about this one.
    if (answer === undefined || prompts !== this.#prompts || this.#isDisabled()) return false;
    this.#schedule = afterAnswer(this.#schedule, answer.confidence);
    return this.#show({ type: 'opinion', by: 'judge', ...answer });
  }

  /** What was detected last since the reset. */
  getDetectedLoopType(): LoopType | null {
    return this.#detected;
  }

  /** From now on nothing is reported as a loop, not even one that was already found. */
  disableForSession(): void {
    if (this.#disabledForSession) return;
    this.#disabledForSession = true;
    this.#tell('onDisabled', () => this.#options.onDisabled?.({ promptId: this.#promptId }));
  }

  #read(event: StreamEvent): ReturnType<typeof readStreamEvent> {
    try {
      return readStreamEvent(event, ++this.#events);
    } catch (cause) {
      return { problem: messageOf(cause) };
    }
  }

  /** Passes an event to the engine; true if it completes a loop. */
  #show(event: AgentEvent): boolean {
    const verdict = this.#watch.observe(event);
    if (verdict.status !== 'looping') return false;
    const finding = verdict.findings.find(({ status }) => status === 'looping') as Finding;
    const type = loopTypes[finding.kind];
    const promptId = this.#promptId;
    this.#detected = type;
    this.#log('warn', `A loop was found: ${this.#watch.explain(finding)}`);
    this.#tell('onDetected', () => this.#options.onDetected?.({ type, promptId }));
    return true;
  }

  async #judged(signal: Signal): Promise<JudgeAnswer | undefined> {
    const { judge, history = () => [] } = this.#options;
    try {
      const request: JudgeRequest = {
        promptId: this.#promptId,
        turn: this.#schedule.turn,
        model: this.#model,
        history: recentHistory(history()),
      };
      const { analysis, confidence } = await unlessAborted(() => judge!(request, signal), signal);
      if (isConfidence(confidence)) return { analysis: textOr(analysis, ''), confidence };
      const given = typeof confidence === 'number' ? String(confidence) : textOr(confidence, typeof confidence);
      this.#log('warn', `The judge gave ${given} for a confidence, which is a number from 0 to 1.`);
    } catch (cause) {
      this.#log('debug', `The judge gave no answer: ${messageOf(cause)}`);
    }
    return undefined;
  }

  #isDisabled(): boolean {
    return this.#disabledForSession || this.#ask('disabled', this.#options.disabled, false) === true;
  }

  #ask<Answer>(name: string, question: (() => Answer) | undefined, otherwise: Answer): Answer {
    if (question === undefined) return otherwise;
    try {
      return question();
    } catch (cause) {
      this.#log('warn', `Loop detection could not ask ${name}: ${messageOf(cause)}`);
      return otherwise;
    }
  }

  #tell(name: string, tell: () => void): void {
    try {
      tell();
    } catch (cause) {
      this.#log('warn', `${name} threw: ${messageOf(cause)}`);
    }
  }

  #log(level: LogLevel, line: string): void {
    try {
      this.#options.log?.(level, line);
    } catch {
      // There is nowhere left to report a log that throws; the agent goes on.
    }
  }
}

/** The ancestors know only three types of loop. */
const loopTypes: { readonly [Kind in LoopKind]: LoopType } = {
  'repeated-calls': 'consecutive_identical_tool_calls',
  cycle: 'consecutive_identical_tool_calls',
  'repeated-failure': 'consecutive_identical_tool_calls',
  'same-outcome': 'consecutive_identical_tool_calls',
  oscillation: 'consecutive_identical_tool_calls',
  stall: 'consecutive_identical_tool_calls',
  budget: 'consecutive_identical_tool_calls',
  chanting: 'chanting_identical_sentences',
  circling: 'chanting_identical_sentences',
  monologue: 'chanting_identical_sentences',
  judged: 'llm_detected_loop',
};

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function isConfidence(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
