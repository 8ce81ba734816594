import type { Script } from '../reply.js';
import { atFirst, type FaultOptions } from './fails.js';

/** Sends `after` chunks, none by default, and then nothing until the client gives up. */
export function stalls({ after = 0, times, afterwards }: FaultOptions & { after?: number } = {}): Script {
  return atFirst({ type: 'stall', after }, times, afterwards);
}
