import type { Json } from 'loopfuse';
import { num, type Obj, obj } from './json.js';
import type { Usage } from './transcript.js';

/** The usage in a message of any model interface. */
export function usageOf(message: Obj): Usage {
  const usage = obj(message.usage ?? message.usage_metadata ?? message.usageMetadata ?? obj(message.metadata).usage);
  const metrics = obj(message.metrics);
  const tokens = obj(metrics.tokens);
  const langchain = obj(usage.input_token_details);
  // The input tokens of Anthropic, Bedrock and Cline do not include cached tokens; those of the others do.
  const beside = {
    read: first(usage.cache_read_input_tokens, usage.cacheReadInputTokens, metrics.cacheReadTokens),
    written: first(usage.cache_creation_input_tokens, usage.cacheWriteInputTokens, metrics.cacheWriteTokens),
  };
  const whole = first(usage.prompt_tokens, usage.promptTokenCount, usage.promptTokens, tokens.prompt);
  const rest = first(usage.input_tokens, metrics.inputTokens, usage.inputTokens);
  const candidates = num(usage.candidatesTokenCount);
  return {
    input: rest === undefined ? whole : rest + (beside.read ?? 0) + (beside.written ?? 0),
    output:
      first(usage.output_tokens, usage.completion_tokens) ??
      // Gemini counts thoughts separately from the answer.
      (candidates === undefined ? undefined : candidates + (num(usage.thoughtsTokenCount) ?? 0)) ??
      first(usage.outputTokens, usage.completionTokens, metrics.outputTokens, tokens.completion),
    cached:
      beside.read ??
      first(
        obj(usage.prompt_tokens_details).cached_tokens,
        obj(usage.input_tokens_details).cached_tokens,
        langchain.cache_read,
        usage.cachedContentTokenCount,
        usage.cachedInputTokens,
        tokens.cached,
      ),
    written: beside.written ?? num(langchain.cache_creation),
    writtenLong: num(obj(usage.cache_creation).ephemeral_1h_input_tokens),
    cost: first(metrics.cost, usage.cost),
  };
}

/** The first that is a number. */
function first(...values: readonly (Json | undefined)[]): number | undefined {
  return values.map(num).find((value) => value !== undefined);
}
