import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The width of an element in pixels; 0 until it is mounted. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const own = element.current;
    if (own === null) return;
    const read = () => setWidth(own.clientWidth);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(own);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

export function useNarrow(): boolean {
  const query = matchMedia('(max-width: 720px)');
  const [isNarrow, setNarrow] = useState(query.matches);
  useLayoutEffect(() => {
    const read = () => setNarrow(query.matches);
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  });
  return isNarrow;
}
