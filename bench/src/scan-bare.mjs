/**
 * What `scan` is measured against: reads every file under a path in big pieces, cuts it into lines and gives each line
 * to `JSON.parse`; a file that is one document is parsed whole. Nothing is kept.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const buffer = Buffer.allocUnsafeSlow(256 * 1024);
let values = 0;

for (const path of process.argv.slice(2)) walk(path);
console.log(`${values} values`);

/** @param {string} path */
function walk(path) {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
  else if (path.endsWith('.json')) parse(readFileSync(path, 'utf8'));
  else readLines(path);
}

/** @param {string} path */
function readLines(path) {
  const descriptor = openSync(path, 'r');
  /** @type {Buffer[]} */
  let rest = [];
  for (;;) {
    const count = readSync(descriptor, buffer, 0, buffer.length, null);
    if (count === 0) break;
    const chunk = buffer.subarray(0, count);
    let from = 0;
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      if (rest.length > 0) {
        parse(Buffer.concat([...rest, chunk.subarray(0, to)]).toString('utf8'));
        rest = [];
      } else parse(chunk.toString('utf8', from, to));
      from = to + 1;
    }
    if (from < count) rest.push(Buffer.from(chunk.subarray(from)));
  }
  if (rest.length > 0) parse(Buffer.concat(rest).toString('utf8'));
  closeSync(descriptor);
}

/** @param {string} text */
function parse(text) {
  if (text === '') return;
  try {
    JSON.parse(text);
    values++;
  } catch {
    // A line that is no JSON costs what it costs.
  }
}
