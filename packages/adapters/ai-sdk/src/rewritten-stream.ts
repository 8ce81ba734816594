import type { LoopError, TurnStep } from '@loopfuse/session';
import type { StreamPart, Usage } from './translate.js';

export interface RewriteOptions {
  /** Whether the end of a run is an error, not a text. */
  readonly throws: boolean;
  /** The usage of the answer, as far as it is known when the run ends. */
  usage(): Usage;
  /** Cancels the answer of the model that is being read. */
  cancel(reason: unknown): Promise<void>;
}

/**
 * The steps of a guarded turn as one stream in the SDK's protocol. If an answer was cut short, its open blocks are
 * closed, the blocks of the next answer get different ids, and only the last answer finishes the stream.
 */
export async function rewritten(
  turn: AsyncGenerator<TurnStep<StreamPart>>,
  options: RewriteOptions,
): Promise<ReadableStream<StreamPart>> {
  const parts = written(turn, options);
  // The first part is awaited here, so that a request that fails at once rejects, as it does without us.
  let first: IteratorResult<StreamPart> | undefined = await parts.next();
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const next = first ?? (await parts.next());
        first = undefined;
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel(reason) {
      // Before the generator is closed: the part that it waits for may never come.
      await options.cancel(reason).catch(() => {});
      await parts.return(undefined);
    },
  });
}

async function* written(
  turn: AsyncGenerator<TurnStep<StreamPart>>,
  { throws, usage }: RewriteOptions,
): AsyncGenerator<StreamPart> {
  const open = new Map<string, 'text' | 'reasoning'>();
  let answers = 0;
  let begun = false;
  let called = false;
  for await (const step of turn) {
    switch (step.type) {
      case 'again':
        answers++;
        yield* closed(open);
        break;
      case 'end':
        if (throws) throw step.error;
        if (!begun) yield { type: 'stream-start', warnings: [] };
        yield* closed(open);
        yield* ending(step.error, called, usage());
        return;
      case 'part': {
        const part = answers > 0 ? renamed(step.part, answers) : step.part;
        if (part === undefined) break;
        if (part.type === 'text-start') open.set(part.id, 'text');
        if (part.type === 'reasoning-start') open.set(part.id, 'reasoning');
        if (part.type === 'text-end' || part.type === 'reasoning-end') open.delete(part.id);
        if (part.type === 'tool-call') called = true;
        begun = true;
        yield part;
      }
    }
  }
}

function* closed(open: Map<string, 'text' | 'reasoning'>): Generator<StreamPart> {
  for (const [id, kind] of open) yield { type: `${kind}-end`, id };
  open.clear();
}

/** The reason as text, and an end without a further step; calls that have begun must still end. */
function* ending(error: LoopError, called: boolean, usage: Usage): Generator<StreamPart> {
  const id = 'loopfuse';
  yield { type: 'text-start', id };
  yield { type: 'text-delta', id, delta: error.message };
  yield { type: 'text-end', id };
  yield { type: 'finish', finishReason: { unified: called ? 'tool-calls' : 'stop', raw: 'loopfuse' }, usage };
}

/** A part of a later answer: its blocks must not continue those of the first, and the stream has begun already. */
function renamed(part: StreamPart, answers: number): StreamPart | undefined {
  switch (part.type) {
    case 'stream-start':
    case 'response-metadata':
      return undefined;
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      return { ...part, id: `${part.id}-${answers}` };
    default:
      return part;
  }
}
