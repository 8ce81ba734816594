/** From the third generation on, calls carry an id and a signature, and a signature must come back. */
export function signsCalls(model: string): boolean {
  return /gemini-([3-9]|\d\d)/.test(model);
}
