import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { bundledPackages, thirdPartyNotices } from './third-party-notices.mjs';
import { vsixProblems } from './vsix-problems.mjs';
import { zipEntries } from './zip-entries.mjs';

const manifest = {
  main: './dist/extension.cjs',
  icon: 'media/icon.png',
  contributes: {
    viewsContainers: { activitybar: [{ icon: 'media/bar.svg' }] },
    walkthroughs: [{ steps: [{ media: { markdown: 'walkthrough/one.md' } }] }],
  },
};
const sound = [
  'extension.vsixmanifest',
  ...['package.json', 'readme.md', 'changelog.md', 'LICENSE.txt', 'ThirdPartyNotices.txt'].map(inside),
  ...['dist/extension.cjs', 'media/icon.png', 'media/bar.svg'].map(inside),
  inside('walkthrough/one.md'),
];
const problems = (names, bytes = 1000) =>
  vsixProblems({ entries: names.map((name) => ({ name, size: 1, packed: 1 })), bytes, manifest });

function inside(name) {
  return `extension/${name}`;
}

test('a sound package has no problem', () => {
  assert.deepEqual(problems(sound), []);
});

test('what must not ship is named', () => {
  for (const name of ['src/a.ts', 'src/b.tsx', 'dist/x.map', 'node_modules/zod/index.js', 'e2e/run.mjs'])
    assert.ok(
      problems([...sound, inside(name)]).some((problem) => problem.startsWith(inside(name))),
      name,
    );
});

test('whatever the manifest refers to must be there', () => {
  for (const missing of sound.slice(1))
    assert.equal(problems(sound.filter((name) => name !== missing)).length, 1, `${missing} is not missed`);
});

test('whatever is bundled must be named in the notices', () => {
  const entries = sound.map((name) => ({ name, size: 1, packed: 1 }));
  const [zod, diff] = [packageNamed('zod', '4.6.7'), packageNamed('diff', '9.0.0')];
  const given = { entries, bytes: 1000, manifest, bundled: [zod, diff] };
  assert.deepEqual(vsixProblems({ ...given, notices: thirdPartyNotices([zod, diff]) }), []);
  assert.deepEqual(vsixProblems({ ...given, notices: thirdPartyNotices([zod]) }), [
    'the notices do not name diff 9.0.0',
  ]);
});

test('packages are known by the files that were bundled, each once, and ours are not third parties', () => {
  const here = (name) => fileURLToPath(import.meta.resolve(name));
  const found = bundledPackages([here('diff'), here('diff'), fileURLToPath(import.meta.url), '\0virtual']);
  assert.deepEqual(
    found.map(({ name, licence }) => [name, licence]),
    [['diff', 'BSD-3-Clause']],
  );
  assert.match(thirdPartyNotices(found), /Redistribution and use in source and binary forms/);
});

test('a package without the text of a licence does not ship', () => {
  const bare = { ...packageNamed('bare', '1.0.0'), text: undefined };
  assert.throws(() => thirdPartyNotices([bare]), /bare 1\.0\.0 has no licence file/);
});

function packageNamed(name, version) {
  return { name, version, licence: 'MIT', text: 'Permission is hereby granted' };
}

test('it must stay small', () => {
  assert.match(problems(sound, 3_000_000)[0], /3000000 bytes/);
});

test('entries of a zip archive are read from its central directory', () => {
  const files = { 'one.txt': 'one '.repeat(100), 'folder/zwei-ü.txt': 'two' };
  assert.deepEqual(
    zipEntries(zip(files)).map(({ name, size }) => [name, size]),
    Object.entries(files).map(([name, text]) => [name, text.length]),
  );
  assert.throws(() => zipEntries(Buffer.from('no archive')), /no zip archive/);
});

/** A small archive, by the book. */
function zip(files) {
  const locals = [];
  const central = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const title = Buffer.from(name);
    const sizes = Buffer.alloc(14);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(text.length, 8);
    sizes.writeUInt16LE(title.length, 12);
    const head = Buffer.concat([
      Buffer.from('504b030414000008080000000000', 'hex'),
      sizes,
      Buffer.alloc(2),
      title,
      packed,
    ]);
    const entry = Buffer.concat([
      Buffer.from('504b0102140014000008080000000000', 'hex'),
      sizes,
      Buffer.alloc(16),
      title,
    ]);
    entry.writeUInt32LE(at, 42);
    locals.push(head);
    central.push(entry);
    at += head.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
