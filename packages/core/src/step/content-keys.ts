/** Input keys of known agents' tools: the text that an edit replaces, its new text, and a whole file or a patch. */
export const oldTextKeys = [
  'old_string',
  'old_str',
  'oldText',
  'old_text',
  'oldString',
  'old',
  'search',
  'find',
] as const;
export const newTextKeys = [
  'new_string',
  'new_str',
  'newText',
  'new_text',
  'newString',
  'new',
  'replace',
  'replacement',
] as const;
export const wholeTextKeys = ['content', 'contents', 'file_text', 'text', 'patch', 'diff', 'code_edit'] as const;

const contentKeys: ReadonlySet<string> = new Set([...oldTextKeys, ...newTextKeys, ...wholeTextKeys]);

export function isContent(key: string): boolean {
  return contentKeys.has(key);
}
