// Builds the documentation site into out/site: the API reference from the types, then every page of the repository.
import { fileURLToPath } from 'node:url';
import { installAdapterSdks, installLocked } from '../scripts/install-locked.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
installLocked(folder, 'site: installing what builds the site, once (150 MB)');
installAdapterSdks(); // their types are part of the reference of the adapters

const { writeApiReference } = await import('./api-reference.mjs');
const modules = await writeApiReference();
console.log(`API reference: ${modules.length} entry points`);

const { build } = await import('vitepress');
await build(folder);
console.log('Built: out/site');
