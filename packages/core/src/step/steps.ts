import type { AgentEvent, EventOf, Json } from '../event.js';
import { type Exemption, isExempt } from '../exemption.js';
import { addCode, digest, startHash } from '../value/fingerprint.js';
import { shortKey } from '../value/short-key.js';
import { askedInName, askedOf, mayCallOthers } from './dispatch.js';
import { effectOf, isPicture, natureOfCall } from './effect.js';
import { identify, shortTool, unwrapped } from './identity.js';
import {
  answered,
  messageStep,
  type Pending,
  pendingStep,
  savedCall,
  seenAfter,
  shownPromptStep,
  shownStep,
} from './pending.js';
import { isView, openingLength, repeatedPrompt, withoutLabel } from './prompts.js';
import type { Step } from './step.js';
import { freshState, loadState, longestMessage, mostInTurn, mostPending, type State } from './steps-state.js';
import { createSurroundings } from './surroundings.js';
import { actionIn } from './told-action.js';
import type { RuleOf } from './tool-rules.js';

/**
 * Joins calls with their results; each lane has its own. Keeps fingerprints of the calls under way, never their inputs.
 *
 * A call is complete when its result comes, or when the model goes on without it. A result that no call asked for, and
 * a prompt that a harness repeats, are taken as answers to the last message of the model.
 */
export interface Steps {
  observe(event: AgentEvent, seq: number, exemptions: readonly Exemption[]): Observed;
  /** The model said or thought something. */
  spoke(event: EventOf<'text' | 'reasoning'>): void;
  /** A call under way that will not run after all. */
  withdraw(id: string): void;
  /** Fingerprint of a call under way. */
  callOf(id: string): number | undefined;
  save(): Json;
  load(saved: Json): void;
}

export interface Observed {
  /** True for a call or result of an exempted tool, and for a line that was logged twice. */
  readonly hidden: boolean;
  /** True for a prompt that the user did not write, for example when a harness gives the same answer again. */
  readonly harness?: boolean;
  /** The steps that this event completes. */
  readonly steps: readonly Step[];
}

/** A model that was silent for this many calls is taken for one that works in silence. */
const longestSilence = 32;
/** After this many calls in a row without a result, the host is taken for one that shows no results any more. */
const muteAfter = 3;
/** The same for a host that has never shown a result. */
const muteFromStart = 1;
/** While no result has ever come, more calls than this are not taken for one request, unless a turn goes on. */
const mostTwins = 8;
/** A model that has called nothing for this many prompts is taken for one that uses no tools any more. */
const longTalk = 3;
/** A text before a call that is shorter than this is no thought to compare. Only this much of a thought is read. */
const shortestThought = 48;
const readOfThought = 256;
const none: readonly Step[] = [];
const nothing: Observed = { hidden: false, steps: none };
const hiddenEvent: Observed = { hidden: true, steps: none };

