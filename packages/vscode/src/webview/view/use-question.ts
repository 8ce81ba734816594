import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { composerElement, focusComposer, isFocusFree } from './focus.js';

/** For so long after a card has appeared, what is typed was not meant for it. */
const graceMs = 700;

export interface Question {
  readonly card: RefObject<HTMLElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * The keyboard of a card that asks something. It takes the focus if that is free and gives it back when it goes. Of its
 * `[data-choice]` buttons, Tab comes to one; the arrows move between them, and a key for a choice takes it at once. But
 * nothing that was typed while the card came up is taken for an answer.
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

/** Tab comes to the choice that has the focus, or had it last, or else to the first. */
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

/** Letters go on into the composer, for which they were meant; what would press a button does nothing. */
function passOn(event: KeyboardEvent): void {
  if (event.key === 'Enter' || event.key === ' ') event.preventDefault();
  else if (event.key.length === 1) composerElement()?.focus();
}
