import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ownCommand } from './own-command.js';

test('hints use the words with which the program was started', () => {
  expect(ownCommand('/usr/lib/node_modules/.bin/loopfuse', {})).toBe('loopfuse');
  expect(ownCommand(resolve('packages/cli/bin/loopfuse.js'), {})).toBe('node packages/cli/bin/loopfuse.js');
  expect(ownCommand(resolve('packages/cli/bin/loopfuse.js'), { npm_lifecycle_event: 'start' })).toBe(
    'npm run loopfuse --',
  );
  expect(ownCommand('/home/a/.npm/_npx/1/node_modules/.bin/loopfuse', { npm_command: 'exec' })).toBe('npx loopfuse');
});
