// Runs every example and checks what it prints: each text after "// Prints:" at its beginning must be in the output.
//
// Usage: node examples/run-all.mjs [--folder FOLDER] [NAME…]     all, or those whose file name contains one of the names;
//        --folder sdks for those with SDKs, which `npm run test:adapters` installs
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const words = process.argv.slice(2);
const within = words[0] === '--folder' ? `${words.splice(0, 2)[1]}/` : '';
const folder = fileURLToPath(new URL(within || '.', import.meta.url));
const wanted = words;
const files = readdirSync(folder)
  .filter((name) => (within === '' ? /^\d\d-.*\.mjs$/ : /\.mjs$/).test(name))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort();
if (files.length === 0) fail(`no example is named like ${wanted.join(' or ')}`);

let failed = 0;
for (const file of files) {
  const expected = [...readFileSync(folder + file, 'utf8').matchAll(/^\/\/ Prints: (.+)$/gm)].map(([, text]) => text);
  const { code, output } = await run(file);
  const problems = expected.filter((text) => !output.includes(text)).map((text) => `did not print: ${text}`);
  if (expected.length === 0) problems.push('has no line "// Prints: …" that says what to expect');
  if (code !== 0) problems.push(`ended with exit code ${code}`);
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${file}`);
  if (problems.length === 0) continue;
  failed++;
  console.log(`${problems.map((problem) => `     ${problem}`).join('\n')}\n${output.replace(/^/gm, '     | ')}`);
}
if (failed > 0) fail(`${failed} of ${files.length} examples failed`);

/** Runs an example in a process of its own; one that hangs is ended. */
function run(file) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [folder + file], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
