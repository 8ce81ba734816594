import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The third-party packages that the files of a bundle come from: `{ name, version, licence, text }`, each once, sorted by name.
 * Files outside of `node_modules` are ours.
 */
export function bundledPackages(files) {
  const folders = new Set(files.map(packageFolderOf).filter((folder) => folder !== undefined));
  const packages = [...folders].map(readPackage);
  const unique = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The notices that ship with the bundle. Throws if a package has no licence text. */
export function thirdPartyNotices(packages) {
  const entries = packages.map(({ name, version, licence, text }) => {
    if (text === undefined)
      throw new Error(
        `${name} ${version} has no licence file (its licence: ${licence ?? 'not given'}). ` +
          'Add the text to packaging/licences/ if it names no holder; otherwise do not bundle the package.',
      );
    return `${name} ${version}\nLicence: ${licence ?? 'see below'}\n\n${text.trim()}\n`;
  });
  const opening = 'This extension contains software of others. Their licences:\n';
  return [opening, ...entries].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to; undefined for our files and for virtual modules. */
function packageFolderOf(file) {
  const inside = file.split(sep);
  const at = inside.lastIndexOf('node_modules');
  if (at < 0 || !existsSync(file.split('?')[0])) return undefined;
  const length = inside[at + 1].startsWith('@') ? 3 : 2;
  return inside.slice(0, at + length).join(sep);
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, licence: license, text: licenceText(folder) ?? keptText(license) };
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
}

/**
 * The licence text for a package that is published without it, from `licences/`. Only licences whose text does not name the
 * copyright holder are there.
 */
function keptText(licence) {
  const file = fileURLToPath(new URL(`licences/${licence}.txt`, import.meta.url));
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
