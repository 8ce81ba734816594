import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenLinks } from './broken-links.mjs';
import { anchorsIn, linksIn, slugOf } from './markdown.mjs';

const targets = (text) => linksIn(text).map(({ target }) => target);

test('links, pictures, references and HTML attributes are links', () => {
  const text = '[a](b.md) and ![c](d.png "e")\n\n[f]: g.md\n<img src="h.svg"> [i](j(k).md)';
  assert.deepEqual(targets(text).sort(), ['b.md', 'd.png', 'g.md', 'h.svg', 'j(k).md']);
});

test('a link says on which line it is', () => {
  assert.deepEqual(linksIn('one\n\n[a](b.md)'), [{ target: 'b.md', line: 3 }]);
});

test('code is not looked at', () => {
  assert.deepEqual(targets('```md\n[a](b.md)\n```\n`[c](d.md)`\n~~~~\n[e](f.md)\n~~~\n[g](h.md)\n~~~~\n'), []);
});

test('an anchor is what GitHub makes of a heading', () => {
  assert.equal(slugOf('What counts as progress?'), 'what-counts-as-progress');
  assert.equal(slugOf('Claude Code, Codex, … in one line'), 'claude-code-codex--in-one-line');
  const headings = '# `run`\n## The [guide](x.md) *now*\n## Twice\n## Twice\n```\n# no\n```\n#hash';
  assert.deepEqual([...anchorsIn(headings)], ['run', 'the-guide-now', 'twice', 'twice-1']);
});

test('a link that leads nowhere is reported with its place and the reason', () => {
  const texts = {
    'README.md': '[a](docs/a.md) [b](docs) [c](docs/a.md#here) [d](#top) [e](https://example.org/x)\n\n# Top',
    'docs/a.md':
      '## Here\n[up](../README.md#nowhere)\n[gone](b.md)\n[root](/README.md)\n[code](../x.ts#L3)\n[f]()\n[g](50%.md)',
    'x.ts': '[not](markdown.md)',
  };
  const broken = brokenLinks(Object.keys(texts), (file) => texts[file]);
  assert.deepEqual(
    broken.map(({ file, line, problem }) => `${file}:${line}: ${problem}`),
    [
      'docs/a.md:2: README.md has no heading with the anchor #nowhere',
      'docs/a.md:3: there is no docs/b.md in the repository',
      'docs/a.md:4: expected a path relative to this file, found an absolute one',
      'docs/a.md:6: the link is empty',
      'docs/a.md:7: the link has a % that begins no character; write %25 for the sign itself',
    ],
  );
});
