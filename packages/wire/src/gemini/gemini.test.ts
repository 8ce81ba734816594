import { translatorLaws } from '@loopfuse/testkit';
import { trafficBeside } from '../testing/traffic-beside.js';
import { gemini } from './index.js';

translatorLaws(gemini, trafficBeside(import.meta.url));
