import type { Script } from '../reply.js';
import { atFirst, type FaultOptions } from './fails.js';

/** Sends `after` chunks and drops the connection. */
export function cutsTheStream({ after = 3, times, afterwards }: FaultOptions & { after?: number } = {}): Script {
  return atFirst({ type: 'cut', after }, times, afterwards);
}
