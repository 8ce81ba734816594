import type { Json } from 'loopfuse';
import type { HookCall } from '../protocol/protocol.js';
import { shortHash } from './short-hash.js';

/** A call without a result yet, of an agent that gives calls no ids. */
export interface OpenCall {
  readonly id: string;
  readonly key: string;
}

const most = 64;

/** The id for a call: its own, or a new one with which its result will be matched. */
export function openCall(open: OpenCall[], call: HookCall, counter: number): string {
  if (call.id !== undefined) return call.id;
  const id = `call-${counter}`;
  open.push({ id, key: keyOf(call) });
  if (open.length > most) open.shift();
  return id;
}

/** The id of the call of a result: the oldest one with the same tool and input. Undefined if no such call is open. */
export function closeCall(open: OpenCall[], call: HookCall): string | undefined {
  if (call.id !== undefined) return call.id;
  const key = keyOf(call);
  const place = open.findIndex((one) => one.key === key);
  return place < 0 ? undefined : open.splice(place, 1)[0]!.id;
}

/** The call was refused: its result will not come. */
export function dropCall(open: OpenCall[], id: string): void {
  const place = open.findIndex((one) => one.id === id);
  if (place >= 0) open.splice(place, 1);
}

/** A short key, however long the input is. */
export function keyOf({ tool, input }: HookCall): string {
  const text = JSON.stringify([tool, input as Json]);
  return `${tool.slice(0, 100)} ${text.length} ${shortHash(text)}`;
}
