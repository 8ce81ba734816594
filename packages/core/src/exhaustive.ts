/**
 * For the default branch of a switch over a union such as `Decision`: a kind that is not handled does not compile. What
 * reaches it at run time came from code that was compiled against another version, and the error says what it was.
 */
export function assertNever(value: never, where = 'a switch'): never {
  throw new TypeError(`${where} does not handle ${inJson(value)}; is it compiled against another version of loopfuse?`);
}

function inJson(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 200) ?? String(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}
