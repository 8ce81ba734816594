/** What is written for a session. `version` counts its saves, so that the newer of two copies is known. */
export interface Envelope {
  readonly version: number;
  readonly key: string;
  readonly at: number;
  /** Missing when the session was forgotten. */
  readonly value?: unknown;
}

export function write(envelope: Envelope): string {
  return JSON.stringify(envelope);
}

/** Throws a `SyntaxError` that says what was found, but never quotes the content. */
export function read(text: string, key?: string): Envelope {
  let found: Partial<Envelope> | undefined;
  try {
    found = JSON.parse(text);
  } catch {
    // Reported below, because the engine's own message would quote the text.
  }
  if (typeof found !== 'object' || found === null)
    throw new SyntaxError(`expected a saved session in JSON, found ${text.length} characters that are none`);
  const { version, at } = found;
  if (!Number.isSafeInteger(version) || !Number.isFinite(at) || typeof found.key !== 'string')
    throw new SyntaxError('expected a saved session with "version", "key" and "at", found other JSON');
  if (key !== undefined && found.key !== key) throw new SyntaxError('expected this session, found another one');
  return found as Envelope;
}
