import { addText, noBlocks } from '@loopfuse/conversation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBlock } from './parse.js';
import type { Block, Inline } from './tree.js';

function parse(text: string): Block[] {
  const { done, rest } = addText(noBlocks, text);
  return [...done, rest].flatMap(parseBlock);
}

function inlinesIn(block: Block): Inline[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return block.children.flatMap(within);
    case 'quote':
      return block.blocks.flatMap(inlinesIn);
    case 'list':
      return block.items.flatMap(({ blocks }) => blocks.flatMap(inlinesIn));
    case 'table':
      return [block.header, ...block.rows].flat().flatMap(({ children }) => children.flatMap(within));
    default:
      return [];
  }
}

function within(inline: Inline): Inline[] {
  return 'children' in inline ? [inline, ...inline.children.flatMap(within)] : [inline];
}

function lettersIn(block: Block): string {
  if (block.type === 'code' || block.type === 'plain') return block.text;
  return inlinesIn(block)
    .map((inline) => ('text' in inline ? inline.text : ''))
    .join('');
}

function shown(text: string): string {
  return parse(text).map(lettersIn).join('\n');
}

test('Markdown is parsed', () => {
  expect(parse('# A *b*\n\nOne `x` two **three**.\n\n2. a\n3. b\n\n- [x] done\n- [ ] not\n\n---')).toEqual([
    {
      type: 'heading',
      depth: 1,
      children: [
        { type: 'text', text: 'A ' },
        { type: 'emphasis', children: [{ type: 'text', text: 'b' }] },
      ],
    },
    {
      type: 'paragraph',
      children: [
        { type: 'text', text: 'One ' },
        { type: 'code', text: 'x' },
        { type: 'text', text: ' two ' },
        { type: 'strong', children: [{ type: 'text', text: 'three' }] },
        { type: 'text', text: '.' },
      ],
    },
    {
      type: 'list',
      start: 2,
      items: ['a', 'b'].map((text) => ({ blocks: [{ type: 'paragraph', children: [{ type: 'text', text }] }] })),
    },
    {
      type: 'list',
      start: undefined,
      items: [
        { checked: true, blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'done' }] }] },
        { checked: false, blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'not' }] }] },
      ],
    },
    { type: 'rule' },
  ]);
});

test.each([
  '<script>alert(1)</script>',
  'before <img src=x onerror=alert(1)> behind',
  '<div onclick="a()">\nhi\n</div>',
  '<iframe src="http://x.org"></iframe>',
  '- <b>in a list</b>',
  '> <a href="javascript:alert(1)">quoted</a>',
])('HTML is shown as text: %s', (text) => {
  const bare = text.replace(/^[->] /, '');
  expect(shown(text)).toContain(bare);
});

const targets = fc.oneof(
  fc.constantFrom(
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'vscode://x.y',
    '//example.org/x',
    '&#106;avascript:alert(1)',
    'https://example.org/a',
    'mailto:a@example.org',
    'http:x',
  ),
  fc.webUrl(),
  fc.string(),
);

test('links lead only to http, https and mailto, whatever is written', () => {
  fc.assert(
    fc.property(targets, fc.string(), (target, text) => {
      for (const form of [
        `[${text}](${target})`,
        `[${text}](<${target}>)`,
        `![${text}](${target})`,
        `<${target}>`,
        `[a]\n\n[a]: ${target}`,
        target,
      ])
        for (const inline of parse(form).flatMap(inlinesIn))
          if (inline.type === 'link') expect(inline.href).toMatch(/^(?:https?:\/\/|mailto:)/);
    }),
  );
});

test('a link with another target is shown as its source', () => {
  expect(shown('[click](javascript:alert(1))')).toBe('[click](javascript:alert(1))');
});

