import type { Theme } from './use-theme.js';

/** A ring with a gap: the loop, broken. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" class="logo">
      <path
        d="M22.5 7.2A11 11 0 1 0 27 16"
        fill="none"
        stroke="currentColor"
        stroke-width="3.4"
        stroke-linecap="round"
      />
      <circle cx="25.6" cy="10.2" r="2.3" class="spark" />
    </svg>
  );
}

export function ThemeIcon({ theme }: { readonly theme: Theme }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="18"
      height="18"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
    >
      {theme === 'light' && (
        <>
          <circle cx="12" cy="12" r="4.2" />
          <path d="M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1" />
        </>
      )}
      {theme === 'dark' && <path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z" />}
      {theme === 'auto' && (
        <>
          <circle cx="12" cy="12" r="8" />
          <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
        </>
      )}
    </svg>
  );
}
