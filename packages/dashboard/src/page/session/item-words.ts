import type { Item } from '../../timeline.js';
import { counted, oneLine } from '../words.js';

/** Who acted: the tool, the user, the judge and so on. */
export function actor({ type, tool }: Item): string {
  switch (type) {
    case 'call':
      return oneLine(tool ?? 'call');
    case 'prompt':
      return 'user';
    case 'steer':
      return 'loopfuse';
    case 'opinion':
      return 'judge';
    case 'gap':
      return '…';
    default:
      return type;
  }
}

/** The item in one line. */
export function gist(item: Item): string {
  if (item.type === 'gap')
    return `${counted(item.last - item.seq + 1, 'event')} with ${counted(item.calls, 'call')}, not kept one by one`;
  if (item.type === 'compaction') return 'the history was summarised';
  if (item.type === 'retry') return 'the model was asked again';
  return oneLine(item.text || item.input || '');
}

/** How a call ended. */
export function ending({ type, status }: Item): string {
  if (type !== 'call' || status === undefined || status === 'ok') return '';
  return status === 'unseen' ? 'no result' : status;
}
