import type { Row } from './row.js';

/** The shown sessions as JSON, as they are in the report. */
export function jsonOf(rows: readonly Row[]): string {
  return `${JSON.stringify(
    rows.map(({ session }) => session),
    undefined,
    1,
  )}\n`;
}

const columns = [
  ...['session', 'title', 'agent', 'model', 'project', 'author', 'started', 'calls', 'tokens', 'cost', 'loops'],
  ...[
    'loop kind',
    'loop tools',
    'loop rounds',
    'loop calls',
    'loop tokens',
    'loop cost',
    'loop minutes',
    'what happened',
  ],
] as const;

/** A CSV line for every loop, and one for every session without loops, as in RFC 4180. */
export function csvOf(rows: readonly Row[]): string {
  const lines: (readonly (string | number | undefined)[])[] = [columns];
  for (const { session, looping, at } of rows) {
    const { id, title, agent, model, project, author, calls, used } = session;
    const started = at === undefined ? undefined : new Date(at).toISOString();
    const about = [id, title, agent, model, project, author, started, calls, used.tokens, used.cost, looping.length];
    if (looping.length === 0) lines.push(about);
    for (const { kind, tools, rounds, waste, message } of looping)
      lines.push([
        ...about,
        kind,
        tools.join(' '),
        rounds,
        waste.calls,
        waste.tokens,
        waste.cost,
        waste.minutes,
        message,
      ]);
  }
  return lines.map((line) => `${columns.map((_, k) => cell(line[k])).join(',')}\r\n`).join('');
}

/**
 * A cell, quoted if necessary. A text that a spreadsheet would take for a formula gets an apostrophe before it, so that the
 * content of a session is not executed.
 */
function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
