import type { SetUpProblem } from '@loopfuse/agent';
import type { Remedy } from '../protocol/index.js';

const key: Remedy = { label: 'Set the API Key', command: 'loopfuse.setApiKey' };
const model: Remedy = { label: 'Choose a Model', command: 'loopfuse.chooseModel' };
const settings: Remedy = { label: 'Open Settings', command: 'loopfuse.openSettings' };

/** What the user can do about a problem that keeps the agent from working, the best first. */
export function remediesFor(problem: SetUpProblem | 'untrusted' | undefined): readonly Remedy[] {
  if (problem === 'untrusted') return [{ label: 'Manage Trust', command: 'loopfuse.manageTrust' }];
  switch (problem?.type) {
    case 'provider':
    case 'model':
    case 'address':
      return [model, settings];
    case 'key':
      return [key, model];
    case 'key-address':
      return [{ label: 'Decide about the Key', command: 'loopfuse.decideKey' }, settings];
    case 'folder':
      return [{ label: 'Open a Folder', command: 'loopfuse.openFolder' }];
    case 'settings':
    case 'session':
    case 'other':
    case undefined:
      return [settings];
  }
}
