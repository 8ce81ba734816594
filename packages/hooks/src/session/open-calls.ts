import type { Json } from 'loopfuse';
import type { HookCall } from '../protocol/protocol.js';
import { shortHash } from './short-hash.js';

/** A call that has not had its result, of an agent that gives calls no ids. */
export interface OpenCall {
  readonly id: string;
  readonly key: string;
}

const most = 64;

/** The id for a call: its own, or a new one under which its result will be found. */
export function openCall(open: OpenCall[], call: HookCall, counter: number): string {
  if (call.id !== undefined) return call.id;
  const id = `call-${counter}`;
  open.push({ id, key: keyOf(call) });
  if (open.length > most) open.shift();
  return id;
}

/** The id of the call that a result is of: the oldest of the same tool and input. Undefined when no such call is open. */
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

/** Short, whatever the input is. */
export function keyOf({ tool, input }: HookCall): string {
  const text = JSON.stringify([tool, input as Json]);
  return `${tool.slice(0, 100)} ${text.length} ${shortHash(text)}`;
}