export function createSteps(ruleOf: RuleOf): Steps {
  let state = freshState();

  /** Whether a call may be in the same request as the last: nothing was said in between, though the model talks. */
  function isBatched(): boolean {
    const same = !state.spoken && !state.bounded && state.remarks >= 2 && state.since < longestSilence;
    state.since = state.spoken ? 1 : state.since + 1;
    if (state.spoken) state.remarks = Math.min(2, state.remarks + 1);
    if (state.spoken || state.bounded) state.request++;
    state.spoken = false;
    state.bounded = false;
    return same;
  }

  function begin(event: EventOf<'tool-call'>, seq: number, exemptions: readonly Exemption[]): Observed {
    const { id, tool } = event;
    const whole = unwrapped(event.input); // parsed once, for all readers
    const rule = ruleOf(tool);
    const inner = rule === undefined && mayCallOthers(tool) ? (askedOf(whole) ?? askedInName(tool, whole)) : undefined;
    const { tool: called, input } = inner ?? { tool, input: whole };
    const identity = identify(called, input, rule?.identity);
    const key = shortKey(id);
    const asked = input === null ? undefined : identity.call;
    if (key !== '' && isUnderWay(state.pending, key, asked)) return hiddenEvent;
    const batched = isBatched();
    const given = state.pending.length === 0 ? none : giveUpOld();
    const hidden = rule?.exempt === true || (exemptions.length > 0 && isExempt(exemptions, tool, event.input));
    const nature = natureOfCall(called, input);
    const effect = rule?.effect ?? effectOf(called, input, nature);
    state.last = null;
    const begun = pendingStep(seq, key, shortTool(tool), identity);
    begun.remark = state.message.length;
    state.message = state.musing = '';
    state.talk = 0;
    if (asked === undefined) begun.call = begun.skeleton = begun.target = ~seq; // what it asks is unknown
    begun.effect = effect;
    begun.shell = nature === 'shell';
    begun.batched = batched;
    begun.thought = takeThought(state);
    begun.times = rule?.times;
    begun.hidden = hidden;
    begun.request = state.request;
    begun.picture = isPicture(nature, input);
    if (state.unanswered >= (state.answers ? muteAfter : muteFromStart) && !hidden) {
      // Its result is not waited for. But if one comes after all, the host shows results again.
      state.pending.push(shownStep(begun, identity));
      state.accepted++;
      return { hidden, steps: given === none ? [begun] : [...given, begun] };
    }
    state.pending.push(begun);
    return !hidden && given === none ? nothing : { hidden, steps: given };
  }

  /** Gives up the calls whose results are not expected any more, now that the model calls again. */
  function giveUpOld(): readonly Step[] {
    const { pending, request, late } = state;
    // A model makes the next request only when all results of the last one are in: what is missing now stays missing.
    if (pending.some((one) => one.passed)) return giveUp(0);
    // No result has ever come: it is unknown whether any will.
    if (!state.answers && !late && pending.length >= (state.inTurn ? mostInTurn : mostTwins)) return giveUp(0);
    // The model spoke and went on. But some models speak between the calls of one request; then results come late.
    const older = late ? 0 : pending.filter((one) => one.request < request).length;
    return giveUp(Math.min((state.inTurn ? mostInTurn : mostPending) - 1, pending.length - older));
  }

  function end(event: EventOf<'tool-result'>, seq: number): Observed {
    const { pending } = state;
    const key = shortKey(event.id);
    const at = key === '' ? oldestOfLastRequest(pending) : indexOf(pending, key);
    if (at < 0) return state.done.includes(key) ? hiddenEvent : answerMessage(event, key, seq);
    if (key !== '') remember(state.done, key);
    state.unanswered = 0;
    state.answers = true;
    const call = pending[at]!;
    if (pending.length === 1) pending.pop();
    else pending.splice(at, 1);
    for (let k = 0; k < at; k++) pending[k]!.passed = true;
    state.last = call.hidden ? null : call;
    if (call.hidden) return hiddenEvent;
    const step = answered(call, event, seq, state.around);
    if (step.status === 'ok' && step.effect !== 'note') state.accepted++;
    return { hidden: false, steps: [step] };
  }

  /**
   * Whether a prompt is the result of a call: nothing was said since the call, and results come in no other way. Some
   * hosts show in the next prompt what came of a command. The first of them has to open as such prompts do.
   */
  function isResult(text: string): boolean {
    const { pending, spoken, prompted, answers } = state;
    return pending.length > 0 && !spoken && (prompted || (!answers && openingLength(text) > 0));
  }

  /** A result without a call under way: it belongs to a call given up, or answers the last message of the model. */
  function answerMessage(event: EventOf<'tool-result'>, key: string, seq: number): Observed {
    if (key !== '' && state.gone.includes(key)) {
      state.late = true;
      state.unanswered = 0;
      return nothing;
    }
    const step = messageStep(state.message, event.output, event.failed, seq, state.around);
    state.message = state.musing = '';
    return { hidden: false, steps: [step] };
  }

  function giveUp(keep: number): readonly Step[] {
    const { pending } = state;
    if (pending.length <= keep) return none;
    const count = pending.length - keep;
    let steps: Step[] | undefined;
    for (let k = 0; k < count; k++) {
      const call = pending[k]!;
      gone(call.id);
      if (call.hidden || call.shown) continue;
      state.unanswered++;
      state.accepted++;
      steps ??= [];
      steps.push(call);
    }
    if (pending.length === 1) pending.pop();
    else pending.splice(0, count);
    return steps ?? none;
  }

  function gone(id: string): void {
    if (id !== '') remember(state.gone, id);
  }

  function prompt(event: EventOf<'prompt'>, seq: number): Observed {
    const text = event.text ?? '';
    if (isResult(text)) {
      state.prompted = true;
      return { ...end({ type: 'tool-result', id: '', output: withoutLabel(state.views, text) }, seq), harness: true };
    }
    const given = state.pending.length === 0 ? none : giveUp(0);
    state.bounded = true;
    const message = state.message || state.musing;
    state.message = state.musing = '';
    takeThought(state);
    const hasTools = (state.answers || state.unanswered > 0) && ++state.talk < longTalk;
    const { last } = state;
    state.last = null;
    // Directly after a result, with a known opening: hosts show this with every result, such as the page after a click.
    if (last !== null && !state.spoken && isView(state.views, text))
      return { hidden: false, harness: true, steps: [...given, seenAfter(last, text, seq, state.views.around)] };
    const { accepted, spoken } = state;
    const told = !hasTools && actionIn(message).marked;
    const situation = { seq, accepted, spoken, answered: last !== null, hasTools, told };
    const repeated = repeatedPrompt(state.prompts, text, situation);
    // Directly after a result the model has not spoken yet: the same words again only let it go on.
    if (repeated === 'turn') return { hidden: false, harness: true, steps: given };
    if (repeated === undefined) return withSteps(given);
    const steps = given.slice();
    if (repeated === 'shown') {
      // Nothing but an earlier screen is taken off: a score, or how much health is left, may be all that a move has changed.
      if (message !== '')
        steps.push(
          shownPromptStep(message, withoutLabel(state.prompts, text), seq, {
            ...createSurroundings(),
            scrollback: state.around.scrollback,
          }),
        );
      return { hidden: false, harness: true, steps };
    }
    if (repeated.opened !== undefined) steps.push(messageStep('', text, true, repeated.opened, createSurroundings()));
    steps.push(messageStep(message, text, true, seq, createSurroundings()));
    return { hidden: false, harness: true, steps };
  }

  return {
    observe(event, seq, exemptions) {
      switch (event.type) {
        case 'tool-call':
          return begin(event, seq, exemptions);
        case 'tool-result':
          state.prompted = false;
          return end(event, seq);
        case 'turn-end':
          state.inTurn = false;
          return nothing;
        case 'turn-start':
          state.bounded = state.inTurn = true;
          state.message = state.musing = '';
          takeThought(state);
          return withSteps(giveUp(0));
        case 'prompt':
          return prompt(event, seq);
        case 'retry':
          for (const call of state.pending) gone(call.id);
          state.pending = []; // they were never run
          state.message = state.musing = '';
          takeThought(state);
          return nothing;
        default:
          return nothing;
      }
    },
    spoke(event) {
      state.spoken = true;
      think(state, event.text);
      if (event.type === 'text' && state.message.length < longestMessage)
        state.message = (state.message + event.text).slice(0, longestMessage);
      else if (event.type === 'reasoning' && state.musing.length < longestMessage && !state.answers)
        state.musing = (state.musing + event.text).slice(0, longestMessage);
    },
    withdraw(id) {
      state.pending = state.pending.filter((call) => call.id !== shortKey(id));
    },
    callOf: (id) => state.pending.findLast((call) => call.id === shortKey(id))?.call,
    save: () => ({ ...state, last: state.last && savedCall(state.last) }) as unknown as Json,
    load(saved) {
      state = loadState(saved);
    },
  };
}

