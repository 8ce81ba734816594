import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMask } from './mask.js';

const masked = (text: string) => createMask().text(text);

test.each([
  ['export OPENAI_API_KEY=sk-proj-abcdefghijklmnop1234', 'export OPENAI_API_KEY=[secret-1]'],
  ['git clone https://me:hunter2@example.org/x.git', 'git clone https://me:[secret-1]@example.org/x.git'],
  ['Authorization: Bearer abc.def-123456', 'Authorization: Bearer [secret-1]'],
  ['{"password": "correct horse"}', '{"password": "correct horse"}'.replace('correct', '[secret-1]')],
  ['token ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'token [secret-1]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[secret-1]'],
  ['ask jane.doe+x@mail.example.co.uk or joe@example.org', 'ask [email-1] or [email-2]'],
  ['cat /home/jane/app/a.ts /Users/joe/b.ts', 'cat ~/app/a.ts ~/b.ts'],
  ['C:\\Users\\Jane\\app', '~\\app'],
  ['~/.claude/projects/-home-jane-app', '~/.claude/projects/-~-app'],
  ['cd /root/app && ls /root', 'cd ~/app && ls ~'],
])('%j is masked', (text, expected) => {
  expect(masked(text)).toBe(expected);
});

test.each([
  'const token: string = readToken();',
  'maxTokens: 128000, used tokens: 35160',
  'password=$PASSWORD',
  'git@github.com:org/repo.git',
  'import x from "@scope/name"',
  '/homes/jane is another place, and so is ./home/jane',
])('%j holds nothing private', (text) => {
  expect(masked(text)).toBe(text);
});

test('the value under a key that names a secret is masked completely, and keys are masked, too', () => {
  const value = {
    env: { DB_PASSWORD: 'a b', token: '', EDITOR: 'vim' },
    'joe@example.org': [1, null, 'joe@example.org'],
  };
  expect(createMask().value(value)).toEqual({
    env: { DB_PASSWORD: '[secret-1]', token: '', EDITOR: 'vim' },
    '[email-1]': [1, null, '[email-1]'],
  });
});

test('equal secrets get equal names and different ones different names, and masking again changes nothing', () => {
  const key = fc.stringMatching(/^[a-z0-9]{24}$/).map((rest) => `sk-${rest}`);
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 8 }), (keys) => {
      const mask = createMask();
      const names = keys.map((one) => mask.text(`use ${one} now`));
      expect(new Set(names).size).toBe(new Set(keys).size);
      keys.forEach((one, k) => {
        expect(names[k]).not.toContain(one);
        expect(mask.text(`use ${one} now`)).toBe(names[k]);
        expect(mask.text(names[k]!)).toBe(names[k]);
      });
    }),
  );
});

test('no text takes long: runs of every kind of character pass', () => {
  const units = ['a', 'a.', '-', 'token', 'token=', 'a:', 'x@', '/home/', 'eyJ', '-----BEGIN PRIVATE KEY-----'];
  const more = [
    '-eyJ-------e',
    'eyJabcdefgh.',
    'token:I',
    'token:"',
    'token:x1',
    'a+a+',
    'a://',
    'a://b:',
    '0@g.i.-.',
    'Bearer ',
  ];
  for (const unit of [...units, ...more]) expect(typeof masked(unit.repeat(100_000))).toBe('string');
});

test('JSON web tokens and assigned secrets are found wherever they are', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig-nature_1';
  expect(masked(`x-${token}, a.b.${token}`)).toBe('x-[secret-1], a.b.[secret-1]');
  expect(masked('eyJhbGciOiJIUzI1NiJ9.short.x')).toBe('eyJhbGciOiJIUzI1NiJ9.short.x');
  expect(masked(`a = "my_secret: 'abcdefg'"`)).toBe(`a = "my_secret: '[secret-1]'"`);
  expect(masked('url=x&client-secret=abc1234&token=abc1234')).toBe('url=x&client-secret=[secret-1]&token=[secret-1]');
  expect(masked('{\\"apiKey\\": \\"abcdefg\\"}')).toBe('{\\"apiKey\\": \\"[secret-1]\\"}');
});
