import { openAgent, type Settings } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { editorPlaces } from './editor-places.js';
import { toolEnvironment } from './tool-environment.js';

function problemOf(overrides: Settings): string {
  try {
    openAgent({ cwd: '.', home: '/nowhere', env: {}, overrides, places: editorPlaces });
    return '';
  } catch (cause) {
    return (cause as Error).message;
  }
}

test('errors say where to set what is missing in the editor', () => {
  expect(problemOf({})).toMatch(/the setting “loopfuse.provider”/);
  expect(problemOf({ provider: 'openai' })).toMatch(/the setting “loopfuse.model”/);
  expect(problemOf({ provider: 'openai-compatible', model: 'm' })).toMatch(/the setting “loopfuse.baseURL”/);
  expect(problemOf({ model: 'gemini-3-pro' })).toMatch(/Set an API Key….*or set GEMINI_API_KEY or \w+ or \w+ in/);
  expect(problemOf({ maxTurns: 0 })).toMatch(/^The settings of the editor: "maxTurns" must be/);
  for (const settings of [{}, { provider: 'openai' }, { provider: 'openai-compatible', model: 'm' }] as const)
    expect(problemOf(settings)).not.toMatch(/--\w/);
});

test('programs do not get the variables that the editor has set for itself', () => {
  const own = { ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', VSCODE_PID: '1' };
  expect(toolEnvironment({ ...own, PATH: '/bin', HOME: '/h', EMPTY: undefined })).toEqual({ PATH: '/bin', HOME: '/h' });
});
