import { oneLine, timeOf } from '../page/words.js';
import type { Mark } from './live-data.js';

const words: Readonly<Record<string, string>> = {
  prompt: 'user request',
  text: 'text',
  reasoning: 'reasoning',
  'tool-result': 'result',
  retry: 'sent again',
  compaction: 'history summarised',
};

/** The latest events, as a strip of marks and a list, newest first. */
export function Timeline({ marks }: { readonly marks: readonly Mark[] }) {
  const tools = [...new Set(marks.filter(({ type }) => type === 'tool-call').map(({ name }) => name))];
  return (
    <>
      <div class="live-strip" role="img" aria-label={`The last ${marks.length} events`}>
        {marks.map((mark, k) => (
          <i
            key={k}
            class={`live-mark ${mark.type}${mark.failed === true ? ' failed' : ''}`}
            data-tool={mark.type === 'tool-call' ? (tools.indexOf(mark.name) % 6) + 1 : undefined}
            title={`${timeOf(mark.at)} ${oneLine(line(mark))}`}
          />
        ))}
      </div>
      <ol class="live-events">
        {marks
          .slice(-60)
          .reverse()
          .map((mark, k) => (
            <li key={k} class={`${mark.type}${mark.failed === true ? ' failed' : ''}`}>
              <time>{timeOf(mark.at)}</time>
              <b>{oneLine(mark.name || (words[mark.type] ?? mark.type))}</b>
              <span>{oneLine(mark.detail)}</span>
            </li>
          ))}
      </ol>
    </>
  );
}

function line({ type, name, detail }: Mark): string {
  return `${name || (words[type] ?? type)} ${detail}`;
}
