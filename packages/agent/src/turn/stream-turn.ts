import {
  type JSONSchema7,
  jsonSchema,
  type LanguageModel,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool as toolOf,
  wrapLanguageModel,
} from 'ai';
import { z } from 'zod';
import type { Message } from '../history/message.js';
import { modelMessages } from '../history/model-messages.js';
import type { Tool } from '../tools/tool.js';
import { type Retry, withRetries } from './with-retries.js';

export type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

export interface TurnRequest {
  readonly model: LanguageModel;
  readonly system: string;
  readonly history: readonly Message[];
  readonly tools: readonly Tool[];
  readonly maxOutputTokens?: number | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
  /** How many times a request is sent again when the provider could not accept it. */
  readonly retries: number;
  /** How long the model may send nothing, before or during its answer. */
  readonly silenceSeconds: number;
  /** Called with warnings of the SDK or the provider. */
  readonly onWarning: (message: string) => void;
}

/** A part of the answer, or the notice that the request is sent again. */
export type TurnPart = TextStreamPart<ToolSet> | ({ readonly type: 'retry' } & Retry);

/** Sends one request to the model and yields the parts of the answer. Errors are yielded as parts; it never throws. */
export async function* streamTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<TurnPart, void> {
  const { system, history, tools, maxOutputTokens, providerOptions, silenceSeconds } = request;
  const silence = silenceAlarm(silenceSeconds, signal);
  const retries = createPost<Retry>();
  let parts: AsyncIterator<TextStreamPart<ToolSet>> | undefined;
  try {
    const offers = Object.fromEntries(tools.map((tool) => [tool.name, offered(tool)]));
    const { fullStream } = streamText({
      model: wrapped(request, retries.put),
      system,
      messages: modelMessages(history),
      abortSignal: silence.signal,
      maxRetries: typeof request.model === 'string' ? request.retries : 0, // the others: `wrapped`
      onError: () => {}, // errors are parts of the stream
      ...(tools.length === 0 ? {} : { tools: offers }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    });
    parts = fullStream[Symbol.asyncIterator]();
    for (let coming = parts.next(); ; coming = parts.next()) {
      for await (const retry of retries.until(coming)) {
        silence.ended(retry.delay);
        yield { type: 'retry', ...retry };
      }
      const next = await coming;
      if (next.done) break;
      silence.ended();
      if (next.value.type === 'abort' && silence.rang)
        throw new Error(`The model was silent for ${silenceSeconds} seconds.`);
      yield next.value;
    }
  } catch (error) {
    yield signal.aborted ? { type: 'abort' } : { type: 'error', error };
  } finally {
    // First abort the request. Do not wait for the end of the stream: it is shared inside the SDK and would wait for
    // a reader that does not exist.
    silence.stop();
    parts?.return?.().catch(() => {});
  }
}

const offers = new WeakMap<Tool, ToolSet[string]>();

/** The tool as the provider sees it. The scheduler, not the SDK, checks its arguments and runs it. */
function offered(tool: Tool): ToolSet[string] {
  const known = offers.get(tool);
  if (known) return known;
  const { $schema: _, ...schema } = z.toJSONSchema(tool.schema, { target: 'draft-7', io: 'input' });
  const offer = toolOf({
    description: tool.description,
    inputSchema: jsonSchema(schema as JSONSchema7),
  }) as ToolSet[string];
  offers.set(tool, offer);
  return offer;
}

/** A queue that is filled at any time and read while waiting for something else. */
function createPost<Item>() {
  const items: Item[] = [];
  let ring = () => {};
  return {
    put(item: Item): void {
      items.push(item);
      ring();
    },
    /** Yields the items that are put in until `other` is settled. */
    async *until(other: Promise<unknown>): AsyncGenerator<Item, void> {
      let isSettled = false;
      const settled = other.then(
        () => {
          isSettled = true;
        },
        () => {
          isSettled = true;
        },
      );
      while (!isSettled) {
        const rung = new Promise<void>((resolve) => {
          ring = resolve;
        });
        if (items.length === 0) await Promise.race([settled, rung]);
        yield* items.splice(0);
      }
    },
  };
}

/**
 * Reports two things that the SDK does silently or in the wrong place: it retries requests without a notice while the user
 * waits, and it prints warnings to the console, which destroys a terminal interface.
 */
function wrapped({ model, retries, onWarning }: TurnRequest, onRetry: (retry: Retry) => void): LanguageModel {
  if (typeof model === 'string') return model;
  return wrapLanguageModel({
    model: model as Parameters<typeof wrapLanguageModel>[0]['model'],
    middleware: {
      specificationVersion: 'v3',
      async wrapStream({ doStream, params: { abortSignal: signal } }) {
        const { stream, ...rest } = await withRetries(doStream, { retries, signal, onRetry });
        return {
          ...rest,
          stream: stream.pipeThrough(
            new TransformStream({
              transform(part, controller) {
                if (part.type !== 'stream-start') return controller.enqueue(part);
                for (const warning of part.warnings)
                  onWarning(
                    'message' in warning ? warning.message : `${warning.feature}: ${warning.details ?? warning.type}`,
                  );
                controller.enqueue({ ...part, warnings: [] });
              },
            }),
          ),
        };
      },
    },
  });
}

/** Follows a signal, and aborts by itself when nothing arrives for too long. */
function silenceAlarm(seconds: number, follows: AbortSignal) {
  const controller = new AbortController();
  let rang = false;
  const ring = () => {
    rang = true;
    controller.abort();
  };
  const follow = () => controller.abort(follows.reason);
  let timer = setTimeout(ring, seconds * 1000);
  if (follows.aborted) follow();
  follows.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    get rang() {
      return rang;
    },
    /** Starts the time limit anew, after a pause in milliseconds of our own. */
    ended(pause = 0) {
      clearTimeout(timer);
      timer = setTimeout(ring, pause + seconds * 1000);
    },
    stop() {
      clearTimeout(timer);
      follows.removeEventListener('abort', follow);
      controller.abort();
    },
  };
}
