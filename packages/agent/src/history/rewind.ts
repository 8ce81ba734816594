import { callsOf, type Message, type TakenOut, type ToolResult, type UserMessage } from './message.js';
import { guardMark } from './with-note.js';

export interface Rewound {
  readonly history: readonly Message[];
  readonly takenOut: TakenOut;
  /** What the model reads in place of the rounds. */
  readonly note: string;
}

/** A call that was removed, and its outcome. */
export interface Tried {
  readonly tool: string;
  readonly input: string;
  /** How many times it was made. */
  readonly times: number;
  /** The beginning of its last result. */
  readonly outcome: string;
}

const maxTried = 6;

/**
 * The history without the rounds since the event `from`: answers of the model and their results, but no messages of the
 * user and nothing of earlier requests. A note replaces them, as a separate message, so that everything before it is
 * unchanged and the provider's cache stays valid. The note stores what it replaces. `undefined` when there is nothing to
 * remove.
 */
export function rewound(
  history: readonly Message[],
  { id, from, note }: { readonly id: string; readonly from: number; readonly note: string },
): Rewound | undefined {
  const asked = history.findLastIndex((message) => message.role === 'user' && message.from === 'user');
  const turn = history.findLastIndex((message) => message.role === 'assistant' && (message.seq ?? Infinity) <= from);
  const first = history.findIndex((message, at) => at > asked && message.role === 'assistant');
  if (first < 0) return undefined;
  const cut = Math.max(turn, first);
  const messages = history.slice(cut);
  const text = noteOf(note, messages);
  const takenOut = { id, messages };
  const stand: UserMessage = { role: 'user', from: 'guard', text: `${guardMark} ${text}`, takenOut };
  return { history: [...history.slice(0, cut), stand], takenOut, note: text };
}

/** The history with the removed rounds in place of their note. `undefined` when there is no such note. */
export function restored(history: readonly Message[], id: string): readonly Message[] | undefined {
  const at = history.findIndex((message) => message.role === 'user' && message.takenOut?.id === id);
  const note = history[at];
  if (note?.role !== 'user' || note.takenOut === undefined) return undefined;
  return [...history.slice(0, at), ...note.takenOut.messages, ...history.slice(at + 1)];
}

/** What rewinds removed and can be put back, the oldest first. */
export function takenOutOf(history: readonly Message[]): readonly TakenOut[] {
  return history.flatMap((message) => (message.role === 'user' && message.takenOut ? [message.takenOut] : []));
}

/** The number of answers of the model. */
export function roundsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/** The different calls, the most frequent first. */
export function triedIn(messages: readonly Message[]): readonly Tried[] {
  const results = new Map<string, ToolResult>();
  for (const message of messages)
    if (message.role === 'tool') for (const result of message.results) results.set(result.id, result);
  const tried = new Map<string, Tried>();
  for (const { id, tool, input } of messages.flatMap(callsOf)) {
    const inJson = JSON.stringify(input);
    const key = `${tool} ${inJson}`;
    const before = tried.get(key);
    const result = results.get(id);
    const outcome = result === undefined || result.status === 'not-run' ? before?.outcome : firstWords(result.output);
    tried.set(key, {
      tool,
      input: short(inJson, 200),
      times: (before?.times ?? 0) + 1,
      outcome: outcome ?? 'not run',
    });
  }
  return [...tried.values()].sort((a, b) => b.times - a.times);
}

function noteOf(note: string, messages: readonly Message[]): string {
  const tried = triedIn(messages);
  if (tried.length === 0) return note;
  const lines = tried
    .slice(0, maxTried)
    .map(
      ({ tool, input, times, outcome }) => `- ${tool} ${input}, ${times === 1 ? 'once' : `${times} times`}: ${outcome}`,
    );
  const others = tried.length - maxTried;
  const more = others > 0 ? [`- and ${others} other ${others === 1 ? 'call' : 'calls'}`] : [];
  return [`${note} What was tried, and what came of it:`, ...lines, ...more].join('\n');
}

function firstWords(output: string): string {
  const at = output.indexOf(`\n\n${guardMark} `);
  return (
    short((at < 0 ? output : output.slice(0, at)).slice(0, 2000).trim().replaceAll(/\s+/g, ' '), 160) || 'no output'
  );
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
