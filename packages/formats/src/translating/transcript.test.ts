import { describe, expect, it } from 'vitest';
import { createRecorder } from '../reading/recorder.js';
import { linesOf } from '../testing/read-fixture.js';
import { createTranscript, type Transcript } from './transcript.js';

function write(work: (to: Transcript) => void): string[] {
  const events: Parameters<typeof linesOf>[0] = [];
  const recorder = createRecorder(
    'x',
    { name: 'demo', shape: 'lines' },
    { onEvent: (event) => void (events as unknown[]).push(event) },
  );
  const transcript = createTranscript(recorder, recorder.open('x'));
  work(transcript);
  transcript.end();
  return linesOf(events);
}

describe('a transcript', () => {
  it('pairs results with calls by id', () => {
    const lines = write((to) => {
      to.call('a', 'read', {});
      to.call('b', 'read', {});
      to.result({ id: 'b', output: '2' });
      to.result({ id: 'a', output: '1' });
      to.result({ id: 'a', output: 'once more' });
      to.result({ id: 'c', output: 'of nobody' });
    });
    expect(lines).toEqual(['call a: read {}', 'call b: read {}', 'result b: 2', 'result a: 1']);
  });

  it('pairs results without ids with the oldest call of that tool in that lane', () => {
    const lines = write((to) => {
      to.call(undefined, 'read', {});
      to.call(undefined, 'write', {});
      to.call(undefined, 'read', {}, undefined, 'sub');
      to.result({ output: 'w', failed: false, tool: 'write' });
      to.result({ output: 's', lane: 'sub' });
      to.result({ output: 'r' });
    });
    expect(lines.slice(3)).toEqual(['result call-2 fine: w', '[sub] result call-3: s', 'result call-1: r']);
  });

  it('pairs results that have ids with calls that have none', () => {
    expect(
      write((to) => {
        to.call(undefined, 'read', {});
        to.result({ id: 't1', output: 'x' });
      }),
    ).toEqual(['call call-1: read {}', 'result call-1: x']);
  });

  it('gives a call with a used id a new id, unless the time is the same too', () => {
    const lines = write((to) => {
      to.call('a', 'read', {}, 1);
      to.call('a', 'read', {}, 1);
      to.result({ id: 'a', output: 'x', at: 2 });
      to.call('a', 'read', {}, 3);
      to.call('a#2', 'read', {}, 4);
      to.result({ id: 'a', output: 'y', at: 5 });
    });
    expect(lines).toEqual([
      'call a: read {}',
      'result a: x',
      'call a#2: read {}',
      'call a#2#2: read {}',
      'result a#2: y',
    ]);
  });

  it('finds new ids for many calls with one id in linear time, even if other calls have such ids', () => {
    const lines = write((to) => {
      for (let k = 2; k < 20_000; k++) to.call(`a#${k}`, 'read', {});
      for (let k = 0; k < 20_000; k++) to.call('a', 'read', {});
    });
    expect(new Set(lines).size).toBe(39_998);
    expect(lines.at(-1)).toBe('call a#39998: read {}');
  }, 10_000);

  it('keeps calls of one answer with the same id apart, and pairs their results in order', () => {
    const lines = write((to) => {
      to.turn('1', 1);
      to.call('a', 'read', { path: 'x' }, 1);
      to.call('a', 'read', { path: 'y' }, 1);
      to.result({ id: 'a', output: 'of x', at: 2 });
      to.result({ id: 'a', output: 'of y', at: 2 });
      to.turn('2', 3);
      to.call('a', 'read', { path: 'lost' }, 3);
      to.turn('3', 4);
      to.call('a', 'read', { path: 'z' }, 4);
      to.result({ id: 'a', output: 'of z', at: 5 });
    });
    expect(lines.filter((line) => !line.startsWith('turn'))).toEqual([
      'call a: read {"path":"x"}',
      'call a#2: read {"path":"y"}',
      'result a: of x',
      'result a#2: of y',
      'call a#3: read {"path":"lost"}',
      'call a#4: read {"path":"z"}',
      'result a#4: of z',
    ]);
  });

  it('does not take a call with a used id for a repetition if times are whole seconds', () => {
    const lines = write((to) => {
      for (const output of ['x', 'y']) {
        to.call('a', 'read', {}, 1000);
        to.result({ id: 'a', output, at: 1000 });
      }
    });
    expect(lines).toEqual(['call a: read {}', 'result a: x', 'call a#2: read {}', 'result a#2: y']);
  });

  it('opens a turn once, ends it with a result, and closes what is open at the end', () => {
    const lines = write((to) => {
      to.turn('1');
      to.turn('1');
      to.call('a', 'read', {});
      to.result({ id: 'a', output: 'x' });
      to.turn('1');
      to.text('late');
      to.turn('2');
      to.turn('sub', undefined, 'sub');
    });
    expect(lines).toEqual([
      'turn-start',
      'call a: read {}',
      'turn-end',
      'result a: x',
      'text: late',
      'turn-start',
      '[sub] turn-start',
      'turn-end',
      '[sub] turn-end',
    ]);
  });

  it('makes the attempt that follows a retry part of the same turn', () => {
    const lines = write((to) => {
      to.retry();
      to.turn('1');
      to.text('at last');
    });
    expect(lines).toEqual(['turn-start', 'retry', 'text: at last', 'turn-end']);
  });

  it('leaves out what is empty', () => {
    expect(
      write((to) => {
        to.text('');
        to.reasoning('');
        to.usage({ input: 0, output: undefined });
        to.usage({ input: 5, output: -3, cached: 0, cost: 0 });
      }),
    ).toEqual(['usage 5 + 0']);
  });
});
