// Writes src/prompt.generated.ts from src/prompt.md, so that the text is there in bundles and without a file system.
import { readFileSync, writeFileSync } from 'node:fs';

const source = new URL('../src/', import.meta.url);
const text = readFileSync(new URL('prompt.md', source), 'utf8').trim();
const escaped = text.replace(/\\|`|\$\{/g, (found) => `\\${found}`);
writeFileSync(
  new URL('prompt.generated.ts', source),
  `/** The text of \`prompt.md\`, written by \`npm run prompt\`; change that one. */\nexport const prompt = \`${escaped}\`;\n`,
);
