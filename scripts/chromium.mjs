/**
 * Chromium for tests, installed on first use: Debian's browser, and playwright-core to drive it, in `.cache`.
 *
 *     const browser = await openChromium();
 *     const page = await browser.newPage();
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export const chromium = '/usr/bin/chromium';

const playwrightVersion = '1.65.0';
const folder = fileURLToPath(new URL('../.cache/playwright', import.meta.url));

/** Nothing that phones home, and no sandbox, because tests run as root in containers. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function installChromium() {
  if (existsSync(chromium)) return;
  console.log('Installing Chromium from Debian …');
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', ...args], {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core');
}

/** A headless browser of playwright-core's. Whoever opens it closes it. `options` go to playwright's `launch`. */
export async function openChromium(options = {}) {
  installChromium();
  const playwright = await installPlaywright();
  return playwright.chromium.launch({ executablePath: chromium, args: chromiumFlags, ...options });
}

async function installPlaywright() {
  if (!existsSync(`${folder}/node_modules/playwright-core/package.json`)) {
    mkdirSync(folder, { recursive: true });
    console.log(`Installing playwright-core ${playwrightVersion} …`);
    execFileSync(
      'npm',
      ['install', '--prefix', folder, '--no-save', '--loglevel=error', `playwright-core@${playwrightVersion}`],
      { stdio: 'inherit', env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' } },
    );
  }
  return createRequire(`${folder}/`)('playwright-core');
}
