/**
 * For the default branch of a switch over a union such as `Decision`: a type that is not handled does not compile. A
 * value that reaches it at run time came from code compiled against another version; the error quotes the value.
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
