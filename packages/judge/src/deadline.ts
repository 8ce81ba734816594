/** A signal that is aborted together with another one, or when the time is up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the other signal was the reason. */
  readonly cancelled: boolean;
  clear(): void;
}

export function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let cancelled = false;
  const cancel = () => {
    cancelled = true;
    controller.abort(outer?.reason);
  };
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  const timeUp = () =>
    controller.abort(
      Object.assign(new Error(`no answer came within ${timeoutMs} milliseconds`), { name: 'TimeoutError' }),
    );
  const timer = setTimeout(timeUp, timeoutMs);
  return {
    signal: controller.signal,
    get cancelled() {
      return cancelled;
    },
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancel);
    },
  };
}
