import { expect, test } from 'vitest';
import { runLoopfuse } from '../testing/run-loopfuse.js';
import { nodeProblem } from './node-version.js';

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '100.0.0'])('Node %s will do', (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

test.each(['20.18.3', '18.20.4', '19.99.0', '4.0.0', ''])(
  'Node %s is too old, and the message says what is needed',
  (version) => {
    expect(nodeProblem(version)).toContain('20.19 or newer');
    expect(nodeProblem(version)).toContain(`this is ${version}`);
  },
);

test('an old Node is reported before anything else is loaded', async () => {
  const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.1.0"})';
  const { code, stdout, stderr } = await runLoopfuse(['demo'], { nodeArgs: ['--import', old] });
  expect(stderr).toMatch(/^loopfuse: Node\.js 20\.19 or newer is needed, and this is 18\.1\.0\./);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});
