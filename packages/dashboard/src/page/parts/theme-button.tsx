import { ThemeIcon } from './icons.js';
import type { Theme } from './use-theme.js';

/** Shows the theme in use and changes to the next. */
export function ThemeButton({ theme, onClick }: { readonly theme: Theme; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      class="icon"
      onClick={onClick}
      aria-label={`Theme: ${theme}. Change it`}
      title={`Theme: ${theme}`}
    >
      <ThemeIcon theme={theme} />
    </button>
  );
}
