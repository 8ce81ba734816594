import { describe, expect, it } from 'vitest';
import { tagged, untagged } from './tagged.js';

describe('tagged text', () => {
  it('is what stands between a tag and its end', () => {
    expect(tagged('a <x y="1">b</x> c', 'x')).toEqual({ before: 'a ', inside: 'b', after: ' c' });
    expect(tagged('a <xy>b</xy> <x>c</x>', 'x')).toMatchObject({ inside: 'c' });
    expect(tagged('a <x>b', 'x')).toBeUndefined();
  });

  it('can be taken out', () => {
    expect(untagged('1<x>a</x>2<x>b</x>3<x>', 'x')).toEqual({ rest: '123<x>', inside: ['a', 'b'] });
  });

  it('takes no longer where ends are missing', () => {
    expect(untagged('<x>'.repeat(300_000), 'x').inside).toEqual([]);
  });
});
