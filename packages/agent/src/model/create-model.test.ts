import { createPrices } from '@loopfuse/prices';
import { describe, expect, test } from 'vitest';
import { createModel, type ModelChoice, providerNames } from './create-model.js';
import { providerFacts } from './provider-facts.js';

const made = (choice: ModelChoice, environment: Record<string, string> = {}) => {
  const { model, provider, name, apiKey } = createModel(choice, environment);
  return [provider, name, apiKey, typeof model === 'string' ? model : model.modelId];
};

describe('a model is made', () => {
  test('from the given choice', () => {
    expect(made({ provider: 'anthropic', model: 'claude-x', apiKey: 'k' })).toEqual([
      'anthropic',
      'claude-x',
      'k',
      'claude-x',
    ]);
    expect(made({ provider: 'openai-compatible', model: 'm', baseURL: 'http://127.0.0.1:1/v1' })).toEqual([
      'openai-compatible',
      'm',
      undefined,
      'm',
    ]);
  });

  test('from the environment, where nothing is given', () => {
    expect(made({ model: 'gemini-x' }, { GEMINI_API_KEY: 'g' })).toEqual(['google', 'gemini-x', 'g', 'gemini-x']);
    expect(made({ model: 'gpt-x' }, { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' })[0]).toBe('openai');
    expect(made({}, { LOOPFUSE_PROVIDER: 'anthropic', LOOPFUSE_MODEL: 'm', ANTHROPIC_API_KEY: 'a' })).toEqual([
      'anthropic',
      'm',
      'a',
      'm',
    ]);
    expect(made({ model: 'unknown-model' }, { ANTHROPIC_API_KEY: 'a' })[0]).toBe('anthropic');
    expect(made({ model: 'm' }, { LOOPFUSE_BASE_URL: 'http://127.0.0.1:1/v1' })[0]).toBe('openai-compatible');
    expect(made({ provider: 'openai', model: 'm', apiKeyEnv: 'MINE' }, { MINE: 'x', OPENAI_API_KEY: 'y' })[2]).toBe(
      'x',
    );
  });

  test.each<[string, ModelChoice, Record<string, string>, RegExp]>([
    ['a provider', { model: 'm' }, {}, /No provider is set.*LOOPFUSE_PROVIDER or "provider".*openai-compatible/],
    [
      'a model',
      { provider: 'openai' },
      { OPENAI_API_KEY: 'x' },
      /No model is set for openai.*LOOPFUSE_MODEL or "model"/,
    ],
    ['a key', { provider: 'google', model: 'm' }, {}, /No key for google\. Set GEMINI_API_KEY or /],
    [
      'the key named',
      { provider: 'google', model: 'm', apiKeyEnv: 'MINE' },
      { GEMINI_API_KEY: 'x' },
      /Set MINE in the environment/,
    ],
    ['an address', { provider: 'openai-compatible', model: 'm' }, {}, /No address.*LOOPFUSE_BASE_URL/],
    ['a right provider', { provider: 'acme' as never, model: 'm' }, {}, /provider must be one of openai, .*"acme"/],
    [
      'a right address',
      { provider: 'openai-compatible', model: 'm', baseURL: 'file:///etc' },
      {},
      /baseURL must be an address.*file:/,
    ],
  ])('not without %s, and the error says how to set it', (_, choice, environment, message) => {
    expect(() => createModel(choice, environment)).toThrow(message);
  });

  test.each(providerNames)('without a name, on demand: the default of %s', (provider) => {
    const { defaultModel, keys, needsAddress } = providerFacts[provider];
    const environment = { [keys[0]!]: 'k', ...(needsAddress ? { LOOPFUSE_BASE_URL: 'http://127.0.0.1:1/v1' } : {}) };
    const make = (choice: ModelChoice) => createModel({ orDefault: true, ...choice }, environment);
    if (defaultModel === undefined) expect(() => make({ provider })).toThrow(/No model is set for openai-compatible/);
    else {
      for (const choice of [{ provider }, {}])
        expect(make(choice)).toMatchObject({ provider, name: defaultModel, byDefault: true });
      expect(make({ model: 'm', provider })).not.toHaveProperty('byDefault');
      expect(createPrices().priceOf(defaultModel), 'its price is known').toBeDefined();
      expect(() => make({ provider, orDefault: false })).toThrow(`for example ${defaultModel}.`);
    }
  });

  test('errors never show a key', () => {
    const keys = { OPENAI_API_KEY: 'sk-very-secret' };
    expect(() => createModel({ provider: 'openai' }, keys)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('sk-very') }),
    );
  });
});

test('an address with many slashes takes little time', () => {
  const baseURL = `http://127.0.0.1:1/${'/'.repeat(300_000)}v${'1'.repeat(300_000)}/`;
  expect(made({ provider: 'openai-compatible', model: 'm', baseURL })[1]).toBe('m');
});
