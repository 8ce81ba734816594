/** The few characters beyond ASCII that the commands use, by what they are for. */
export interface Glyphs {
  readonly good: string;
  readonly bad: string;
  readonly trip: string;
  readonly bar: string;
  readonly arrow: string;
  readonly dot: string;
  readonly dash: string;
  readonly more: string;
  readonly bullet: string;
  /** Marks an input line, and the selected choice. */
  readonly prompt: string;
  readonly rule: string;
  /** Between the columns of a table. */
  readonly column: string;
  readonly think: string;
  /** Frames of an animation while work is in progress. */
  readonly spinner: readonly string[];
}

export const unicode: Glyphs = {
  good: '✓',
  bad: '✗',
  trip: '↯',
  bar: '┃',
  arrow: '→',
  dot: '·',
  dash: '–',
  more: '…',
  bullet: '•',
  prompt: '❯',
  rule: '─',
  column: '│',
  think: '∴',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧'],
};
export const ascii: Glyphs = {
  good: '+',
  bad: 'x',
  trip: '!',
  bar: '|',
  arrow: '->',
  dot: '-',
  dash: '-',
  more: '...',
  bullet: '*',
  prompt: '>',
  rule: '-',
  column: '|',
  think: '~',
  spinner: ['-', '\\', '|', '/'],
};

/** Whether the terminal reads UTF-8, by the locale. Newer terminals of Windows, and macOS, do so without one. */
export function usesUtf8(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM || env.ConEmuTask);
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : platform === 'darwin';
}

/** Text for a terminal without UTF-8. Characters without a replacement become a question mark. */
export function inAscii(text: string): string {
  return text
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‘’]/gu, "'")
    .replace(/…/gu, '...')
    .replace(/[–—]/gu, '-')
    .replace(/≈/gu, '~')
    .replace(/[^\u0000-\u007f]/gu, '?');
}
