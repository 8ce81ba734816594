import type { Json } from 'loopfuse';
import { type JudgeRequest, type Reply, tokensOf } from './ask.js';

/**
 * A `LanguageModel` of the AI SDK, versions 5 to 7: what its providers return and its middleware wraps. Only the
 * model's interface is used here, so the SDK itself is not needed. A name means a model of the SDK's default provider.
 */
export type JudgeModel = LanguageModelObject | string;

/** Options of the model's provider, by the provider's name, as in the AI SDK. */
export type ProviderOptions = { readonly [provider: string]: { readonly [option: string]: Json } };

interface LanguageModelObject {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** The part of `doGenerate` that the three versions of the interface have in common. */
interface Generating {
  doGenerate(options: {
    readonly prompt: readonly (
      | { readonly role: 'system'; readonly content: string }
      | { readonly role: 'user'; readonly content: readonly { readonly type: 'text'; readonly text: string }[] }
    )[];
    readonly responseFormat?: { readonly type: 'json'; readonly name: string; readonly schema: object };
    readonly abortSignal: AbortSignal;
    readonly providerOptions?: ProviderOptions;
  }): PromiseLike<{
    readonly content?: readonly { readonly type?: string; readonly text?: unknown }[];
    readonly usage?: { readonly inputTokens?: TokenCount; readonly outputTokens?: TokenCount };
  }>;
}

/** A number in version 2 of the interface, an object in later ones. */
type TokenCount = number | { readonly total?: number } | undefined;

/**
 * The first attempt passes the schema as the provider's response format. Some servers refuse or ignore that, so the
 * second attempt has the schema in its text instead.
 */
export async function askLanguageModel(
  model: LanguageModelObject,
  { system, prompt, schema, attempt }: JudgeRequest,
  signal: AbortSignal,
  providerOptions?: ProviderOptions,
): Promise<Reply> {
  const { content = [], usage } = await (model as unknown as Generating).doGenerate({
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: attempt === 1 ? prompt : `${prompt}\n\n${inText(schema)}` }] },
    ],
    ...(attempt === 1 ? { responseFormat: { type: 'json', name: 'opinion', schema } as const } : {}),
    abortSignal: signal,
    ...(providerOptions === undefined ? {} : { providerOptions }),
  });
  const answer = content.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
  return { answer, inputTokens: total(usage?.inputTokens), outputTokens: total(usage?.outputTokens) };
}

function inText(schema: object): string {
  return `Answer with one JSON object and nothing else, without a fence. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Throws if there is no such model. */
export function languageModel(model: JudgeModel): LanguageModelObject {
  if (typeof model !== 'string') {
    if (typeof model?.doGenerate === 'function' && typeof model.modelId === 'string') return model;
    throw new TypeError(`createJudge: model must be a language model of the AI SDK, got ${typeof model}`);
  }
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as {
    AI_SDK_DEFAULT_PROVIDER?: { languageModel?(id: string): LanguageModelObject };
  };
  if (typeof provider?.languageModel === 'function') return provider.languageModel(model);
  throw new TypeError(
    `createJudge: model ${JSON.stringify(model)} is only a name, and the AI SDK has no default provider here: give the model itself, as its provider makes it`,
  );
}

function total(count: TokenCount): number {
  return tokensOf(typeof count === 'object' ? count?.total : count);
}
