import { readFileSync } from 'node:fs';

/** The page of the report without data, as the build left it. */
export function loadTemplate(): string {
  return load('page.html', 'report');
}

/** The live page of the gateway. The server inserts its secret. */
export function loadLivePage(): string {
  return load('live.html', 'gateway');
}

function load(name: string, of: string): string {
  const page = new URL(`../dist/${name}`, import.meta.url);
  try {
    return readFileSync(page, 'utf8');
  } catch (cause) {
    throw new Error(`the page of the ${of} is missing (${page.pathname}): build it with "npm run build"`, { cause });
  }
}
