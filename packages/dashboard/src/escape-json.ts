/**
 * JSON for a script element of an HTML page: it contains no start of a tag, comment or entity, and no line end that only some
 * parsers know. It parses to the same value.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029\u007f-\u009f\ufffe\uffff]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
