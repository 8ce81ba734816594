export const itemTypes = [
  'prompt',
  'says',
  'thinks',
  'call',
  'retry',
  'compaction',
  'steer',
  'opinion',
  /** Events that the report does not contain one by one. */
  'gap',
] as const;
export type ItemType = (typeof itemTypes)[number];

export const stepStatuses = ['ok', 'failed', 'unseen', 'refused'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** One mark of the picture: a call with its result, a piece of text, or something that happened to the session. */
export interface Item {
  readonly type: ItemType;
  /** Indices of its first and its last event. */
  readonly seq: number;
  readonly last: number;
  /** Milliseconds since the epoch. */
  readonly at?: number;
  readonly lane?: string;
  readonly tool?: string;
  readonly status?: StepStatus;
  /** Equal numbers mean equal calls, or equal pieces of text. */
  readonly same?: number;
  /** Equal numbers mean equal results. Absent if equality would prove nothing. */
  readonly outcome?: number;
  /** How much was new in the last few items up to this one, in percent. */
  readonly novelty: number;
  /** 1 if it brought something new or changed something; in a gap, how many items in it did. */
  readonly progress: number;
  /** Tokens reported since the previous item. */
  readonly tokens: number;
  /** In a gap: the number of calls. */
  readonly calls: number;
  /** The text, or the most important part of a call. */
  readonly text: string;
  readonly input?: string;
  readonly result?: string;
}

/** What happened in a session, in order. */
export interface Timeline {
  readonly items: readonly Item[];
}

/**
 * A timeline in columns, as it is stored in the file. Rising numbers are stored as differences, and each text once. A missing value
 * is -1; in `times`, which may go back, it is null.
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
