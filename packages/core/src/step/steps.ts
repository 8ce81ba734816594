import type { AgentEvent, EventOf, Json } from '../event.js';
import { type Exemption, isExempt } from '../exemption.js';
import { shortKey } from '../value/short-key.js';
import { changeOf } from './change.js';
import { cue } from './cues.js';
import { effectOf, natureOf } from './effect.js';
import { readError, refusedByPerson } from './error.js';
import { clipped, identify } from './identity.js';
import { isWaiting, mayWait, outcomeOf, textOf } from './outcome.js';
import type { Step } from './step.js';
import type { RuleOf } from './tool-rules.js';

/** Joins calls with their results: one per lane. Keeps fingerprints of the calls under way, never their inputs. */
export interface Steps {
  /** `hidden` is true for a call or result of an exempted tool; `steps` are the steps that this event completes. */
  observe(event: AgentEvent, seq: number, exemptions: readonly Exemption[]): Observed;
  /** The model said or thought something. */
  spoke(): void;
  /** A call under way that will not run after all. */
  withdraw(id: string): void;
  /** Fingerprint of a call under way. */
  callOf(id: string): number | undefined;
  save(): Json;
  load(saved: Json): void;
}

interface Observed {
  readonly hidden: boolean;
  readonly steps: readonly Step[];
}

/** A call under way: the step it will be, as far as it is known. */
type Pending = Writable<Step> & {
  id: string;
  /** The words of the input, hashed, so that their echo in the result can be told. */
  words: number[];
  hidden: boolean;
  /** Whether another call that came later has its result: then this one's will not come any more. */
  passed: boolean;
};

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A model that has been silent for more calls than this is one that works in silence. */
const longestBreath = 32;
/** Longer names are cut, so that the state stays small whatever a host sends. */
const longestName = 120;
/** More calls than this without a result, and the oldest is taken for unanswered. */
const mostPending = 16;
const none: readonly Step[] = [];
const nothing = { hidden: false, steps: none } as const;
const hiddenEvent = { hidden: true, steps: none } as const;

