/** The element that has the focus by default. */
export const composerId = 'composer';

export function composerElement(): HTMLTextAreaElement | null {
  return document.getElementById(composerId) as HTMLTextAreaElement | null;
}

export function focusComposer(): void {
  composerElement()?.focus();
}

/** Whether a card may take the focus without interrupting the user: the page has it, and nothing else is in use. */
export function isFocusFree(): boolean {
  if (!document.hasFocus()) return false;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return activeElement === composerElement() && composerElement()?.value === '';
}
