import { useEffect, useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'loopfuse-theme';

/** Light, dark, or as the system. Stored if the browser allows that for files. */
export function useTheme(): { readonly theme: Theme; readonly next: () => void; readonly isDark: boolean } {
  const [theme, setTheme] = useState<Theme>(remembered);
  const [systemDark, setSystemDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const read = () => setSystemDark(query.matches);
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  const isDark = theme === 'auto' ? systemDark : theme === 'dark';
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  return {
    theme,
    isDark,
    next() {
      const chosen = themes[(themes.indexOf(theme) + 1) % themes.length]!;
      setTheme(chosen);
      try {
        localStorage.setItem(key, chosen);
      } catch {
        // The choice lasts until the page is closed.
      }
    },
  };
}

function remembered(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? 'auto';
  } catch {
    return 'auto';
  }
}
