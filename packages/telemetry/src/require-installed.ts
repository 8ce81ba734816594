/** Rejects if one of these modules is not installed. The error names all that are missing. */
export async function requireInstalled(modules: { readonly [name: string]: Promise<unknown> }): Promise<void> {
  const missing = new Set<string>();
  await Promise.all(
    Object.entries(modules).map(async ([name, module]) => {
      try {
        await module;
      } catch (cause) {
        if (!isMissing(cause, name)) throw cause;
        missing.add(name);
      }
    }),
  );
  if (missing.size === 0) return;
  const names = Object.keys(modules).filter((name) => missing.has(name));
  throw new Error(
    `An endpoint for telemetry is set, but what sends it is not installed. Run: npm install ${names.join(' ')}`,
  );
}

function isMissing(cause: unknown, name: string): boolean {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(name);
}
