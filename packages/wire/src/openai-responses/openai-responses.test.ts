import { translatorLaws } from '@loopfuse/testkit';
import { trafficBeside } from '../testing/traffic-beside.js';
import { openaiResponses } from './index.js';

translatorLaws(openaiResponses, trafficBeside(import.meta.url));
