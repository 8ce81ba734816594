import type { ProviderName } from '@loopfuse/agent';
import { ConfigurationTarget, window, workspace } from 'vscode';

const providers: readonly { label: string; provider: ProviderName; example: string }[] = [
  { label: 'Anthropic', provider: 'anthropic', example: 'claude-sonnet-4-5' },
  { label: 'OpenAI', provider: 'openai', example: 'gpt-5.1' },
  { label: 'Google', provider: 'google', example: 'gemini-3-pro' },
  { label: 'A server that speaks like OpenAI’s', provider: 'openai-compatible', example: 'local-model' },
];

/** Asks for a provider and a model, and writes them into the user's settings. */
export async function chooseModel(): Promise<void> {
  const chosen = await window.showQuickPick(
    providers.map((one) => ({ ...one, description: one.provider })),
    { title: 'Choose a model', placeHolder: 'Who runs it?' },
  );
  if (chosen === undefined) return;
  const settings = workspace.getConfiguration('loopfuse');
  const compatible = chosen.provider === 'openai-compatible';
  const address = compatible
    ? await window.showInputBox({
        title: 'Where is the server?',
        value: settings.get('baseURL') || 'http://127.0.0.1:8080/v1',
        ignoreFocusOut: true,
        validateInput: (text) =>
          /^https?:\/\//.test(text) && URL.canParse(text)
            ? undefined
            : 'Expected an address such as http://127.0.0.1:8080/v1',
      })
    : '';
  if (address === undefined) return;
  const model = await window.showInputBox({
    title: 'Which model?',
    placeHolder: `as the provider calls it, for example ${chosen.example}`,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'Expected the name of a model' : undefined),
  });
  if (model === undefined || model.trim() === '') return;
  const write = (name: string, value: string | undefined) => settings.update(name, value, ConfigurationTarget.Global);
  await write('provider', chosen.provider);
  if (compatible) await write('baseURL', address);
  else if (settings.inspect('baseURL')?.globalValue) await write('baseURL', undefined);
  await write('model', model.trim());
}
