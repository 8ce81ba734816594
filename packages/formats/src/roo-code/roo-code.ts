import { environmentOf, isTask, translateTask } from '../cline/cline.js';
import type { DocumentFormat } from '../format.js';

/**
 * Roo Code's tasks. It is a fork of Cline and its tasks have the same form. Its conversations are recognised by the
 * wording of the environment details.
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
