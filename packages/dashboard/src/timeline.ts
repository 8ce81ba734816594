export const itemTypes = [
  'prompt',
  'says',
  'thinks',
  'call',
  'retry',
  'compaction',
  'steer',
  'opinion',
  /** Events that the report does not hold one by one. */
  'gap',
] as const;
export type ItemType = (typeof itemTypes)[number];

export const stepStatuses = ['ok', 'failed', 'unseen', 'refused'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** One mark of the picture: a call with its result, a piece of text, or something that happened to the session. */
export interface Item {
  readonly type: ItemType;
  /** Indices of the first and the last event of it. */
  readonly seq: number;
  readonly last: number;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  readonly lane?: string;
  readonly tool?: string;
  readonly status?: StepStatus;
  /** Equal numbers mean equal calls, or equal pieces of text. */
  readonly same?: number;
  /** Equal numbers mean equal results. Left out where equality would prove nothing. */
  readonly outcome?: number;
  /** How much was new in the stretch that ends here, in percent. */
  readonly novelty: number;
  /** 1 if it brought the work on; in a gap, how many things in it did. */
  readonly progress: number;
  /** Tokens reported since the item before. */
  readonly tokens: number;
  /** In a gap: how many calls are in it. */
  readonly calls: number;
  /** What is said, or the most important part of a call. */
  readonly text: string;
  readonly input?: string;
  readonly result?: string;
}

/** What happened in a session, in order. */
export interface Timeline {
  readonly items: readonly Item[];
}

/**
 * A timeline in columns, as it lies in the file: numbers that rise are kept as differences, texts once each. -1 means
 * that something is left out; among times, which may go back, null does.
 */
export interface PackedTimeline {
  readonly texts: readonly string[];
  readonly columns: { readonly [column in Column]: readonly number[] };
  readonly times: readonly (number | null)[];
}

const columnNames = [
  'type',
  'seq',
  'last',
  'lane',
  'tool',
  'status',
  'same',
  'outcome',
  'novelty',
  'progress',
  'tokens',
  'calls',
  'text',
  'input',
  'result',
] as const;
type Column = (typeof columnNames)[number];

export function packTimeline({ items }: Timeline): PackedTimeline {
  const texts: string[] = [];
  const times: (number | null)[] = [];
  const places = new Map<string, number>();
  const placeOf = (text: string | undefined) => {
    if (text === undefined) return -1;
    let place = places.get(text);
    if (place === undefined) {
      place = texts.push(text) - 1;
      places.set(text, place);
    }
    return place;
  };
  const columns = Object.fromEntries(columnNames.map((name) => [name, [] as number[]])) as Record<Column, number[]>;
  let seq = 0;
  let at = 0;
  for (const item of items) {
    const { status } = item;
    columns.type.push(itemTypes.indexOf(item.type));
    columns.seq.push(item.seq - seq);
    columns.last.push(item.last - item.seq);
    times.push(item.at === undefined ? null : Math.round(item.at) - at);
    columns.lane.push(placeOf(item.lane));
    columns.tool.push(placeOf(item.tool));
    columns.status.push(status === undefined ? -1 : stepStatuses.indexOf(status));
    columns.same.push(item.same ?? -1);
    columns.outcome.push(item.outcome ?? -1);
    columns.novelty.push(item.novelty);
    columns.progress.push(item.progress);
    columns.tokens.push(item.tokens);
    columns.calls.push(item.calls);
    columns.text.push(placeOf(item.text));
    columns.input.push(placeOf(item.input));
    columns.result.push(placeOf(item.result));
    seq = item.seq;
    if (item.at !== undefined) at = Math.round(item.at);
  }
  return { texts, columns, times };
}

export function unpackTimeline({ texts, columns, times }: PackedTimeline): Timeline {
  let seq = 0;
  let at = 0;
  const items = columns.type.map((type, k): Item => {
    seq += columns.seq[k]!;
    const passed = times[k] ?? undefined;
    at += passed ?? 0;
    const text = (column: Column) => texts[columns[column][k]!];
    const number = (column: Column) => (columns[column][k]! < 0 ? undefined : columns[column][k]!);
    return {
      type: itemTypes[type]!,
      seq,
      last: seq + columns.last[k]!,
      ...known('at', passed === undefined ? undefined : at),
      ...known('lane', text('lane')),
      ...known('tool', text('tool')),
      ...known('status', stepStatuses[columns.status[k]!]),
      ...known('same', number('same')),
      ...known('outcome', number('outcome')),
      novelty: columns.novelty[k]!,
      progress: columns.progress[k]!,
      tokens: columns.tokens[k]!,
      calls: columns.calls[k]!,
      text: text('text') ?? '',
      ...known('input', text('input')),
      ...known('result', text('result')),
    };
  });
  return { items };
}

function known<Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [key in Key]: Value });
}
