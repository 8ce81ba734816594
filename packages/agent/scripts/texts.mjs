// Writes src/texts/texts.ts from the .md files under src, so that programs that are bundled into one file carry them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));
const names = readdirSync(source, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && !name.endsWith('README.md'))
  .sort();
const quoted = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const entries = names.map(
  (name) => `  ${quoted(name)}:\n    ${quoted(readFileSync(join(source, name), 'utf8').trim())},`,
);
writeFileSync(
  join(source, 'texts', 'texts.ts'),
  `/** The prompts, generated from the .md files by \`npm run texts\`; change those. */\nexport const texts = {\n${entries.join('\n')}\n} as const;\n`,
);
