import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chanting } from '../detectors/chanting/index.js';
import { lowNovelty } from '../detectors/low-novelty/index.js';
import { createWatch } from '../watch/watch.js';

/** How a text is judged, whole, by both detectors that read it: the alarms in words. */
function alarms(text: string): string[] {
  const watch = createWatch({ detectors: [chanting(), lowNovelty()] });
  const verdict = watch.observe({ type: 'text', text });
  if (verdict.status === 'clear') return [];
  return verdict.findings.filter(({ status }) => status === 'looping').map((finding) => watch.explain(finding));
}

const vocabulary = (
  'account action adapter agent alarm amount answer archive array balance batch border branch bridge browser budget buffer ' +
  'build bundle button cache call canvas carrier channel chapter check choice circle class client clock cluster code column ' +
  'command commit compiler config console context contract copy counter country course cursor customer cycle data date debt ' +
  'decision default depth design detail device digest direction disk document domain door draft driver edge editor effect ' +
  'element engine entry error event example export factor failure feature field figure file filter finding flag folder form ' +
  'frame function future garden gateway goal graph group growth guard guide harbour header height history host house image ' +
  'import index input insight invoice island item job journal journey key kind label ladder lake language layer leaf length ' +
  'letter level library limit line link list loader lock logger loop machine manager map margin market matrix meaning memory ' +
  'menu message method metric mirror mode model module moment month morning mountain name network night node note number ' +
  'object offer office option order outcome output owner package page parser part patch path pattern payment person phase ' +
  'phrase picture pipe place plan player pocket point policy port price printer process product profile project promise ' +
  'prompt proof quality query question queue quote range rate reader reason record region release report request resource ' +
  'result return review river road role room round route rule runner sample scale schema school scope screen script season ' +
  'section sender sense sequence server service session setting shape share shelf signal size slot source space speed stage ' +
  'state station step store story stream street string style subject summary surface symbol system table target task team ' +
  'tenant term test text theme theory thread ticket time token tool topic total trace track traffic train transfer tree ' +
  'trigger type unit update upload usage user value vector version view village voice volume wallet water weather week ' +
  'weight widget window winter word worker world writer year zone'
).split(' ');
const glue =
  'the a of to in and for with on at by from that which is was can should will has before after while because'.split(
    ' ',
  );

/** A source of choices that fast-check drives and prints. */
interface Choices {
  below(limit: number): number;
  word(): string;
  words(count: number): string;
  sentence(): string;
  list<Item>(count: number, item: (k: number) => Item): Item[];
}

function choices(seed: number): Choices {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = () => vocabulary[below(vocabulary.length)]!;
  const self: Choices = {
    below,
    word,
    words: (count) => Array.from({ length: count }, word).join(' '),
    sentence() {
      const parts = Array.from({ length: 5 + below(12) }, () =>
        below(5) < 2 ? glue[below(glue.length)]! : vocabulary[below(vocabulary.length)]!,
      ).join(' ');
      return `${parts[0]!.toUpperCase()}${parts.slice(1)}${'.?!,'[below(4)]} `;
    },
    list: (count, item) => Array.from({ length: count }, (_, k) => item(k)),
  };
  return self;
}

const prose = (c: Choices, length: number): string => {
  let text = '';
  while (text.length < length) text += c.sentence() + (c.below(5) === 0 ? '\n\n' : '');
  return text;
};
const title = (word: string) => word[0]!.toUpperCase() + word.slice(1);
const fence = (code: string) => `Here it is:\n\n\`\`\`\n${code}\n\`\`\`\n`;

