import { environmentPlaces, type Places } from '@loopfuse/agent';

/** Where things are set in the editor. */
export const editorPlaces: Places = {
  provider: `the setting “loopfuse.provider”, ${environmentPlaces.provider}`,
  model: `the setting “loopfuse.model”, ${environmentPlaces.model}`,
  address: `the setting “loopfuse.baseURL”, ${environmentPlaces.address}`,
  key: (variables) => `Store one with “Loopfuse: Set an API Key…”, or ${lowerFirst(environmentPlaces.key(variables))}`,
  overrides: 'The settings of the editor',
};

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
