import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

const spare = 8;

/**
 * The visible rows of a long list, and some more: from `from` up to but excluding `to`. The list scrolls with the page, or is a
 * box that scrolls by itself.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  scrolls: 'page' | 'box',
): { readonly from: number; readonly to: number } {
  const [range, setRange] = useState({ from: 0, to: Math.min(count, 40) });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    let frame = 0;
    function read(): void {
      frame = 0;
      const { top } = element!.getBoundingClientRect();
      const above = scrolls === 'box' ? element!.scrollTop : Math.max(0, -top);
      const height = scrolls === 'box' ? element!.clientHeight : innerHeight;
      const from = Math.max(0, Math.floor(above / rowHeight) - spare);
      const to = Math.min(count, Math.ceil((above + height) / rowHeight) + spare);
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    }
    const soon = () => {
      frame ||= requestAnimationFrame(read);
    };
    read();
    const target = scrolls === 'box' ? element : window;
    target.addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      target.removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [list, count, rowHeight, scrolls]);
  return { from: Math.min(range.from, Math.max(0, count - 1)), to: Math.min(range.to, count) };
}
