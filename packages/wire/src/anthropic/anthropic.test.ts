import { translatorLaws } from '@loopfuse/testkit';
import { trafficBeside } from '../testing/traffic-beside.js';
import { anthropic } from './index.js';

translatorLaws(anthropic, trafficBeside(import.meta.url));
