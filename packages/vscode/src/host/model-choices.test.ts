import { type ProviderName, providerFacts } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { modelRows, settingsFor } from './model-choices.js';

const providers = Object.keys(providerFacts) as ProviderName[];

test('every provider is offered with its default model first and a row for any other model', () => {
  const rows = modelRows({});
  for (const provider of providers) {
    const at = rows.findIndex((row) => row.type === 'provider' && row.label === providerFacts[provider].label);
    const { defaultModel } = providerFacts[provider];
    if (defaultModel !== undefined)
      expect(rows[at + 1]).toMatchObject({
        provider,
        model: defaultModel,
        description: expect.stringMatching(/^default, \$/),
      });
    expect(rows.filter((row) => row.type === 'other' && row.provider === provider)).toHaveLength(1);
  }
});

test('the model in use is listed and marked once, even if the price list does not know it', () => {
  const used = (provider: ProviderName, model: string) =>
    modelRows({ provider, model }).filter((row) => row.type === 'model' && row.description.startsWith('in use'));
  expect(used('openai-compatible', 'my-own')).toMatchObject([{ provider: 'openai-compatible', model: 'my-own' }]);
  const { defaultModel = '' } = providerFacts.anthropic;
  expect(used('anthropic', defaultModel)).toMatchObject([{ description: expect.stringMatching(/^in use, default/) }]);
});

test('another model of the same provider keeps the address and the key variable', () => {
  expect(settingsFor({ provider: 'openai', model: 'gpt-x' }, { provider: 'openai', model: 'gpt-y' })).toEqual([
    ['provider', 'openai'],
    ['model', 'gpt-x'],
  ]);
});

test('another provider removes the address and the key variable of the previous one first', () => {
  expect(settingsFor({ provider: 'anthropic', model: 'claude-x' }, { provider: 'openai-compatible' })).toEqual([
    ['baseURL', undefined],
    ['apiKeyEnv', undefined],
    ['provider', 'anthropic'],
    ['model', 'claude-x'],
  ]);
  expect(settingsFor({ provider: 'openai-compatible', model: 'm', address: 'http://a/v1' }, {}).slice(2)).toEqual([
    ['baseURL', 'http://a/v1'],
    ['provider', 'openai-compatible'],
    ['model', 'm'],
  ]);
});
