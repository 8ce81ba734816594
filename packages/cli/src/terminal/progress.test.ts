import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeTerminal } from '../../testing/terminal.js';
import { createProgress, type Progress } from './progress.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function tickFor(progress: Progress, milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed++) {
    vi.advanceTimersByTime(1);
    for (let k = 0; k < 256; k++) progress.tick();
  }
}

test('half a second passes before anything is shown, then the line is written over about ten times a second', () => {
  const err = fakeTerminal({ isInteractive: true });
  let count = 0;
  const progress = createProgress(err, () => `shown ${++count}`);
  tickFor(progress, 499);
  expect(err.written).toBe('');
  tickFor(progress, 1001);
  expect(count).toBe(11);
  expect(err.written).toContain('\r\u001b[2Kshown 1\r\u001b[2Kshown 2');
  progress.clear();
  expect(err.written.endsWith('\r\u001b[2K')).toBe(true);
});

test('a long line is cut, so that it can be written over', () => {
  const err = fakeTerminal({ isInteractive: true, columns: 40 });
  tickFor(
    createProgress(err, () => 'x'.repeat(100)),
    600,
  );
  expect(err.written).toContain(`${'x'.repeat(38)}…`);
  expect(err.written).not.toContain('x'.repeat(39));
});

test('nothing is shown to a pipe, and nothing is cleared that was not shown', () => {
  for (const isInteractive of [false, true]) {
    const err = fakeTerminal({ isInteractive });
    const progress = createProgress(err, () => 'shown');
    if (!isInteractive) tickFor(progress, 2000);
    progress.clear();
    expect(err.written).toBe('');
  }
});
