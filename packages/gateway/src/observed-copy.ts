import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ranByProvider, readBody } from '@loopfuse/wire';
import type { AgentEvent } from 'loopfuse';
import { type DeliveredCall, endAnswer, laned } from './answer-end.js';
import { noteText } from './decided.js';
import { bytesOf } from './flow.js';
import { gravest } from './session.js';
import { laneOf, type Turn, take } from './turn.js';
import type { UpstreamResponse } from './upstream.js';

const unpackers: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The rest of an answer is not read: a small body may unpack to a very large one. */
const mostUnpackedBytes = 64 * 2 ** 20;

/**
 * Passes on an answer that is compressed although the gateway asked for it uncompressed, and reads a copy. Nothing can
 * be taken out of such an answer, so decisions about it count from the next request on.
 */
export async function* observedCopy(turn: Turn, { body, headers }: UpstreamResponse): AsyncGenerator<Uint8Array> {
  const unpack = unpackers[headers.get('content-encoding')?.trim().toLowerCase() ?? ''];
  const reader = turn.wire.readAnswer({ nameCall: () => turn.context.id, onId: turn.onId });
  const answer = readBody(reader, headers.get('content-type'));
  const events: AgentEvent[] = [];
  const plain = unpack?.();
  let unpacked = 0;
  plain?.on('data', (bytes: Buffer) => {
    unpacked += bytes.length;
    if (unpacked <= mostUnpackedBytes) events.push(...answer.push(bytes));
  });
  const ended = new Promise<void>((resolve) => {
    plain?.on('end', resolve);
    plain?.on('error', () => resolve());
    if (plain === undefined) resolve();
  });
  try {
    for await (const chunk of bytesOf(body)) {
      if (unpacked <= mostUnpackedBytes) plain?.write(Buffer.from(chunk));
      yield chunk;
    }
  } finally {
    // Also when the client leaves before the end.
    plain?.end();
    await ended;
    events.push(...answer.end());
    await takeCopy(turn, events, reader.complete);
  }
}

async function takeCopy(turn: Turn, events: readonly AgentEvent[], whole: boolean): Promise<void> {
  const { visit, laneName, observed } = turn;
  const said = events
    .filter(({ type }) => type !== 'usage' && type !== 'turn-end')
    .map((event) => laned(laneName, event));
  for (const event of said) observed?.(event);
  const ran = ranByProvider(said);
  const delivered: DeliveredCall[] = said.flatMap((event) =>
    event.type === 'tool-call' && !ran.has(event.id) ? [{ id: event.id, tool: event.tool }] : [],
  );
  await visit.work((session) => {
    const action = take(session, gravest(said.map((event) => session.guard.observe(event))));
    const lane = laneOf(session, laneName);
    if (lane !== undefined && (action.type === 'steer' || action.type === 'block'))
      lane.next = noteText(action.message);
  });
  await endAnswer(
    turn,
    events.filter(({ type }) => type === 'usage' || type === 'turn-end'),
    delivered,
    whole,
  );
}
