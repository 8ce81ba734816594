import { createHash } from 'node:crypto';
import type { ItemType, StepStatus, Timeline } from '@loopfuse/dashboard';
import { type AgentEvent, createWatch, defineDetector, type EventOf, type Step } from 'loopfuse';
import type { Excerpts } from './excerpts.js';
import { type Draft, itemsOf } from './items-of.js';
import { createNovelty, type Novelty, outcomeOf } from './novelty.js';
import { piecesOf } from './pieces.js';
import { isKept, type Plan } from './plan.js';

export interface RecorderOptions {
  readonly plan: Plan;
  readonly excerpts: Excerpts;
  /** Without any calls, new text counts as progress. */
  readonly hasCalls: boolean;
}

/** Makes a timeline of the events of one session: calls are joined with their results, deltas with their message. */
export interface TimelineRecorder {
  observe(event: AgentEvent): void;
  end(): Timeline;
}

/** Text of this length counts as much as a call; shorter text counts less. */
const weightyText = 400;
const mostText = 700;
const mostInput = 1200;
const mostResult = 1500;
const mostLabel = 160;
/** Characters of one message that are looked at, and pieces in a whole session. */
const longestMessage = 400_000;
const mostPieces = 6000;

interface Message {
  readonly type: 'says' | 'thinks';
  readonly at: number | undefined;
  readonly lane: string | undefined;
  text: string;
  /** For each event, where its text begins. */
  readonly starts: { readonly offset: number; readonly seq: number }[];
}

