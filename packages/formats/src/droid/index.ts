export { droid } from './droid.js';
