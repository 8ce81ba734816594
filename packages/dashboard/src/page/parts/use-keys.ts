import { useEffect, useRef } from 'preact/hooks';

export type Keys = { readonly [key: string]: (event: KeyboardEvent) => void };

/** Keys for the whole page. They are ignored in inputs, with Ctrl, Alt or Meta, and while a dialog is open. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key !== 'Escape' && event.target instanceof Element && event.target.closest('input, select, textarea'))
        return;
      if (document.querySelector('dialog[open]') !== null) return;
      const act = current.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
