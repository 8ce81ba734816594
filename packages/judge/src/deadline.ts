/** A signal that is aborted with another one, and by itself when the time is up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was the other one. */
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
