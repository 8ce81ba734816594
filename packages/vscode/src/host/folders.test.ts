import { beforeEach, expect, test, vi } from 'vitest';

/** The parts of the editor that folders use. */
const editor = vi.hoisted(() => ({
  workspace: {
    workspaceFolders: [] as { name: string; uri: { scheme: string; fsPath: string; toString(): string } }[],
    getWorkspaceFolder: (uri: unknown) => uri,
  },
  window: {
    activeTextEditor: undefined as { document: { uri: unknown } } | undefined,
    showQuickPick: async (_items: readonly unknown[]): Promise<unknown> => undefined,
  },
}));
vi.mock('vscode', () => editor);

const { createFolders } = await import('./folders.js');

const folder = (name: string) => ({
  name,
  uri: { scheme: 'file', fsPath: `/${name}`, toString: () => `file:///${name}` },
});
const [shop, docs] = [folder('shop'), folder('docs')];
const looksAt = (one: typeof shop) => {
  editor.window.activeTextEditor = { document: { uri: one } };
};

function state() {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key) as never,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
}

beforeEach(() => {
  editor.workspace.workspaceFolders = [shop, docs];
  editor.window.activeTextEditor = undefined;
  editor.window.showQuickPick = async () => undefined;
});

test('without a choice the folder stays the same, whatever file is active', async () => {
  const folders = createFolders(state());
  looksAt(docs);
  expect((await folders.current())?.name).toBe('docs');
  looksAt(shop);
  expect((await folders.current())?.name).toBe('docs');
});

test('a folder that has left the workspace is not used any more', async () => {
  const folders = createFolders(state());
  editor.window.showQuickPick = async ([first]) => first;
  expect((await folders.current())?.name).toBe('shop');
  editor.workspace.workspaceFolders = [docs, folder('site')];
  expect((await folders.current())?.name).toBe('docs');
});
