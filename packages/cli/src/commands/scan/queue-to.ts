import { withoutPassword } from '@loopfuse/store';
import { counted } from 'loopfuse/words';
import type { ScanQueue } from '../../recorded/scan-files.js';
import type { Shell } from '../../shell.js';

/** The queue of a scan. Prints on standard error what it is waiting for. */
export function queueTo(
  address: string,
  paths: readonly string[],
  clear: () => void,
  { err, command }: Shell,
): ScanQueue {
  const say = (text: string): void => {
    clear();
    void err.write(`${err.say(text)}\n`);
  };
  return {
    address,
    paths,
    onWaiting: (workers) =>
      say(
        workers === 0
          ? `Waiting: there is no worker on the queue. Start one: ${command} worker --queue ${withoutPassword(address)} FOLDER`
          : `Waiting for ${counted(workers, 'worker')}.`,
      ),
    onRefused: (files, why) => say(`Reading ${counted(files, 'file')} here, which no worker could read: ${why}`),
  };
}
