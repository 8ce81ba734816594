import { type Excerpt, isSameText, isWhole, shown } from './excerpt.js';
import { type CallEntry, defaultCharacters, type Entry, type Transcript } from './transcript.js';

/**
 * The transcript as the judge gets it: the request, then the latest entries, one line of JSON each, between two equal
 * lines that occur nowhere in between. Whatever an agent, a tool or a web page wrote is inside a JSON string, so
 * nothing in there can look like the end of the record. Entries that do not fit are left out, the oldest first.
 */
export function renderRecord(
  { request, forgotten, entries }: Pick<Transcript, 'request' | 'forgotten' | 'entries'>,
  characters = defaultCharacters,
): string {
  const head = line({ request: request === null ? null : shown(request) });
  let first = Math.max(0, entries.length - Math.ceil(characters / shortestLine));
  for (;;) {
    const earlier = forgotten + first;
    const window = entries.slice(first);
    const told = window.map((entry, index) => lineOf(entry, index, window, request));
    const lines = [head, ...(earlier > 0 ? [line({ entries_left_out: earlier })] : []), ...told];
    const border = borderOf(lines);
    const record = [border, ...lines, border].join('\n');
    if (record.length <= characters || window.length <= 1) return record;
    first += Math.min(window.length - 1, tooMany(told, record.length - characters));
  }
}

/** No entry has a shorter line. */
const shortestLine = 10;

/**
 * How many of the oldest lines must at least be left out, one or more, to make the record shorter by `excess`. The
 * other lines may then get shorter too, because their numbers, and those they refer to, are lower.
 */
function tooMany(told: readonly string[], excess: number): number {
  let left = excess - 2 * String(told.length).length * (told.length + 2);
  let count = 1;
  for (left -= told[0]!.length + 1; left > 0 && count < told.length; count++) left -= told[count]!.length + 1;
  return count;
}

function lineOf(entry: Entry, index: number, window: readonly Entry[], request: Excerpt | null): string {
  const n = index + 1;
  switch (entry.type) {
    case 'user': {
      const isRequest = request !== null && isSameText(entry.text, request);
      return line({ n, user: isRequest ? '(the request)' : shown(entry.text) });
    }
    case 'text':
      return line({ n, agent_says: shown(entry.text) });
    case 'reasoning':
      return line({ n, agent_thinks: shown(entry.text) });
    case 'steer':
      return line({ n, agent_was_warned: shown(entry.text) });
    case 'compaction':
      return line({ n, history: 'summarised here; the agent no longer sees what came before' });
    case 'call':
      return callLine(entry, n, window.slice(0, index));
  }
}

function callLine({ tool, input, output, failed }: CallEntry, n: number, before: readonly Entry[]): string {
  const call = { n, agent_calls: tool, input: isWhole(input) ? parsed(shown(input)) : shown(input) };
  if (output === null) return line({ ...call, result_not_recorded: true });
  const same = before.findIndex(
    (entry) => entry.type === 'call' && entry.output !== null && isSameText(entry.output, output),
  );
  // A reference is shorter than the text, and says what two excerpts cannot say: that the whole texts are the same.
  const result = same >= 0 && output.length > 20 ? { result_same_as_n: same + 1 } : { result: shown(output) };
  return line({ ...call, ...(failed ? { failed } : {}), ...result });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** JSON without any character that some reader takes for the end of a line. */
function line(value: object): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function borderOf(lines: readonly string[]): string {
  for (let k = 1; ; k++) {
    const border = `===== record ${k} =====`;
    if (!lines.some((one) => one.includes(border))) return border;
  }
}
