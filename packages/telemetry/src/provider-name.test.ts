import { expect, test } from 'vitest';
import { providerName } from './provider-name.js';

test.each([
  ['openai.responses', 'openai'],
  ['openai', 'openai'],
  ['anthropic.messages', 'anthropic'],
  ['google.generative-ai', 'gcp.gemini'],
  ['google.vertex.chat', 'gcp.vertex_ai'],
  ['vertex.anthropic.messages', 'gcp.vertex_ai'],
  ['azure.chat', 'azure.ai.openai'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['mistral.chat', 'mistral_ai'],
  ['xai.chat', 'x_ai'],
  ['openai-compatible.chat', 'openai-compatible'],
  ['gateway', 'gateway'],
  ['', 'unknown'],
])('%j is called %s', (provider, name) => {
  expect(providerName(provider)).toBe(name);
});