test.each([
  ['[the docs](https://example.org/x)', 'example.org'],
  ['[https://bank.example](https://evil.example/)', 'evil.example'],
  ['[example.org](https://example.org/)', ''],
  ['https://example.org/a', ''],
  ['[write](mailto:a@b.example)', 'a@b.example'],
  ['<a@b.example>', ''],
  ['[https://github.com/login](https://hub.com/)', 'hub.com'],
  ['[https://bank.example/?to=evil.example](https://evil.example/)', 'evil.example'],
  ['[https://evil.example@bank.example](https://evil.example/)', 'evil.example'],
])('%s says where it leads: %j', (text, host) => {
  expect(parse(text).flatMap(inlinesIn)).toContainEqual(expect.objectContaining({ type: 'link', host }));
});

test.each([
  ['see src/a.ts:12.', 'src/a.ts:12'],
  ['in `src/a.ts`', 'src/a.ts'],
  ['in `README.md`', 'README.md'],
  ['(./lib/b-c.test.tsx:3:4)', 'lib/b-c.test.tsx:3:4'],
  ['[that](src/a.ts#L12)', 'src/a.ts:12'],
  ['lines src/a.ts:3-9', 'src/a.ts:3'],
])('%s has a file that can be opened', (text, path) => {
  expect(parse(text).flatMap(inlinesIn)).toContainEqual(expect.objectContaining({ type: 'file', path }));
});

test.each([
  '`console.log`',
  'https://example.org/src/a.ts',
  'example.com/a.html',
  'and/or',
  '1.5/2.5',
  '`a.b/c`',
  '```\nsrc/a.ts\n```',
])('%s has no file in it', (text) => {
  expect(
    parse(text)
      .flatMap(inlinesIn)
      .filter(({ type }) => type === 'file'),
  ).toEqual([]);
});

test('a code block is code before it is closed, whatever its length', () => {
  expect(parse('```ts\nlet a;\n')).toEqual([{ type: 'code', language: 'ts', text: 'let a;' }]);
  expect(parse('```ts\nlet a;\n``')).toEqual([{ type: 'code', language: 'ts', text: 'let a;\n``' }]);
  const long = 'x = 1;\n'.repeat(50_000);
  expect(parse(`\`\`\`\n${long}\`\`\`\nbehind`)).toMatchObject([
    { type: 'code', text: long.trimEnd() },
    { type: 'paragraph' },
  ]);
});

test('entities are decoded once, and unknown ones stay', () => {
  expect(shown('a &lt;b&gt; &amp;lt; &#65; &#x42; &valueOf; &nope;')).toBe('a <b> &lt; A B &valueOf; &nope;');
  expect(shown('`&lt;`')).toBe('&lt;');
});

const size = 20_000;
test.each([
  '['.repeat(size),
  '*a '.repeat(size / 4),
  '**a '.repeat(size / 4),
  '~~a '.repeat(size / 4),
  '_a_b'.repeat(size / 4),
  '>'.repeat(size),
  '`a'.repeat(size / 2),
  '[a]('.repeat(size / 4),
  '<a '.repeat(size / 4),
  'a/'.repeat(size / 2),
  'a.'.repeat(size / 2),
  'x'.repeat(3_000_000),
])('hostile text is parsed completely (case %#)', (text) => {
  const letters = (all: string) => all.replace(/[\s`*_~]+/g, '');
  expect(letters(shown(text)) === letters(text)).toBe(true);
});

test('deeply nested lists are shown up to a depth', () => {
  const text = Array.from({ length: 60 }, (_, k) => `${'  '.repeat(k)}- a${k}`).join('\n');
  expect(JSON.stringify(parse(text))).toContain('a59');
  expect(JSON.stringify(parse('- '.repeat(5000))).length).toBeLessThan(20_000);
});

test('parsing never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(Array.isArray(parse(text))).toBe(true);
    }),
  );
});

test('no text takes long to parse, whatever it repeats', () => {
  for (const unit of [
    '`',
    '~',
    '\n',
    '```\n',
    '~~~ ',
    '+a',
    'a/',
    'a.b/',
    './',
    '.ts#',
    '#',
    '> ',
    '- ',
    '|',
    '*',
    '[',
    '<',
  ])
    expect(parse(unit.repeat(100_000)).length).toBeLessThan(100_001);
});
