import { num, type Obj, obj } from './json.js';
import type { Usage } from './transcript.js';

/** What a message says was used for it, in the words of whichever interface it came from. */
export function usageOf(message: Obj): Usage {
  const usage = obj(message.usage ?? message.usage_metadata ?? message.usageMetadata ?? obj(message.metadata).usage);
  const metrics = obj(message.metrics);
  const tokens = obj(metrics.tokens);
  const read = num(usage.cache_read_input_tokens) ?? num(metrics.cacheReadTokens);
  // Anthropic's input leaves out what went through the cache; the others' counts it.
  const rest = num(usage.input_tokens) ?? num(metrics.inputTokens);
  const written = num(usage.cache_creation_input_tokens) ?? num(metrics.cacheWriteTokens);
  return {
    input:
      rest === undefined
        ? (num(usage.prompt_tokens) ??
          num(usage.promptTokenCount) ??
          num(usage.inputTokens) ??
          num(usage.promptTokens) ??
          num(tokens.prompt))
        : rest + (read ?? 0) + (written ?? 0),
    output:
      num(usage.output_tokens) ??
      num(usage.completion_tokens) ??
      num(usage.candidatesTokenCount) ??
      num(usage.outputTokens) ??
      num(usage.completionTokens) ??
      num(metrics.outputTokens) ??
      num(tokens.completion),
    cached:
      read ??
      num(obj(usage.prompt_tokens_details).cached_tokens) ??
      num(obj(usage.input_token_details).cache_read) ??
      num(usage.cachedContentTokenCount) ??
      num(usage.cachedInputTokens) ??
      num(tokens.cached),
    written,
    cost: num(metrics.cost),
  };
}
