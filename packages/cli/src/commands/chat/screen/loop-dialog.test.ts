import type { Choice } from 'loopfuse';
import { expect, test } from 'vitest';
import { callLoop, textLoop } from '../../../../../conversation/testing/loop-report.js';
import type { Key } from '../../../terminal/keys/key.js';
import { type LoopAnswer, type LoopDialog, openLoopDialog, pressInLoopDialog } from './loop-dialog.js';

/** Presses keys, named or typed, until there is an answer. */
function press(dialog: LoopDialog, ...keys: readonly (Key['type'] | `type ${string}`)[]): LoopDialog | LoopAnswer {
  let at: LoopDialog | LoopAnswer = dialog;
  for (const key of keys) {
    if (!('type' in at)) throw new Error('there was an answer already');
    at = pressInLoopDialog(at, key.startsWith('type ') ? { type: 'text', text: key.slice(5) } : ({ type: key } as Key));
  }
  return at;
}

const choices: readonly Choice[] = ['stop', 'continue', 'hint', 'exempt', 'disable'];

test('a loop of calls offers exactly the five choices, a loop of text all but the one about a tool', () => {
  expect(openLoopDialog(callLoop()).report.choices).toEqual(choices);
  expect(openLoopDialog(textLoop()).report.choices).toEqual(choices.filter((choice) => choice !== 'exempt'));
});

test.each(choices.filter((choice) => choice !== 'hint').map((choice) => [choice, choices.indexOf(choice)] as const))(
  '%s is taken by its number, and by going there with the arrows',
  (choice, place) => {
    const dialog = openLoopDialog(callLoop());
    expect(press(dialog, `type ${place + 1}`)).toEqual({ choice });
    expect(press(dialog, ...Array<'down'>(place).fill('down'), 'enter')).toEqual({ choice });
    expect(press(dialog, ...Array<'up'>(choices.length - place).fill('up'), 'enter')).toEqual({ choice });
  },
);

test('Escape is stop, wherever the mark stands', () => {
  for (let k = 0; k < 7; k++)
    expect(press(openLoopDialog(callLoop()), ...Array<'down'>(k).fill('down'), 'escape')).toEqual({ choice: 'stop' });
});

test('a hint is typed; nothing is no hint; Escape goes back to the choices', () => {
  const typing = press(openLoopDialog(callLoop()), 'type 3');
  expect(typing).toMatchObject({ type: 'loop', hint: { text: '' } });
  if (!('type' in typing)) throw new Error('a hint must be typed first');
  expect(press(typing, 'enter')).toBe(typing);
  expect(press(typing, 'type Look into', 'newline', 'type src5', 'backspace', 'enter')).toEqual({
    choice: 'hint',
    hint: 'Look into\nsrc',
  });
  const back = press(typing, 'type x', 'escape');
  expect(back).not.toHaveProperty('hint');
  expect(back).toMatchObject({ type: 'loop', chosen: 2 });
});

test('other keys, numbers without a choice and words change nothing', () => {
  const dialog = openLoopDialog(textLoop());
  for (const key of ['type 5', 'type 0', 'type 12', 'type stop', 'left', 'backspace', 'close'] as const)
    expect(press(dialog, key)).toBe(dialog);
});
