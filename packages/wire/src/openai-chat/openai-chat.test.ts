import { translatorLaws } from '@loopfuse/testkit';
import { trafficBeside } from '../testing/traffic-beside.js';
import { openaiChat } from './index.js';

translatorLaws(openaiChat, trafficBeside(import.meta.url));
