import { guardTurn, type LoopError, openSession, type Session, type SessionOptions } from '@loopfuse/session';
import type { LanguageModelMiddleware } from 'ai';
import { rewritten } from './rewritten-stream.js';
import {
  type CallOptions,
  type ContentPart,
  contentEvents,
  type GenerateResult,
  type Message,
  noUsage,
  promptEvents,
  type StreamPart,
  streamEvents,
  usageEvents,
} from './translate.js';

export interface MiddlewareOptions {
  /** Whether `toolApproval` of the same session is set too, so that calls can be refused and the user can be asked. */
  readonly approves?: boolean;
}

const finished = { unified: 'stop', raw: 'loopfuse' } as const;

/**
 * A middleware for `wrapLanguageModel`. It sees the model's text and calls, and the results in the next prompt. It adds
 * messages for the model to the prompt, cuts answers short that go in circles, and ends the run. It cannot refuse a
 * single call: `guarded` sets `toolApproval` for that.
 */
export function loopMiddleware(
  given: Session | SessionOptions = {},
  { approves = false }: MiddlewareOptions = {},
): LanguageModelMiddleware {
  const session = sessionOf(given);

  const show = (prompt: readonly Message[]) =>
    session.request(
      session.attempt('translate', () => promptEvents(prompt), []),
      prompt.length,
    );

  return {
    specificationVersion: 'v4',
    async wrapGenerate({ params, model }) {
      await show(params.prompt);
      let answer: GenerateResult | undefined;
      let content: ContentPart[] = [];
      const turn = guardTurn<ContentPart | GenerateResult['usage']>(session, {
        approves,
        async ask() {
          content = [];
          answer = await model.doGenerate({ ...params, prompt: session.history(params.prompt, userMessage) });
          return [...answer.content, answer.usage];
        },
        read: (part) => ('type' in part ? contentEvents(part) : usageEvents(part)),
      });
      for await (const step of turn) {
        if (step.type === 'part' && 'type' in step.part) content.push(step.part);
        if (step.type === 'end') {
          if (mustThrow(session, params)) throw step.error;
          return ended(step.error, content, answer);
        }
      }
      return { ...answer!, content };
    },
    async wrapStream({ params, model }) {
      await show(params.prompt);
      let first: Awaited<ReturnType<typeof model.doStream>> | undefined;
      let reader: ReadableStreamDefaultReader<StreamPart> | undefined;
      const ask = async () => {
        const asked = await model.doStream({ ...params, prompt: session.history(params.prompt, userMessage) });
        first ??= asked;
        reader = asked.stream.getReader();
        return partsOf(reader);
      };
      let usage = noUsage;
      const read = (part: StreamPart) => {
        if (part.type === 'finish') usage = part.usage;
        return streamEvents(part);
      };
      const turn = guardTurn<StreamPart>(session, { approves, ask, read });
      const stream = await rewritten(turn, {
        throws: mustThrow(session, params),
        usage: () => usage,
        cancel: async (reason) => reader?.cancel(reason),
      });
      return {
        stream,
        ...(first?.request ? { request: first.request } : {}),
        ...(first?.response ? { response: first.response } : {}),
      };
    },
  };
}

function sessionOf(given: Session | SessionOptions): Session {
  return 'guard' in given ? given : openSession(given);
}

function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** An answer that must be an object of a given schema cannot be ended with text. */
function mustThrow({ exitBehavior }: Session, { responseFormat }: CallOptions): boolean {
  return exitBehavior === 'error' || responseFormat?.type === 'json';
}

/** An answer without calls, which ends the run. */
function ended(error: LoopError, content: readonly ContentPart[], answer: GenerateResult | undefined): GenerateResult {
  const usage = answer?.usage ?? noUsage;
  const said = content.filter(({ type }) => type === 'text' || type === 'reasoning');
  return {
    ...answer,
    content: [...said, { type: 'text', text: error.message }],
    finishReason: finished,
    usage,
    warnings: answer?.warnings ?? [],
  };
}

/** The parts of a stream, as an iterable that cancels the stream if the loop over it ends early. */
async function* partsOf<Part>(reader: ReadableStreamDefaultReader<Part>): AsyncGenerator<Part> {
  let done = false;
  try {
    for (;;) {
      const next = await reader.read();
      done = next.done;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!done) await reader.cancel().catch(() => {});
  }
}
