import type { VNode } from 'preact';

/** Paths on a grid of 16 by 16, drawn in the colour of the text beside them. */
const paths = {
  clip: 'M11.5 7 7.3 11.2a2.2 2.2 0 0 1-3.1-3.1l5-5a1.5 1.5 0 0 1 2.1 2.1L6.5 10',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6',
  retry: 'M13.5 8a5.5 5.5 0 1 1-1.7-4M13.5 2v2.6h-2.6',
  add: 'M8 3v10M3 8h10',
  arrow: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  dash: 'M4 8h8',
  bolt: 'M9 1.8 3.8 9H7.6L6.8 14.2 12.2 6.8H8.3z',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2v2.6h2.6M8 5v3.2l2.2 1.4',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  shield: 'M8 1.8 13 3.6v4c0 3.2-2.1 5.4-5 6.6-2.9-1.2-5-3.4-5-6.6v-4z',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 14 14',
  chevron: 'M6 4l4 4-4 4',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.4',
  diff: 'M8 2v6M5 5h6M5 12h6',
  question: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .9-1 1.6M8 12v.3',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside text that says the same, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

export function Spinner(): VNode {
  return <span class="spinner" aria-hidden="true" />;
}
