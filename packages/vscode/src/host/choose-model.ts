import type { ProviderName } from '@loopfuse/agent';
import { ConfigurationTarget, QuickPickItemKind, window, workspace } from 'vscode';
import type { ChosenModel, ModelInUse } from './model-choices.js';

/** Asks for a model of any provider and writes it into the user's settings. The next request uses it. */
export async function chooseModel(inUse: ModelInUse): Promise<void> {
  const { modelRows, settingsFor } = await import('./model-choices.js');
  const row = await window.showQuickPick(
    modelRows(inUse).map((one) => ({
      ...one,
      kind: one.type === 'provider' ? QuickPickItemKind.Separator : QuickPickItemKind.Default,
    })),
    { title: 'Choose a model', placeHolder: 'It takes effect with the next message', matchOnDescription: true },
  );
  if (row === undefined || row.type === 'provider') return;
  const chosen = row.type === 'model' ? row : await askForOther(row.provider);
  if (chosen === undefined) return;
  const settings = workspace.getConfiguration('loopfuse');
  for (const [name, value] of settingsFor(chosen, inUse))
    if (value !== undefined || settings.inspect(name)?.globalValue !== undefined)
      await settings.update(name, value, ConfigurationTarget.Global);
  await offerHere(chosen.model);
}

async function askForOther(provider: ProviderName): Promise<ChosenModel | undefined> {
  const { providerFacts } = await import('@loopfuse/agent');
  const { label, needsAddress, defaultModel = 'local-model' } = providerFacts[provider];
  const address = needsAddress ? await askForAddress() : undefined;
  if (needsAddress && address === undefined) return undefined;
  const model = await window.showInputBox({
    title: `Which model of ${label}?`,
    placeHolder: `as the provider calls it, for example ${defaultModel}`,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'Expected the name of a model' : undefined),
  });
  return model === undefined || model.trim() === '' ? undefined : { provider, model: model.trim(), address };
}

/** Offers the address in the user's own settings, never that of a workspace, because keys are sent there. */
function askForAddress(): Thenable<string | undefined> {
  const own = workspace.getConfiguration('loopfuse').inspect('baseURL')?.globalValue;
  return window.showInputBox({
    title: 'Where is the server?',
    value: typeof own === 'string' && own !== '' ? own : 'http://127.0.0.1:8080/v1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:\/\//.test(text) && URL.canParse(text)
        ? undefined
        : 'Expected an address such as http://127.0.0.1:8080/v1',
  });
}

/** A model named by the workspace overrides the user's choice. Says so, and offers to change it there. */
async function offerHere(model: string): Promise<void> {
  const settings = workspace.getConfiguration('loopfuse');
  const named = settings.inspect<string>('model')?.workspaceValue;
  if (named === undefined || named === '' || named === model) return;
  const change = 'Change It There';
  const answer = await window.showWarningMessage(
    `The settings of this workspace name the model ${named}, which overrides your choice.`,
    change,
  );
  if (answer === change) await settings.update('model', model, ConfigurationTarget.Workspace);
}
