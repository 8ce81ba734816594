/** What the agent says about its set-up is meant for a terminal. These are the same places in the editor. */
const places: readonly (readonly [RegExp, string])[] = [
  [/--provider\b/g, 'the setting “loopfuse.provider”'],
  [/--model\b/g, 'the setting “loopfuse.model”'],
  [/--base-url\b/g, 'the setting “loopfuse.baseURL”'],
  [/\bthe flags(?=: )/g, 'The settings of the editor'],
  [
    /\bSet (\S+(?: or \S+)*) in the environment\b/g,
    'Keep one with “Loopfuse: Set an API Key…”, or set $1 in the environment',
  ],
];

export function setUpWords(message: string): string {
  return places.reduce((text, [pattern, words]) => text.replace(pattern, words), message);
}
