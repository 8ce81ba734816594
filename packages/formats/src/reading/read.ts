import type { Format } from '../format.js';
import { readSource } from '../records/source.js';
import type { ReadOptions, ReadSummary, SessionVisitor } from '../visitor.js';
import { createReading } from './reading.js';

/**
 * Reads the sessions in a file, which may be packed with gzip or zstd, with the first of `formats` that recognises its
 * beginning. What is broken is reported to `onFault`, and the rest is still read. Rejects only with what the visitor
 * throws, and when `signal` aborts.
 */
export async function readWith(
  formats: readonly Format[],
  file: string,
  visitor: SessionVisitor,
  options: ReadOptions = {},
): Promise<ReadSummary> {
  const reading = createReading(formats, file, visitor, options);
  const { signal } = options;
  let { bytes, problem } = await readSource(file, { onBytes: reading.push, signal });
  for (const part of problem === undefined ? reading.parts() : []) {
    reading.begin(part, problem);
    const read = await readSource(part, { onBytes: reading.push, signal });
    bytes += read.bytes;
    problem = read.problem;
  }
  return { ...(await reading.end(problem)), bytes };
}
