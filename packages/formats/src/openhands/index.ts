export { openhands, openhandsFolder, openhandsLines } from './openhands.js';
