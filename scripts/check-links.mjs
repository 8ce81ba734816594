// Every relative link and anchor in the Markdown files of the repository leads somewhere.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brokenLinks } from './links/broken-links.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const broken = brokenLinks(files, (file) => readFileSync(join(root, file), 'utf8')).filter(
  ({ file }) => !file.includes('/fixtures/'),
);

for (const { file, line, target, problem } of broken) console.error(`${file}:${line}: (${target}) ${problem}`);
const pages = files.filter((file) => file.endsWith('.md') && !file.includes('/fixtures/')).length;
console.log(broken.length === 0 ? `The links of ${pages} Markdown files lead somewhere.` : `Broken: ${broken.length}.`);
process.exitCode = broken.length === 0 ? 0 : 1;
