import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEchoes } from './echoes.js';

describe('echoes', () => {
  it('take each text once from two channels that say the same, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.array(fc.boolean()), (texts, order) => {
        const isEcho = createEchoes();
        const channels = [[...texts], [...texts]];
        const taken: string[] = [];
        for (let k = 0; channels.some((left) => left.length > 0); k++) {
          const first = order[k % (order.length || 1)] ? 1 : 0;
          const channel = channels[first]!.length > 0 ? first : 1 - first;
          const text = channels[channel]!.shift()!;
          if (!isEcho(channel === 0 ? 1 : -1, text)) taken.push(text);
        }
        expect(taken.toSorted()).toEqual(texts.toSorted());
      }),
    );
  });
});
