import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEdits, printOf, said } from './edits.js';

const make = (text: string) => ({ role: 'user', text });
const history = (length: number) =>
  Array.from({ length }, (_, k) => ({ role: k % 2 ? 'assistant' : 'user', text: `${k}` }));
const texts = (messages: readonly { text: string }[]) => messages.map(({ text }) => text);

describe('messages of ours in a history', () => {
  test('a message is added at the end of the history, and stays where it was added', () => {
    const edits = createEdits();
    edits.tell('stop');
    expect(texts(edits.apply(history(3), 5, make))).toEqual(['0', '1', '2', said('stop')]);
    expect(texts(edits.apply(history(5), 9, make))).toEqual(['0', '1', '2', said('stop'), '3', '4']);
  });

  test('each message is reported once, when it is first sent', () => {
    const edits = createEdits();
    const sent: string[] = [];
    edits.tell('one');
    edits.tell('two');
    for (const length of [1, 1, 3]) edits.apply(history(length), 0, make, (text) => sent.push(text));
    expect(sent).toEqual([said('one'), said('two')]);
    expect(edits.waiting).toBe(false);
  });

  test('in a history that was rewritten it is left out', () => {
    const edits = createEdits();
    edits.tell('stop');
    edits.apply(history(4), 5, make);
    const summary = [{ role: 'user', text: 'what happened before' }, ...history(6).slice(3)];
    expect(texts(edits.apply(summary, 9, make))).toEqual(texts(summary));
  });

  test('a rewind takes out what came since the request before its event', () => {
    const edits = createEdits();
    edits.apply(history(1), 1, make); // events 1 to 4 belong to the answer to this request
    edits.apply(history(3), 5, make);
    edits.apply(history(5), 9, make);
    edits.rewind(6, 'taken back');
    expect(texts(edits.apply(history(7), 13, make))).toEqual(['0', '1', '2', said('taken back')]);
    expect(texts(edits.apply(history(9), 17, make))).toEqual(['0', '1', '2', said('taken back'), '7', '8']);
  });

  test('what is saved goes on alike, and what is broken in it is left out', () => {
    const edits = createEdits();
    edits.tell('stop');
    edits.apply(history(3), 5, make);
    edits.tell('again');
    const resumed = createEdits(JSON.parse(JSON.stringify(edits.save())));
    expect(resumed.apply(history(5), 9, make)).toEqual(edits.apply(history(5), 9, make));
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (one, other) => {
        const broken = createEdits({ waiting: one, edits: [other, { from: -1 }], marks: other } as never);
        expect(broken.apply(history(2), 0, make).length).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  test('of what is saved, an edit is left out that no history has a place for', () => {
    const messages = history(4);
    const saved = (edit: object) => {
      const { from, to } = { from: 2, to: 3, ...edit };
      const prints = { before: printOf(messages[from - 1]), until: printOf(messages[to - 1]) };
      const edits = createEdits({ waiting: [], marks: [], edits: [{ from, to, text: 'stop', ...prints, ...edit }] });
      return texts(edits.apply(messages, 0, make));
    };
    expect(saved({})).toEqual(['0', '1', 'stop', '3']);
    expect(saved({ from: 0, to: 4 })).toEqual(['stop']);
    for (const edit of [
      { from: -1 },
      { from: 1.5 },
      { to: 3.5 },
      { from: 3, to: 2 },
      { to: 5 },
      { text: 7 },
      { before: 0 },
      { before: undefined },
      { until: '0' },
    ])
      expect([edit, saved(edit)]).toEqual([edit, texts(messages)]);
  });

  test('however it grows, the history keeps its order and our messages are bounded', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean()), { maxLength: 60 }), (steps) => {
        const edits = createEdits();
        let length = 1;
        for (const [more, isTold] of steps) {
          length += more;
          if (isTold) edits.tell(`at ${length}`);
          const own = edits.apply(history(length), length, make).filter(({ text }) => !text.startsWith(said('')));
          expect(own).toEqual(history(length));
        }
        expect(edits.save().edits.length).toBeLessThanOrEqual(16);
      }),
    );
  });
});
