import { useEffect, useState } from 'preact/hooks';

/** Polls `read` while the page is visible. If a request fails, the last value stays. */
export function usePolled<Value>(
  read: () => Promise<Value>,
  everyMs: number,
  inputs: readonly unknown[],
): { readonly value: Value | undefined; readonly problem: string; readonly again: () => void } {
  const [value, setValue] = useState<Value>();
  const [problem, setProblem] = useState('');
  const [asked, setAsked] = useState(0);
  useEffect(() => setValue(undefined), inputs);
  useEffect(() => {
    let ended = false;
    let timer = 0;
    const look = (): void => {
      const next = (): void => {
        if (!ended) timer = window.setTimeout(look, everyMs);
      };
      if (document.hidden) {
        next();
        return;
      }
      read()
        .then(
          (answer) => {
            if (ended) return;
            setValue(answer);
            setProblem('');
          },
          (cause: Error) => {
            if (!ended) setProblem(cause.message);
          },
        )
        .finally(next);
    };
    look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [...inputs, asked]);
  return { value, problem, again: () => setAsked((count) => count + 1) };
}
