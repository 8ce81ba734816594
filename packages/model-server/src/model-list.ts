import type { Json } from 'loopfuse';
import type { Protocol } from './turn.js';

/** The list of models, or one of them, in the form of each provider; `undefined` for a model that does not exist. */
export function modelList(protocol: Protocol, models: readonly string[], id?: string): Json | undefined {
  const show = entries[protocol];
  if (id !== undefined) return models.includes(id) ? show(id) : undefined;
  const shown = models.map(show);
  if (protocol === 'gemini') return { models: shown };
  if (protocol === 'anthropic')
    return { data: shown, first_id: models[0] ?? null, has_more: false, last_id: models.at(-1) ?? null };
  return { object: 'list', data: shown };
}

const openaiEntry = (id: string): Json => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'scripted' });

const entries: { readonly [Name in Protocol]: (id: string) => Json } = {
  'openai-chat': openaiEntry,
  'openai-responses': openaiEntry,
  anthropic: (id) => ({ type: 'model', id, display_name: id, created_at: '2025-01-01T00:00:00Z' }),
  gemini: (id) => ({
    name: `models/${id}`,
    version: '001',
    displayName: id,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }),
};
