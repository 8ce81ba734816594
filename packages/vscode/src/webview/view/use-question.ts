import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { composerElement, focusComposer, isFocusFree } from './focus.js';

/** Keys pressed within this time after a card has appeared were not meant for it. */
const graceMs = 700;

export interface Question {
  readonly card: RefObject<HTMLElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Keyboard handling for a card that asks something. The card takes the focus if that interrupts nothing, and returns it when it
 * is removed. Tab reaches one of its `[data-choice]` buttons, the arrows move between them, and each choice has a key. Keys that
 * were pressed while the card appeared are not taken for an answer.
 */
export function useQuestion({ keys, onEscape }: { readonly keys: string; readonly onEscape: () => void }): Question {
  const card = useRef<HTMLElement>(null);
  const since = useRef(Number.POSITIVE_INFINITY);

  useLayoutEffect(() => {
    since.current = performance.now();
    let inside = false;
    const onFocus = () => {
      inside = card.current?.contains(document.activeElement) ?? inside;
      rove(card.current);
    };
    document.addEventListener('focusin', onFocus);
    if (isFocusFree()) choicesIn(card.current)[0]?.focus({ preventScroll: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      if (inside && document.hasFocus()) focusComposer();
    };
  }, []);
  useLayoutEffect(() => rove(card.current));

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') act(event, onEscape);
    else if (event.target instanceof HTMLTextAreaElement) return;
    else if (performance.now() - since.current < graceMs) passOn(event);
    else pick(event);
  }

  function pick(event: KeyboardEvent): void {
    const { key } = event;
    const choices = choicesIn(card.current);
    const at = choices.indexOf(document.activeElement as HTMLButtonElement);
    const wanted = key.length === 1 ? keys.indexOf(key.toLowerCase()) : -1;
    if (key === 'ArrowDown' || key === 'ArrowRight') act(event, () => choices[(at + 1) % choices.length]?.focus());
    else if (key === 'ArrowUp' || key === 'ArrowLeft') act(event, () => choices.at(at <= 0 ? -1 : at - 1)?.focus());
    else if (wanted >= 0) act(event, () => choices[wanted]?.click());
  }

  return { card, onKeyDown };
}

function choicesIn(card: HTMLElement | null): HTMLButtonElement[] {
  return [...(card?.querySelectorAll<HTMLButtonElement>('button[data-choice]') ?? [])];
}

/** Makes one choice reachable with Tab: the one with the focus, else the last one that had it, else the first. */
function rove(card: HTMLElement | null): void {
  const choices = choicesIn(card);
  const focused = choices.find((one) => one === document.activeElement);
  const current = focused ?? choices.find((one) => one.getAttribute('tabindex') === '0') ?? choices[0];
  for (const one of choices) one.tabIndex = one === current ? 0 : -1;
}

function act(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** Letters go to the composer, for which they were meant; Enter and Space do nothing. */
function passOn(event: KeyboardEvent): void {
  if (event.key === 'Enter' || event.key === ' ') event.preventDefault();
  else if (event.key.length === 1) composerElement()?.focus();
}
