import { callAction, type Session } from '@loopfuse/session';
import type { Wire } from '@loopfuse/wire';
import { anthropic } from '@loopfuse/wire/anthropic';
import { gemini } from '@loopfuse/wire/gemini';
import { openaiChat } from '@loopfuse/wire/openai-chat';
import { openaiResponses } from '@loopfuse/wire/openai-responses';
import type { Json } from 'loopfuse';
import { type AskOptions, askStream, askWhole, nameOfCall } from './ask.js';

// biome-ignore lint/suspicious/noExplicitAny: a function of an SDK, whose own overloads are kept
type Create = (body: any, ...rest: any[]) => any;

/** The SDK's function that asks the model, with a guard in it and the same types. */
function guardedCreate<Fn extends Create>(
  session: Session,
  wire: Wire,
  create: Fn,
  { streams, ...options }: AskOptions & { readonly streams?: boolean },
): Fn {
  const asked = (body: object, ...rest: unknown[]) => {
    const send = (edited: unknown) => create(edited, ...rest);
    if (!(streams ?? (body as { stream?: unknown }).stream === true))
      return askWhole(session, wire, body, send, options);
    return begun(askStream<object>(session, wire, body, send as never, options));
  };
  return asked as unknown as Fn;
}

/** A stream whose first chunk was read, so that a request that fails immediately rejects, as it does without us. */
async function begun<Chunk>(chunks: AsyncGenerator<Chunk>): Promise<AsyncIterableIterator<Chunk>> {
  let first: IteratorResult<Chunk> | undefined = await chunks.next();
  const stream: AsyncIterableIterator<Chunk> = {
    async next() {
      const next = first ?? (await chunks.next());
      first = undefined;
      return next;
    },
    return() {
      first = undefined;
      return chunks.return(undefined);
    },
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}

interface OpenAIClient {
  readonly chat: { readonly completions: { create: Create } };
  readonly responses: { create: Create };
}

/** `chat.completions.create` and `responses.create` of a client of `openai`, for one session. */
export function guardedOpenAI<Client extends OpenAIClient>(
  client: Client,
  session: Session,
  options: AskOptions = {},
): {
  chat: { completions: { create: Client['chat']['completions']['create'] } };
  responses: { create: Client['responses']['create'] };
} {
  const { chat, responses } = client;
  const completions = chat.completions;
  return {
    chat: {
      completions: {
        create: guardedCreate(session, openaiChat, completions.create.bind(completions), options) as never,
      },
    },
    responses: { create: guardedCreate(session, openaiResponses, responses.create.bind(responses), options) as never },
  };
}

interface AnthropicClient {
  readonly messages: { create: Create };
}

/** `messages.create` of a client of `@anthropic-ai/sdk`, for one session. */
export function guardedAnthropic<Client extends AnthropicClient>(
  { messages }: Client,
  session: Session,
  options: AskOptions = {},
): { messages: { create: Client['messages']['create'] } } {
  return { messages: { create: guardedCreate(session, anthropic, messages.create.bind(messages), options) as never } };
}

interface GenAIClient {
  readonly models: { generateContent: Create; generateContentStream: Create };
}

/** `models.generateContent` and `generateContentStream` of a client of `@google/genai`, for one session. */
export function guardedGenAI<Client extends GenAIClient>(
  { models }: Client,
  session: Session,
  options: AskOptions = {},
): { models: Pick<Client['models'], 'generateContent' | 'generateContentStream'> } {
  const whole = models.generateContent.bind(models);
  const streamed = models.generateContentStream.bind(models);
  return {
    models: {
      generateContent: guardedCreate(session, gemini, whole, { ...options, streams: false }) as never,
      generateContentStream: guardedCreate(session, gemini, streamed, { ...options, streams: true }) as never,
    },
  };
}

export interface ModelCall {
  /** The provider's id; Gemini may give none. */
  readonly id?: string | undefined;
  readonly tool: string;
  readonly input: unknown;
}

/** The result for the model of a call that must not run; `undefined` if it may run. */
export async function refusalOf(session: Session, { id, tool, input }: ModelCall): Promise<string | undefined> {
  const known = id ?? nameOfCall(session, tool);
  if (known === undefined) return undefined;
  const action = callAction(await session.settle(session.call({ id: known, tool, input: input as Json })));
  return action.type === 'run' ? undefined : action.text;
}
