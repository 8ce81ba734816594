import { useEffect, useState } from 'preact/hooks';

/** Asks again and again while the page is in sight. An answer that fails leaves the last one. */
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