export function createTimelineRecorder({ plan, excerpts, hasCalls }: RecorderOptions): TimelineRecorder {
  const drafts: Draft[] = [];
  const calls = new Map<number, { readonly draft: Draft; readonly lane: string | undefined }>();
  const messages = new Map<string, Message>();
  const novelties = new Map<string, Novelty>();
  const same = createClasses();
  const outcomes = createClasses();
  let seq = 0;
  let tokens = 0;
  let pieces = 0;
  let current: AgentEvent;

  // A detector that reads every step and finds nothing, so that steps are compared as in the engine.
  const listener = defineDetector({
    name: 'timeline-recorder',
    reads: ['step'],
    start: () => null,
    observe(_state, step) {
      complete(step);
      return undefined;
    },
    explain: () => '',
  });
  const watch = createWatch({ detectors: [listener] });

  function noveltyOf(lane = ''): Novelty {
    const known = novelties.get(lane) ?? createNovelty();
    novelties.set(lane, known);
    return known;
  }

  function add(type: ItemType, at: number | undefined, lane: string | undefined, from = seq): Draft {
    const draft: Draft = {
      type,
      seq: from,
      last: seq,
      tokens,
      calls: type === 'call' ? 1 : 0,
      progress: 0,
      fresh: undefined,
      weight: 1,
      text: '',
      ...(at !== undefined && Number.isFinite(at) ? { at } : {}),
      ...(lane === undefined ? {} : { lane: excerpts.text(lane, mostLabel) }),
    };
    tokens = 0;
    drafts.push(draft);
    return draft;
  }

  function call(event: EventOf<'tool-call'>): void {
    const draft = add('call', event.at, event.lane);
    draft.tool = excerpts.text(event.tool, mostLabel);
    draft.status = 'unseen';
    calls.set(seq, { draft, lane: event.lane });
    if (isKept(plan, seq)) draft.input = excerpts.value(event.input, mostInput);
  }

  /** Completes an earlier call, now that its step is known, with or without a result. */
  function complete(step: Step): void {
    const draft = calls.get(step.callSeq)?.draft;
    if (draft === undefined) return;
    calls.delete(step.callSeq);
    const { fresh, progress } = noveltyOf(current.lane).step(step);
    const lane = current.lane ?? '';
    const outcome = outcomeOf(step);
    draft.fresh = fresh;
    draft.progress = Number(progress);
    draft.status = statusOf(step);
    draft.same = same(`${lane} call ${step.call}`);
    if (outcome !== undefined) draft.outcome = outcomes(`${lane} ${outcome}`);
    if (current.type === 'tool-result') draft.last = seq;
    if (!isKept(plan, step.callSeq)) return;
    draft.text = excerpts.text(step.label, mostLabel);
    if (current.type === 'tool-result') draft.result = excerpts.value(current.output, mostResult);
  }

  function addText(type: Message['type'], { text, at, lane }: EventOf<'text' | 'reasoning'>): void {
    const key = lane ?? '';
    let message = messages.get(key);
    if (message?.type !== type) {
      close(key);
      message = { type, at, lane, text: '', starts: [] };
      messages.set(key, message);
    }
    if (message.text.length >= longestMessage) return;
    message.starts.push({ offset: message.text.length, seq });
    message.text += text;
  }

  function close(lane: string): void {
    const message = messages.get(lane);
    if (message === undefined) return;
    messages.delete(lane);
    if (message.text.trim() === '') return;
    const { starts, type } = message;
    const isShown = isKept(plan, starts[0]!.seq) || isKept(plan, starts.at(-1)!.seq);
    const whole = isShown ? excerpts.whole(message.text) : message.text;
    // Masking changes the length, so that offsets are only approximate.
    const scale = message.text.length / Math.max(1, whole.length);
    let start = 0;
    for (const { from, text } of piecesOf(whole, pieces < mostPieces ? undefined : 1)) {
      pieces++;
      while (start + 1 < starts.length && starts[start + 1]!.offset <= from * scale) start++;
      const draft = add(type, message.at, message.lane, starts[start]!.seq);
      while (start + 1 < starts.length && starts[start + 1]!.offset < (from + text.length) * scale) start++;
      draft.last = starts[start]!.seq;
      draft.fresh = noveltyOf(lane).text(text);
      draft.weight = Math.min(1, text.length / weightyText);
      draft.progress = Number(!hasCalls && draft.fresh >= 0.5);
      draft.same = same(`${lane} ${hashOf(folded(text))}`);
      if (isKept(plan, draft.seq)) draft.text = excerpts.text(text, mostText);
    }
  }

  function note(type: ItemType, { at, lane }: AgentEvent, text = ''): void {
    const draft = add(type, at, lane);
    if (isKept(plan, seq)) draft.text = excerpts.text(text, mostText);
  }

  function record(event: AgentEvent): void {
    switch (event.type) {
      case 'text':
        addText('says', event);
        return;
      case 'reasoning':
        addText('thinks', event);
        return;
      case 'usage':
        tokens += counted(event.inputTokens) + counted(event.outputTokens);
        return;
    }
    close(event.lane ?? '');
    switch (event.type) {
      case 'tool-call':
        call(event);
        break;
      case 'prompt':
      case 'steer':
        note(event.type, event, event.text);
        break;
      case 'opinion':
        note(event.type, event, event.analysis);
        break;
      case 'retry':
      case 'compaction':
        note(event.type, event);
        break;
      default: // a result is shown by its step; turns have no mark
    }
  }

  return {
    observe(event) {
      current = event;
      try {
        record(event);
      } catch {
        // An event of a wrong shape has no mark; the scan has reported its fault.
      }
      watch.observe(event);
      seq++;
    },
    end() {
      for (const lane of [...messages.keys()]) close(lane);
      for (const lane of new Set([...calls.values()].map(({ lane }) => lane))) {
        current = { type: 'turn-start', ...(lane === undefined ? {} : { lane }) };
        watch.observe(current);
      }
      return { items: itemsOf(drafts, plan) };
    },
  };
}

/** Numbers for things, equal for equal things. */
function createClasses(): (key: string) => number {
  const classes = new Map<string, number>();
  return (key) => {
    const known = classes.get(key) ?? classes.size;
    classes.set(key, known);
    return known;
  };
}

function statusOf({ status, refused }: Step): StepStatus {
  return refused ? 'refused' : status;
}

/** Equal for pieces of text that differ in figures, letter case and white space alone. */
function folded(text: string): string {
  return text.toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

function counted(reported: number): number {
  return reported > 0 && reported < 1e12 ? Math.round(reported) : 0;
}
