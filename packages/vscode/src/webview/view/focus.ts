/** The one place that keys go to when nothing else asks for them. */
export const composerId = 'composer';

export function composerElement(): HTMLTextAreaElement | null {
  return document.getElementById(composerId) as HTMLTextAreaElement | null;
}

export function focusComposer(): void {
  composerElement()?.focus();
}

/**
 * Whether a card may take the focus without taking something from the person: they are on this page, and not in the
 * middle of something.
 */
export function isFocusFree(): boolean {
  if (!document.hasFocus()) return false;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement === composerElement() && composerElement()?.value === '';
}
