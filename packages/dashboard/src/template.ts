import { readFileSync } from 'node:fs';

/** The page without data, as the build left it. */
export function loadTemplate(): string {
  const page = new URL('../dist/page.html', import.meta.url);
  try {
    return readFileSync(page, 'utf8');
  } catch (cause) {
    throw new Error(`the page of the report is missing (${page.pathname}): build it with "npm run build"`, { cause });
  }
}
