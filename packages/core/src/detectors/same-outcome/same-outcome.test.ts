import { detectorLaws, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import { sameOutcome } from './same-outcome.js';

const tree =
  'src/\n  index.ts\n  main.ts\n  parser/\n    lexer.ts\n    parser.ts\n  printer/\n    printer.ts\nand nothing below that';
const cities = ['Lisbon', 'Prague', 'Osaka', 'Tunis', 'Cusco', 'Oslo', 'Bergen', 'Graz'];

detectorLaws(() => sameOutcome(), {
  loops: {
    'a depth that grows for ever': session().repeat(6, (s, k) =>
      s.call('list_tree', { path: 'src', max_depth: k + 2 }).result(tree),
    ),
    'a search in ever new words': session().repeat(9, (s, k) =>
      s
        .call('web_search', { query: `${cities[k % 8]} distillery turnover` })
        .result(
          `1. The distillery, an encyclopaedia\n2. The distillery, a shop\n3. Fifty distilleries, a list of ${tree}`,
        ),
    ),
    'a page that does not exist, by another number': session().repeat(6, (s, k) =>
      s
        .call('browse', { url: `https://a.example/members?page=${k + 2}` })
        .result(`Page: https://a.example/members?page=${k + 2}\n${tree}`),
    ),
  },
  work: {
    'the weather of eight cities': session().repeat(8, (s, k) =>
      s.call('get_weather', { city: cities[k]! }).result('mild'),
    ),
    'empty searches for different things': session().repeat(8, (s, k) =>
      s.call('grep', { pattern: cities[k]! }).result('No matches found'),
    ),
    'the same edit of many files': session().repeat(10, (s, k) =>
      s
        .call('edit', { path: `${cities[k % 8]}.ts`, old: 'a', new: 'b' })
        .result('The file has been updated successfully.'),
    ),
    'rows put in one by one': session().repeat(12, (s, k) =>
      s.call('execute', { sql: `INSERT INTO a VALUES (${k})` }).result('INSERT 0 1'),
    ),
    'pictures converted one by one': session().repeat(12, (s, k) =>
      s.call('bash', { command: `convert p${k}.tif p${k}.webp` }).result('[The command completed with exit code 0.]'),
    ),
    paging: session().repeat(8, (s, k) => s.call('read', { path: 'a', offset: k * 100 }).result(`${tree} ${k}`)),
  },
  stateBytes: 3000,
});

describe('same-outcome', () => {
  test('refuses a number of rounds that is none', () => {
    expect(() => sameOutcome({ times: Number.NaN })).toThrow(
      'sameOutcome: times must be an integer of at least 2, got NaN',
    );
  });
});
