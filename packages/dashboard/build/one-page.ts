import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

export interface OnePageOptions {
  readonly name?: string;
  /** Further directives of the content security policy, for what the page may load or connect to. */
  readonly sources?: readonly string[];
}

/**
 * Outputs one page with the built script and style inlined, and no other file. Its content security policy allows these two, by
 * their hashes, and `sources`.
 */
export function onePage(template: string, { name = 'page.html', sources = [] }: OnePageOptions = {}): Plugin {
  return {
    name: 'one-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [file, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code.trim();
        else if (file.endsWith('.css')) style += String(part.source).trim();
        delete bundle[file];
      }
      if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
        this.error('the script or the style contains a tag that would end its element: write that tag in another way');
      const policy = [
        `default-src 'none'`,
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        `base-uri 'none'`,
        `form-action 'none'`,
        ...sources,
      ].join('; ');
      const source = readFileSync(template, 'utf8')
        .replace('content="policy"', () => `content="${policy}"`)
        .replace('<style></style>', () => `<style>${style}</style>`)
        .replace('<script></script>', () => `<script>${script}</script>`);
      this.emitFile({ type: 'asset', fileName: name, source });
    },
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
