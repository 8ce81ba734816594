export { opencodeDatabase } from './database.js';
export { opencodeExport } from './export.js';
export { opencodeStorage } from './storage.js';