export function createSteps(ruleOf: RuleOf): Steps {
  let pending: Pending[] = [];
  // How often the model has said something before a call, and how many calls ago it last did.
  let breaths = 0;
  let since = 0;
  let spoken = false;
  let bounded = false; // a turn or a prompt began

  /** Whether a call comes in the same breath as the one before it: nothing was said between, in a session that talks. */
  function drawBreath(): boolean {
    const same = !spoken && !bounded && breaths >= 2 && since < longestBreath;
    since = spoken ? 1 : since + 1;
    if (spoken) breaths = Math.min(2, breaths + 1);
    spoken = false;
    bounded = false;
    return same;
  }

  function begin(event: EventOf<'tool-call'>, seq: number, exemptions: readonly Exemption[]): Observed {
    // A model asks again only when all results of its last request are in: what is missing now stays missing.
    const steps = pending.length === 0 ? none : giveUp(seq, pending.some((call) => call.passed) ? 0 : mostPending - 1);
    const { id, tool, input } = event;
    const rule = ruleOf(tool);
    const { call, sketch, gist, words } = identify(tool, input, rule?.identity);
    const hidden = rule?.exempt === true || (exemptions.length > 0 && isExempt(exemptions, tool, input));
    const nature = natureOf(tool);
    const effect = rule?.effect ?? effectOf(tool, input, nature);
    // All fields in one order, whatever the call: detectors read many, and one shape of object is read fastest.
    const begun: Pending = {
      type: 'step',
      id: shortKey(id),
      seq,
      callSeq: seq,
      tool: tool.length > longestName ? clipped(tool, longestName) : tool,
      effect,
      shell: nature === 'shell',
      call,
      sketch,
      status: 'unseen',
      outcome: 0,
      exact: 0,
      shape: 0,
      trivial: false,
      size: 0,
      error: undefined,
      refused: false,
      mutated: false,
      sameBreath: drawBreath(),
      label: gist,
      change: effect === 'write' ? changeOf(input) : undefined,
      times: rule?.times,
      words,
      hidden,
      passed: false,
    };
    pending.push(begun);
    return !hidden && steps === none ? nothing : { hidden, steps };
  }

  function end(event: EventOf<'tool-result'>, seq: number): Observed {
    // Some logs give results no id: they belong to the oldest call without one.
    const key = shortKey(event.id);
    const at = key === '' ? Math.min(0, pending.length - 1) : pending.findIndex((call) => call.id === key);
    if (at < 0) return nothing; // a result of a call that was never shown, or given up
    const call = pending[at]!;
    if (pending.length === 1) pending.pop();
    else pending.splice(at, 1);
    for (let k = 0; k < at; k++) pending[k]!.passed = true;
    return call.hidden ? hiddenEvent : { hidden: false, steps: [answered(call, event, seq)] };
  }

  function giveUp(seq: number, keep: number): readonly Step[] {
    if (pending.length <= keep) return none;
    const given = pending.splice(0, pending.length - keep);
    return given.filter((call) => !call.hidden).map((call) => unanswered(call, seq));
  }

  return {
    observe(event, seq, exemptions) {
      switch (event.type) {
        case 'tool-call':
          return begin(event, seq, exemptions);
        case 'tool-result':
          return end(event, seq);
        case 'turn-start':
        case 'prompt':
          bounded = true;
          return pending.length === 0 ? nothing : { hidden: false, steps: giveUp(seq, 0) };
        case 'retry':
          pending = []; // they were never run
          return nothing;
        default:
          return nothing;
      }
    },
    spoke() {
      spoken = true;
    },
    withdraw(id) {
      pending = pending.filter((call) => call.id !== shortKey(id));
    },
    callOf: (id) => pending.find((call) => call.id === shortKey(id))?.call,
    save: () => ({ pending, breaths, since, spoken, bounded }) as unknown as Json,
    load(saved) {
      const from = saved as unknown as {
        pending: Pending[];
        breaths: number;
        since: number;
        spoken: boolean;
        bounded: boolean;
      };
      if (!Array.isArray(from?.pending) || !from.pending.every(isPending))
        throw new TypeError('the calls under way are not a list of calls');
      if (!Number.isSafeInteger(from.breaths) || !Number.isSafeInteger(from.since))
        throw new TypeError('the breaths are not counted');
      ({ pending, breaths, since } = from);
      spoken = from.spoken === true;
      bounded = from.bounded === true;
    },
  };
}

/** Completes the step of a call with its result. */
function answered(step: Pending, { output, failed }: EventOf<'tool-result'>, seq: number): Step {
  const text = textOf(output);
  const { masked, exact, shape, cues, trivial } = outcomeOf(text, step.words);
  const error =
    failed === true || (failed === undefined && (cues & cue.complaint) !== 0)
      ? readError(text, failed, step.effect, cues)
      : undefined;
  step.seq = seq;
  step.status = error ? 'failed' : 'ok';
  step.outcome = masked;
  step.exact = exact;
  step.shape = shape;
  step.trivial = trivial;
  step.size = text.length;
  step.error = error;
  step.refused = (cues & cue.person) !== 0 && refusedByPerson(text);
  step.mutated = error === undefined && step.effect === 'write';
  if (error === undefined && step.effect !== 'write' && mayWait(text, cues) && isWaiting(text)) step.effect = 'poll';
  return step;
}

function unanswered(step: Pending, seq: number): Step {
  step.seq = seq;
  return step;
}

function isPending(value: unknown): boolean {
  const call = value as Pending | null;
  return (
    typeof call === 'object' &&
    call !== null &&
    typeof call.id === 'string' &&
    typeof call.tool === 'string' &&
    typeof call.label === 'string' &&
    Array.isArray(call.words) &&
    [call.seq, call.callSeq, call.call, call.sketch].every(Number.isFinite)
  );
}