const honest: { readonly [name: string]: (c: Choices) => string } = {
  prose: (c) => prose(c, 12_000),
  'a table with padded cells': (c) => {
    const wide = 20 + c.below(400);
    const row = (k: number) => `| ${String(k).padEnd(4)} | ${c.word().padEnd(14)} | ${c.words(3).padEnd(wide)} |\n`;
    return `| ${'id'.padEnd(4)} | ${'name'.padEnd(14)} | ${'text'.padEnd(wide)} |\n|${'-'.repeat(6)}|${'-'.repeat(16)}|${'-'.repeat(wide + 2)}|\n${c.list(10 + c.below(50), row).join('')}`;
  },
  'a table of marks': (c) =>
    `| feature | a | b | c | d |\n|---|---|---|---|---|\n${c.list(30, () => `| ${c.words(2)} | ${c.list(4, () => (c.below(4) ? 'yes' : 'no')).join(' | ')} |\n`).join('')}`,
  'an empty form': (c) => `| item | done | by |\n|---|---|---|\n${'|      |      |     |\n'.repeat(20 + c.below(30))}`,
  'a changelog with compare links': (c) =>
    `${c.list(20, (k) => `## [1.${20 - k}.0] - 2024-0${1 + c.below(9)}-1${c.below(9)}\n### Added\n- ${c.sentence()}\n- ${c.sentence()}\n### Fixed\n- ${c.sentence()}\n\n`).join('')}${c.list(24, (k) => `[1.${k + 1}.0]: https://example.org/acme/tool/compare/v1.${k}.0...v1.${k + 1}.0\n`).join('')}`,
  'comma-separated values': (c) =>
    `id,name,amount,date\n${c.list(150, (k) => `${k},${c.word()},${c.below(10_000)}.${c.below(100)},2024-${1 + c.below(12)}-${1 + c.below(28)}\n`).join('')}`,
  'measured figures': (c) => c.list(120, (k) => `${k}\t${c.below(1e6)}\t${c.below(1e6)}\t0.${c.below(1e6)}\n`).join(''),
  'a JSON array of similar objects': (c) =>
    `[\n${c.list(40, (k) => `  { "id": ${k}, "name": "${title(c.word())} ${title(c.word())}", "email": "${c.word()}.${c.word()}@example.org", "active": ${c.below(2) === 0}, "roles": ["${c.word()}", "${c.word()}"] },\n`).join('')}]`,
  'SQL inserts': (c) =>
    c
      .list(
        60,
        (k) =>
          `INSERT INTO users (id, name, city, created_at) VALUES (${k}, '${c.word()}', '${c.word()}', '2024-01-${10 + c.below(18)} 10:${10 + c.below(49)}:00');\n`,
      )
      .join(''),
  'a list of tests that passed': (c) =>
    c
      .list(80, (k) =>
        k % 9 === 0 ? `\n${title(c.word())} ${c.word()}\n` : `  ✓ ${c.words(3 + c.below(5))} (${c.below(40)} ms)\n`,
      )
      .join(''),
  'TAP output': (c) => c.list(80, (k) => `ok ${k + 1} - ${c.words(4)}\n`).join(''),
  'a song with a refrain': (c) => {
    const refrain = c.list(4, () => `${c.sentence().trim()}\n`).join('');
    return c.list(7, () => `${c.list(4, () => `${c.sentence().trim()}\n`).join('')}\n${refrain}\n`).join('');
  },
  'a speech in which every sentence begins alike': (c) =>
    c.list(25, () => `I have a dream that one day ${c.sentence().toLowerCase()}\n`).join(''),
  'la la la': (c) => `${prose(c, 500)}\n${'la '.repeat(30)}\n${'na na na, hey hey, '.repeat(6)}\n${prose(c, 500)}`,
  'a hex dump with empty pages': (c) =>
    c
      .list(
        60,
        (k) =>
          `${(k * 16).toString(16).padStart(8, '0')}  ${c.list(16, () => (k % 4 === 0 ? c.below(256).toString(16).padStart(2, '0') : '00')).join(' ')}  |................|\n`,
      )
      .join(''),
  'a byte array of zeros': (c) => fence(`const table = [\n${`  ${'0x00, '.repeat(12)}\n`.repeat(10 + c.below(6))}];`),
  'a grid of false': (c) => fence(`[\n${`  [${'false, '.repeat(9)}false],\n`.repeat(10 + c.below(6))}]`),
  'a matrix of zeros': (c) => c.list(12, () => `${'0 '.repeat(12)}\n`).join('') + prose(c, 200),
  'a log': (c) =>
    c
      .list(
        80,
        (k) =>
          `2024-05-01T12:${10 + Math.floor(k / 60)}:${10 + (k % 50)}.${c.below(1000)}Z ${['INFO', 'WARN', 'DEBUG'][c.below(3)]} [${c.word()}] ${c.words(2 + c.below(6))}${c.below(3) === 0 ? ` took ${c.below(900)} ms` : ''}\n`,
      )
      .join(''),
  'a log with a heartbeat': (c) =>
    c
      .list(
        10,
        () => `${c.list(8, (k) => `12:00:${10 + k} INFO heartbeat ok\n`).join('')}12:01:00 WARN ${c.sentence()}\n`,
      )
      .join(''),
  'a drawing of boxes': (c) =>
    `┌${'─'.repeat(60)}┐\n${`│${' '.repeat(60)}│\n`.repeat(6)}│ ${c.words(3).padEnd(58).slice(0, 58)} │\n${`│${' '.repeat(60)}│\n`.repeat(14)}└${'─'.repeat(60)}┘\n${'═'.repeat(120)}\n${prose(c, 300)}`,
  'rules between sections': (c) =>
    c.list(12, () => `${'='.repeat(80)}\n${title(c.words(3))}\n${'-'.repeat(80)}\n${prose(c, 300)}\n`).join(''),
  'a progress bar': () =>
    Array.from({ length: 21 }, (_, k) => `[${'#'.repeat(k * 2)}${' '.repeat(40 - k * 2)}] ${k * 5}%\n`).join(''),
  'getters and setters': (c) =>
    fence(
      c
        .list(40, () => {
          const name = c.word() + title(c.word());
          return `  public String get${title(name)}() {\n    return this.${name};\n  }\n\n  public void set${title(name)}(String ${name}) {\n    this.${name} = ${name};\n  }\n\n`;
        })
        .join(''),
    ),
  'a long switch': (c) => fence(c.list(60, (k) => `    case ${k}:\n      return '${c.word()}';\n`).join('')),
  'numbered constants': (c) =>
    fence(c.list(60, (k) => `#define ${c.word().toUpperCase()}_${c.word().toUpperCase()} ${k}\n`).join('')),
  'test cases of one shape': (c) =>
    fence(
      c
        .list(
          25,
          (k) =>
            `test('${c.words(5)}', () => {\n  const ${c.word()} = make${title(c.word())}(${c.below(100)});\n  expect(${c.word()}.${c.word()}).toBe(${k});\n  expect(${c.word()}.${c.word()}()).toEqual('${c.words(2)}');\n});\n\n`,
        )
        .join(''),
    ),
  'numbered steps with the same beginning': (c) =>
    c.list(40, (k) => `${k + 1}. Open the settings page and ${c.sentence().toLowerCase()}\n`).join(''),
  'a task list': (c) => c.list(50, (k) => `- [${k % 3 ? ' ' : 'x'}] ${c.words(2 + c.below(5))}\n`).join(''),
  'blank task boxes': () => '- [ ] \n'.repeat(40),
  'a table of contents': (c) =>
    c.list(50, (k) => `Chapter ${k + 1}: ${title(c.words(2))} ${'.'.repeat(40)} ${k * 7}\n`).join(''),
  'chapter after chapter': () => Array.from({ length: 60 }, (_, k) => `Chapter ${k + 1}\n`).join(''),
  'a translation file': (c) =>
    c.list(80, () => `"${c.word()}.${c.word()}.${c.word()}": "${c.sentence().trim()}",\n`).join(''),
  'a file listing': (c) =>
    c
      .list(
        80,
        () =>
          `-rw-r--r-- 1 root root ${c.below(100_000)} Jan ${1 + c.below(28)} 12:${10 + c.below(49)} ${c.word()}-${c.word()}.txt\n`,
      )
      .join(''),
  'a directory tree': (c) =>
    c
      .list(70, (k) => `${k % 6 === 0 ? '├── ' : '│   ├── '}${c.word()}-${c.word()}${k % 6 === 0 ? '/' : '.ts'}\n`)
      .join(''),
  imports: (c) =>
    fence(
      c
        .list(80, () => {
          const a = title(c.word()) + title(c.word());
          return `import { ${a} } from './components/${a}.js';\n`;
        })
        .join(''),
    ),
  'licence headers over several files': (c) => {
    const header = `/*\n * Copyright 2024 ${title(c.word())} ${title(c.word())}\n *\n${c.list(6, () => ` * ${prose(c, 60).replaceAll('\n', ' ').slice(0, 70)}\n`).join('')} */\n`;
    return c
      .list(
        6,
        () =>
          `\`\`\`ts\n${header}${c.list(25, () => `export const ${c.word()}${title(c.word())} = ${c.word()}(${c.word()}, ${c.below(99)});\n`).join('')}\`\`\`\n\n`,
      )
      .join('');
  },
  'base 64 with empty stretches': (c) =>
    c
      .list(40, (k) =>
        k % 5 === 0 ? 'A'.repeat(120) : c.list(40, () => 'ABCDEFGHabcdefgh0123456789+/'[c.below(28)]!).join(''),
      )
      .join(''),
  'minified code': (c) =>
    c.list(120, () => `function ${c.word().slice(0, 2)}(e,t){return e.${c.word()}(t)&&(t=${c.below(9)}),e}`).join(''),
  'style rules': (c) =>
    fence(
      c
        .list(
          60,
          () =>
            `.${c.word()}-${c.word()} {\n  margin: ${c.below(20)}px;\n  padding: ${c.below(20)}px;\n  color: #${c.below(4096).toString(16).padStart(3, '0')};\n}\n`,
        )
        .join(''),
    ),
  'spacing utilities': () =>
    fence(
      Array.from({ length: 30 }, (_, k) => `.m-${k} { margin: ${k * 4}px; }\n.p-${k} { padding: ${k * 4}px; }\n`).join(
        '',
      ),
    ),
  'a multiplication table': () =>
    Array.from(
      { length: 144 },
      (_, k) => `${1 + Math.floor(k / 12)} x ${1 + (k % 12)} = ${(1 + Math.floor(k / 12)) * (1 + (k % 12))}\n`,
    ).join(''),
  'numbers from 1 to 600': () => Array.from({ length: 600 }, (_, k) => k + 1).join(', '),
  'many digits': (c) => `3.${c.list(2000, () => c.below(10)).join('')}`,
  'a paragraph pasted twice': (c) => {
    const text = prose(c, 1200);
    return `${text}${prose(c, 300)}${text}${prose(c, 300)}`;
  },
  'a file before and after a change': (c) => {
    const code = c.list(40, () => `  ${c.word()}.${c.word()}(${c.word()}, ${c.below(100)});\n`).join('');
    return fence(code) + prose(c, 300) + fence(`${code}  ${c.word()}.close();\n`);
  },
  'cards of a page': (c) =>
    fence(
      c
        .list(
          6,
          () =>
            '<div class="card">\n  <img src="#" alt="placeholder">\n  <h3>Card title</h3>\n  <p>Some text about the card goes here.</p>\n  <a href="#" class="button">Read more</a>\n</div>\n',
        )
        .join(''),
    ) + prose(c, 200),
  'an empty HTML table': () =>
    fence(`<table>\n${'  <tr><td></td><td></td><td></td><td></td></tr>\n'.repeat(20)}</table>`),
  'indented HTML with entities': () =>
    Array.from({ length: 12 }, (_, k) => `<p>${'&nbsp;'.repeat(12)}line ${k}</p>\n`).join(''),
  'documentation of parameters': (c) =>
    c
      .list(
        30,
        () =>
          `### \`${c.word()}\`\n\n- Type: \`string\`\n- Default: \`"${c.word()}"\`\n\n${c.sentence()}${c.sentence()}\n\n`,
      )
      .join(''),
  'questions and answers': (c) =>
    c.list(25, () => `**Q: ${c.sentence().trim()}**\n\nA: ${c.sentence()}${c.sentence()}\n\n`).join(''),
  'a review with the same heading for every file': (c) =>
    c
      .list(
        15,
        () =>
          `#### \`src/${c.word()}/${c.word()}.ts\`\n**Severity:** low\n**Finding:** ${c.sentence()}\n**Recommendation:** ${c.sentence()}\n\n`,
      )
      .join(''),
  'a diff': (c) =>
    fence(c.list(80, () => `${'+- '[c.below(3)]}   ${c.word()}.${c.word()} = ${c.word()}(${c.below(10)});\n`).join('')),
  'blank lines': (c) => c.list(10, () => `${prose(c, 100)}${'\n'.repeat(30)}`).join(''),
  'Chinese prose': (c) =>
    c
      .list(
        300,
        () =>
          `${c.list(5 + c.below(10), () => String.fromCharCode(0x4e00 + c.below(900))).join('')}${'，。'[c.below(2)]}`,
      )
      .join(''),
};

