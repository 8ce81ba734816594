/** Ctrl-C as a signal, so that what is done so far can be shown; a second Ctrl-C ends the process as usual. */
export function interruption(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  return { signal: controller.signal, end: () => void process.off('SIGINT', abort) };
}
