import { environmentOf, isTask, translateTask } from '../cline/cline.js';
import type { DocumentFormat } from '../format.js';

/**
 * Roo Code's tasks. It grew out of Cline and keeps tasks the same way; the details of the environment are worded
 * differently, by which its conversations are known.
 */
export const rooCode: DocumentFormat = {
  name: 'roo-code',
  shape: 'document',
  sniff: (head) => {
    if (!isTask(head)) return false;
    const environment = environmentOf(head.document?.records[0]?.value ?? null);
    return environment !== undefined && (/<slug>/.test(environment) || /^# VSCode /m.test(environment));
  },
  translate: (recorder) => translateTask(recorder, 'roo-code'),
};