/** What is said again and again, given how often. */
const degenerate: { readonly [name: string]: (c: Choices) => (k: number) => string } = {
  'one word': (c) => {
    const word = c.word();
    return () => `${word} `;
  },
  'two words': (c) => {
    const phrase = c.words(2);
    return () => `${phrase} `;
  },
  'a phrase': (c) => {
    const phrase = c.words(5);
    return () => `${phrase}, `;
  },
  'a sentence': (c) => {
    const sentence = c.sentence();
    return () => sentence;
  },
  'a line': (c) => {
    const line = `- ${c.words(6)}\n`;
    return () => line;
  },
  'a paragraph': (c) => {
    const text = `${prose(c, 300 + c.below(500))}\n\n`;
    return () => text;
  },
  'a long passage': (c) => {
    const text = prose(c, 1500 + c.below(1500));
    return () => text;
  },
  'a heading and a sentence': (c) => {
    const text = `### Instruction:\n\n${c.sentence()}${c.sentence()}\n\n`;
    return () => text;
  },
  'a fenced block': (c) => {
    const text = `\`\`\`python\n${c.list(4, () => `${c.word()}.${c.word()}(${c.below(100)})\n`).join('')}\`\`\`\n\n`;
    return () => text;
  },
  'an empty fence': () => () => '```python\n\n```\n\n',
  'a call written as text': (c) => {
    const text = `<tool_call>\n{"name": "${c.word()}_${c.word()}", "arguments": {"${c.word()}": "${c.word()}", "limit": ${c.below(100)}}}\n</tool_call>\n`;
    return () => text;
  },
  'a table row': (c) => {
    const row = `| ${c.word()} | ${c.words(2)} | ${c.below(100)} |\n`;
    return () => row;
  },
  'a sentence with a counter': (c) => {
    const [a, b] = [c.words(5), c.words(4)];
    return (k) => `${a} ${k + 1} ${b}.\n`;
  },
  'numbered items that are all the same': (c) => {
    const text = c.words(7);
    return (k) => `${k + 1}. ${text}\n`;
  },
  'a paragraph with a date': (c) => {
    const text = prose(c, 250);
    return (k) => `On day ${k * 3} of ${2000 + k}, ${text}\n`;
  },
  'numbers that go round': () => (k) => `${[10, 20, 30, 45, 7][k % 5]}, `,
  'one letter': (c) => {
    const letter = c.word()[0]!;
    return () => letter;
  },
  'exclamation marks': () => () => '!',
  zeros: () => () => '0',
  emoji: () => () => '🎉',
  'line breaks': () => () => '\n',
  'blank lines': () => () => '        \n\n',
  'zero-width spaces': () => () => '\u200b',
  'quote marks line by line': () => () => '            """\n',
  'a ruler': () => () => '-',
  'a Chinese phrase': () => () => '我需要再检查一下这个文件。',
  'a Thai phrase': () => () => 'ฉันจะลองอีกครั้ง',
  'one of a few sentences': (c) => {
    const pool = c.list(6, () => c.sentence());
    return () => pool[c.below(pool.length)]!;
  },
  'a sentence with a changing word': (c) => {
    const [a, b, pool] = [c.words(6), c.words(6), c.list(5, () => c.word())];
    return () => `${a} ${pool[c.below(pool.length)]} ${b}. `;
  },
  'doubts in a few wordings': (c) => {
    const openings = [
      'Wait, let me reconsider.',
      'Actually, let me think again.',
      'Hmm, but on the other hand,',
      'Let me double check.',
    ];
    const pool = c.list(6, () => c.sentence());
    return () => `${openings[c.below(openings.length)]} ${pool[c.below(pool.length)]}`;
  },
  'paragraphs in another order': (c) => {
    const pool = c.list(5, () => `${prose(c, 250)}\n\n`);
    return () => pool[c.below(pool.length)]!;
  },
  'a passage longer than the ring': (c) => {
    const text = prose(c, 5000);
    return () => text;
  },
};

