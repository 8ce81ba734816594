// Writes schema/settings.schema.json from the settings that the package reads. Needs a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { settingsJsonSchema } from '../dist/index.js';

const folder = new URL('../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('settings.schema.json', folder), `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
