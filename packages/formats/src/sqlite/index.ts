export { type Database, type Named, openDatabase } from './database.js';
