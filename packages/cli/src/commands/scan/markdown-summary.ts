import { basename } from 'node:path';
import { counted, short } from 'loopfuse/words';
import { dollars, inTime } from '../../recorded/amounts.js';
import { byCost } from './costliest.js';
import { type Gaps, noGaps, unreadInWords } from './gaps.js';
import { remedies } from './remedies.js';
import type { Row } from './table.js';

const most = 20;

/**
 * The loops of a scan as a table in Markdown, for the summary of a CI job, and what it could not read. Text from a session is
 * escaped.
 */
export function markdownSummary(rows: readonly Row[], sessions: number, gaps: Gaps = noGaps): string {
  const loops = rows.filter(({ loop }) => loop.finding.status === 'looping').sort(byCost);
  const partial = gapsIn(gaps);
  if (loops.length === 0) return `### Loopfuse: no loops in ${counted(sessions, 'session')}\n${partial}`;
  const lines = loops
    .slice(0, most)
    .map(({ agent, session, file, loop, waste }) =>
      [
        agent,
        session,
        loop.kind,
        loop.message,
        short(waste.calls),
        dollars(waste.cost),
        inTime(waste.minutes),
        basename(file),
      ]
        .map(cell)
        .join(' | '),
    );
  const kinds = [...new Set(loops.map(({ loop }) => loop.kind))];
  return `### Loopfuse: ${counted(loops.length, 'loop')} in ${counted(sessions, 'session')}
${partial}
| agent | session | loop | what happened | calls | cost | time | file |
| --- | --- | --- | --- | --- | --- | --- | --- |
${lines.map((line) => `| ${line} |`).join('\n')}

${kinds.map((kind) => `- **${kind}**: ${remedies[kind]}`).join('\n')}
${loops.length > most ? `\n…and ${loops.length - most} more.\n` : ''}`;
}

function gapsIn({ readBefore, unread }: Gaps): string {
  const interrupted = readBefore === undefined ? '' : `\nInterrupted after ${readBefore}; this is what was in them.\n`;
  if (unread.length === 0) return interrupted;
  const lines = unread.slice(0, most).map(({ file, message }) => `- ${cell(file)}: ${cell(message)}\n`);
  const more = unread.length > most ? `- …and ${unread.length - most} more\n` : '';
  return `${interrupted}\n${unreadInWords(unread)}:\n\n${lines.join('')}${more}`;
}

function cell(text: string): string {
  const plain = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').slice(0, 300);
  return plain.replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&');
}
