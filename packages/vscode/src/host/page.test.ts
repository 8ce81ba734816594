import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from './page.js';

const parts = {
  nonce: 'n0nce',
  source: 'https://files.test',
  script: 'https://files.test/index.js',
  style: 'https://files.test/index.css',
};

function policyOf(html: string): Map<string, string[]> {
  const [, content = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const text = content.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return new Map(text.split('; ').map((rule) => [rule.split(' ')[0]!, rule.split(' ').slice(1)] as const));
}

test('the page can load our own files and run scripts with its nonce, and cannot connect to anything', () => {
  expect(policyOf(pageOf(parts))).toEqual(
    new Map([
      ['default-src', ["'none'"]],
      ['script-src', ["'nonce-n0nce'"]],
      ['style-src', ['https://files.test']],
      ['font-src', ['https://files.test']],
      ['img-src', ['https://files.test']],
      ['base-uri', ["'none'"]],
      ['form-action', ["'none'"]],
    ]),
  );
});

test('the page has no inline code, and every script has the nonce', () => {
  const html = pageOf(parts);
  expect(html).not.toMatch(/unsafe|<style|\sstyle=|\son\w+=|javascript:/i);
  const scripts = [...html.matchAll(/<script[^>]*>([^<]*)/g)];
  expect(scripts).toHaveLength(1);
  expect(scripts[0]?.[0]).toContain('nonce="n0nce"');
  expect(scripts[0]?.[1]).toBe('');
});

test('an address stays inside its attribute, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (script, style) => {
      const html = pageOf({ ...parts, script, style });
      expect(html.match(/</g)).toHaveLength(pageOf(parts).match(/</g)!.length);
      expect(html.match(/"/g)).toHaveLength(pageOf(parts).match(/"/g)!.length);
    }),
  );
});
