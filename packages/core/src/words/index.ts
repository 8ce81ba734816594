export { jsonOf } from './json-of.js';
export { messageOf } from './message-of.js';
export { counted, dollars, grouped, short } from './numbers.js';
export { wasteInWords } from './waste-in-words.js';