/** Enough of it to be noticed: floods and counters need the most. */
const long = new Map([
  ['a passage longer than the ring', 22_000],
  ['a long passage', 14_000],
  ['paragraphs in another order', 12_000],
]);

describe('honest text raises no alarm', () => {
  test.each(Object.keys(honest))('%s', (name) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(alarms(honest[name]!(choices(seed)))).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  test('nor does one kind after another in the same message', () => {
    fc.assert(
      fc.property(fc.nat(), fc.shuffledSubarray(Object.keys(honest), { minLength: 2, maxLength: 5 }), (seed, names) => {
        const c = choices(seed);
        expect(alarms(names.map((name) => honest[name]!(c) + prose(c, 200)).join('\n\n'))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('degenerate text does, after any beginning', () => {
  test.each(Object.keys(degenerate))('%s', (name) => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(4000), (seed, before) => {
        const c = choices(seed);
        const round = degenerate[name]!(c);
        let chant = '';
        for (let k = 0; chant.length < (long.get(name) ?? 6000); k++) chant += round(k);
        expect(alarms(prose(c, before) + chant)).not.toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});

test('two words in turn do, whichever they are', () => {
  // Some of the pairs share a place in the table of the period finder.
  const missed: string[] = [];
  for (let k = 0; k < vocabulary.length; k++)
    for (const step of [1, 7, 19, 83, 160]) {
      const pair = `${vocabulary[k]} ${vocabulary[(k + step) % vocabulary.length]} `;
      if (alarms(pair.repeat(100)).length === 0) missed.push(pair);
    }
  expect(missed).toEqual([]);
});
