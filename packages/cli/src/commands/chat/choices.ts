import type { ApprovalMode, ProviderName } from '@loopfuse/agent';

// The agent is loaded only when a chat begins, so its names are written down here; the compiler sees that none is missing.

export const providerChoices: { readonly [Name in ProviderName]: string } = {
  openai: 'OPENAI_API_KEY',
  'openai-compatible': 'any server that speaks like it; needs --base-url',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
};

export const approvalChoices: { readonly [Mode in ApprovalMode]: string } = {
  ask: 'every change and command needs your approval',
  'auto-edit': 'edits run, commands ask',
  yolo: 'everything runs',
};
