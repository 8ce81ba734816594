/** The provider names of the conventions, by those of the AI SDK. The longest matching beginning counts. */
const wellKnown: readonly (readonly [beginning: string, name: string])[] = [
  ['amazon-bedrock', 'aws.bedrock'],
  ['anthropic', 'anthropic'],
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['cohere', 'cohere'],
  ['deepseek', 'deepseek'],
  ['google', 'gcp.gemini'],
  ['google.vertex', 'gcp.vertex_ai'],
  ['groq', 'groq'],
  ['mistral', 'mistral_ai'],
  ['openai', 'openai'],
  ['perplexity', 'perplexity'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
];

/**
 * The value of `gen_ai.provider.name`: `openai.responses` is `openai`, `google.generative-ai` is `gcp.gemini`. A
 * provider that the conventions do not know keeps its name, without the part that says which of its APIs is used.
 */
export function providerName(provider: string): string {
  const found = wellKnown.findLast(([beginning]) => provider === beginning || provider.startsWith(`${beginning}.`));
  return found?.[1] ?? (provider.split('.')[0] || 'unknown');
}
