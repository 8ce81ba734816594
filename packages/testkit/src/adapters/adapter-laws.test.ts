import { adapterLaws } from './adapter-laws.js';
import { plainAgent } from './reference.js';

adapterLaws(plainAgent);
