import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '4.14.0';
const folder = fileURLToPath(new URL(`../../../.cache/axe-${version}`, import.meta.url));
const file = join(folder, 'node_modules/axe-core/axe.min.js');

/** The accessibility problems of a page by the rules of WCAG A and AA, in words. */
export async function barriers(frame) {
  install();
  const html = frame.locator('html');
  // As an expression, because the page's policy blocks a script element.
  await html.evaluate(`globalThis.axe ? undefined : (() => { ${readFileSync(file, 'utf8')} })()`);
  const violations = await html.evaluate(async (html) => {
    // The page is transparent; this is what lies behind it.
    html.style.background = 'var(--vscode-sideBar-background)';
    const { violations } = await globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
    });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
  });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.slice(0, 5).join('\n')}`);
}

function install() {
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  console.log(`Installing axe-core ${version} …`);
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--loglevel=error', `axe-core@${version}`], {
    stdio: 'inherit',
  });
}
