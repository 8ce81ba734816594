import { readdirSync, readFileSync } from 'node:fs';
import type { Traffic } from '@loopfuse/testkit';

/** The recorded traffic in the folder `fixtures/` beside the test at `testUrl`; `scripts/record-traffic.mjs` makes it. */
export function trafficBeside(testUrl: string): readonly Traffic[] {
  const folder = new URL('fixtures/', testUrl);
  return readdirSync(folder).map((file) => {
    const { exchanges } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    return { name: file.replace('.json', ''), exchanges };
  });
}
