import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gluedObjects } from './glued.js';

describe('glued objects', () => {
  it('are those that were glued', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 2 });
    fc.assert(
      fc.property(objects, (values) => {
        const texts = values.map((value) => JSON.stringify(value));
        expect(gluedObjects(texts.join(''))).toEqual({ values: texts.map((text) => JSON.parse(text)), rest: false });
        expect(gluedObjects(`${texts.join(' ')}{"a`)?.rest).toBe(true);
      }),
    );
    expect(gluedObjects('nonsense')).toBeUndefined();
  });
});
