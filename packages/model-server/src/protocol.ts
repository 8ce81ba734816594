import type { Place, Protocol, RequestView } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { Answer } from './answer.js';

/** Reads and writes one provider's protocol. No function throws: a body may be any JSON. */
export interface ProtocolSpec {
  readonly name: Protocol;
  /** The protocol-independent view of a body. Unknown parts are left out. */
  read(body: unknown, place: Place): RequestView;
  /** Why the provider would refuse the body; `undefined` if it would not. */
  problem(body: unknown, place: Place): string | undefined;
  /** The chunks of a streamed answer, framed for the wire. */
  frames(answer: Answer, body: unknown): Iterable<string>;
  /** The answer in one piece. */
  whole(answer: Answer, body: unknown): Json;
  /** The body of an error with this HTTP status. */
  refusal(status: number, message: string): Json;
  /** The chunk by which a provider reports an error in mid-stream. */
  breakdown(message: string): string;
  /** The endpoint that only counts tokens, if the provider has one. */
  readonly counting?: {
    problem(body: unknown): string | undefined;
    answer(tokens: number): Json;
  };
  /** Stores what later requests may refer to, if the provider does. */
  remember?(answer: Answer, body: unknown, place: Place, keep: (id: string, items: readonly unknown[]) => void): void;
  /** The name of the header with the id of the request. */
  readonly idHeader?: string;
}
