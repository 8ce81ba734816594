import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScrollback, withoutScrollback } from './scrollback.js';

const outputs = [
  '$ ls\na.ts\nb.ts',
  '$ cat a.ts\nlet a = 1;\nlet b = 2;',
  '$ npm test\n12 passed\nno failures',
  '$ pwd\n/code\n$',
];

/** What is left of results that come one after the other. */
function left(results: readonly string[]): string[] {
  const screen = createScrollback();
  return results.map((text) => withoutScrollback(screen, text));
}

/** The results of a terminal that shows its last lines with each of them. */
function screens(texts: readonly string[], lines: number): string[] {
  let shown: string[] = [];
  return texts.map((text) => {
    shown = [...shown, ...text.split('\n')].slice(-lines);
    return shown.join('\n');
  });
}

describe('what a terminal still shows of earlier results', () => {
  test('is taken off from the second time on', () => {
    const shown = screens(outputs, 40);
    expect(left(shown)).toEqual([shown[0], shown[1], ...outputs.slice(2)]);
  });

  test('is taken off where the screen has scrolled', () => {
    expect(left(screens([...outputs, ...outputs], 8)).slice(2)).toEqual([...outputs.slice(2), ...outputs]);
  });

  test('stays where nothing is new: the screen is the result', () => {
    const shown = screens(outputs, 40);
    expect(left([...shown, shown[3]!]).at(-1)).toBe(shown[3]);
  });

  test('leaves every result of other hosts as it is', () => {
    const line = fc.constantFrom('a', 'b', 'ok', '');
    const result = fc.array(line, { maxLength: 2 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.array(result, { maxLength: 12 }), (results) => {
        expect(left(results)).toEqual(results);
      }),
    );
  });
});