function think(state: State, text: string): void {
  const read = Math.min(text.length, readOfThought - state.thoughtLength);
  for (let k = 0; k < read; k++) state.thought = addCode(state.thought, text.charCodeAt(k));
  state.thoughtLength += text.length;
}

/** Returns the fingerprint of what was said or thought, and starts a new thought. */
function takeThought(state: State): number {
  const { thought, thoughtLength } = state;
  state.thought = startHash;
  state.thoughtLength = 0;
  return thoughtLength < shortestThought ? 0 : digest(addCode(thought, thoughtLength)) || 1;
}

function remember(ids: string[], id: string): void {
  ids.push(id);
  if (ids.length > mostPending) ids.shift();
}

function withSteps(steps: readonly Step[]): Observed {
  return steps === none ? nothing : { hidden: false, steps };
}

/** Whether this same call is under way: then its line was logged twice. If what it asks is unknown, the id decides. */
function isUnderWay(pending: readonly Pending[], id: string, call: number | undefined): boolean {
  for (let k = 0; k < pending.length; k++)
    if (pending[k]!.id === id && (call === undefined || pending[k]!.call === call)) return true;
  return false;
}

/** The index of the first call with an id; -1 when none has it. */
function indexOf(pending: readonly Pending[], id: string): number {
  for (let k = 0; k < pending.length; k++) if (pending[k]!.id === id) return k;
  return -1;
}

/** Some logs give results no id: they belong to the oldest call of the last request. */
function oldestOfLastRequest(pending: readonly Pending[]): number {
  let at = pending.length - 1;
  while (at > 0 && pending[at - 1]!.request === pending[at]!.request) at--;
  return at;
}
