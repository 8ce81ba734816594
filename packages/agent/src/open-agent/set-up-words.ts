import { assertNever } from 'loopfuse';
import { providerNames } from '../model/provider-names.js';
import type { SetUpProblem } from './set-up-error.js';

/** How the messages of a user interface name the places where the user sets things. */
export interface Places {
  /** As in "Name one with …". */
  readonly provider: string;
  readonly model: string;
  readonly address: string;
  /** A sentence that says how to give the key that one of these variables can hold. */
  key(variables: readonly string[]): string;
  /** The name of what has precedence over the settings files, as in "the flags". */
  readonly overrides: string;
}

/** The places that exist without any user interface. */
export const environmentPlaces: Places = {
  provider: 'LOOPFUSE_PROVIDER or "provider" in a settings file',
  model: 'LOOPFUSE_MODEL or "model" in a settings file',
  address: 'LOOPFUSE_BASE_URL or "baseURL" in a settings file',
  key: (variables) => `Set ${variables.join(' or ')} in the environment, or choose another provider.`,
  overrides: 'the overrides',
};

/** The message about a problem, with the places of a user interface. */
export function setUpInWords(problem: SetUpProblem, places: Places = environmentPlaces): string {
  switch (problem.type) {
    case 'provider': {
      const all = providerNames.join(', ');
      return problem.given === undefined
        ? `No provider is set, and none can be derived from the model or the keys. Name one with ${places.provider}: ${all}.`
        : `provider must be one of ${all}, got ${JSON.stringify(problem.given)}. Name one with ${places.provider}.`;
    }
    case 'model':
      return `No model is set for ${problem.provider}. Name one with ${places.model}${problem.suggested === undefined ? '' : `, for example ${problem.suggested}`}.`;
    case 'address':
      return problem.given === undefined
        ? `No address for the openai-compatible provider. Set it with ${places.address}, for example http://127.0.0.1:8080/v1.`
        : `baseURL must be an address that begins with http:// or https://, got ${JSON.stringify(problem.given)}. Set it with ${places.address}.`;
    case 'key':
      return `No key for ${problem.provider}. ${places.key(problem.variables)}`;
    case 'key-address': {
      const { variable, address, keptFor } = problem;
      const other = keptFor.length === 0 ? 'without an address' : `for ${keptFor.join(', ')}`;
      return `The key ${variable} was stored ${other}, and the settings name ${address}. It is not sent there until you allow it.`;
    }
    case 'settings':
      return problem.problems
        .map(({ file = places.overrides, key, message }) => `${file}: ${key === '' ? '' : `"${key}" `}${message}`)
        .join('\n');
    case 'folder':
      return problem.path === undefined
        ? 'The agent works in a folder on disk, and none is open. Open one with File: Open Folder.'
        : `there is no folder ${JSON.stringify(problem.path)}. Check the spelling, or give another path.`;
    case 'session': {
      const { wanted, root, found } = problem;
      if (found.length === 0) return `There are no sessions of ${root} to resume.`;
      const what = problem.matches > 1 ? 'Several sessions begin with' : 'No session is called';
      return [
        `${what} ${JSON.stringify(wanted)}. Some that exist:`,
        ...found.map(({ id, title }) => `${id}  ${title}`),
      ].join('\n');
    }
    case 'other':
      return problem.message;
    default:
      return assertNever(problem, 'setUpInWords');
  }
}
