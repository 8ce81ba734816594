export { type WindowChantingOptions, windowChanting } from './window-chanting.js';
