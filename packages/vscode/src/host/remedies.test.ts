import type { SetUpProblem } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { editorCommands } from './chat/offer-help.js';
import { isCommand } from './commands.js';
import { remediesFor } from './remedies.js';

const problems: readonly (SetUpProblem | 'untrusted' | undefined)[] = [
  { type: 'provider' },
  { type: 'model', provider: 'openai' },
  { type: 'address' },
  { type: 'key', provider: 'openai', variables: ['OPENAI_API_KEY'] },
  { type: 'key-address', variable: 'OPENAI_API_KEY', address: 'http://a/v1', keptFor: [] },
  { type: 'folder' },
  { type: 'settings', problems: [] },
  'untrusted',
  undefined,
];

test('each problem has a remedy, which is an existing command', () => {
  const first = problems.map((problem) => remediesFor(problem)[0]?.label);
  expect(first).toEqual([
    'Choose a Model',
    'Choose a Model',
    'Choose a Model',
    'Set the API Key',
    'Decide about the Key',
    'Open a Folder',
    'Open Settings',
    'Manage Trust',
    'Open Settings',
  ]);
  for (const { command } of problems.flatMap(remediesFor))
    expect(isCommand(command) || command in editorCommands).toBe(true);
});
