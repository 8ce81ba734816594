import { hasSensitiveName } from '../../workspace/sensitive-path.js';

/**
 * What "always allow" covers for a command: each program that it starts, with its subcommand and the options that
 * matter. Only programs that are known neither to run others nor to reach beyond their operands are covered so;
 * everything else (substitution, redirection, scripts, options that run programs, paths outside of the workspace) is
 * covered only as it stands.
 */
export function commandCovers(command: string): readonly string[] {
  if (/[`$<>(){}\\\n\r~]/.test(command)) return [command];
  const covers = new Set<string>();
  // A separator inside of quotes is taken for one, too: then more is asked about, never less.
  for (const segment of command.split(/&&|\|\||[;|&]/)) {
    if (segment.trim() === '') continue;
    const cover = coverOf(segment.trim().split(/\s+/));
    if (cover === undefined) return [command];
    covers.add(cover);
  }
  return covers.size === 0 ? [command] : [...covers];
}

/**
 * Whether a word of the command names what configures the agent, the editor, git, hooks or the shell. Quotes may stand
 * around a word or inside of one, where the shell takes them out: `".g"it` is `.git`.
 */
export function namesSensitivePath(command: string): boolean {
  return [command, withoutQuotes(command)].some((text) =>
    text.split(/[\s;|&<>()=:,'"`]+/).some((word) => word !== '' && hasSensitiveName(word)),
  );
}

/** What covers one simple command; nothing where only the whole of it does. */
function coverOf([program = '', ...quoted]: readonly string[]): string | undefined {
  const words = quoted.map(withoutQuotes);
  if (words.some(reachesOut)) return undefined;
  if (looking.has(program)) return words.some(isRunningOption) ? undefined : program;
  if (changing.has(program)) return words.some(isPattern) ? undefined : withOptions(program, words);
  return program === 'git' ? gitCover(words) : undefined;
}

function gitCover([subcommand = '', ...words]: readonly string[]): string | undefined {
  if (words.some(isRunningOption)) return undefined;
  if (gitLooking.has(subcommand)) return `git ${subcommand}`;
  if (!gitChanging.has(subcommand) || words.some(isPattern)) return undefined;
  return withOptions(`git ${subcommand}`, words);
}

/** `git push` does not cover `git push --force`: every option is part of what was seen. */
function withOptions(name: string, words: readonly string[]): string {
  const options = words.filter((word) => word.startsWith('-') || word.startsWith('+') || word.startsWith(':'));
  return [name, ...[...new Set(options)].sort()].join(' ');
}

/** Programs that only look, whatever their options and operands. */
const looking = new Set(
  'ls cat head tail wc grep egrep fgrep pwd echo printf stat du df which uname diff cmp cut tr basename dirname realpath readlink nl comm md5sum sha1sum sha256sum true false whoami id'.split(
    ' ',
  ),
);
/** Programs that change files and run nothing. */
const changing = new Set('mkdir touch rmdir rm cp mv'.split(' '));
const gitLooking = new Set('status log diff show blame ls-files rev-parse describe shortlog'.split(' '));
const gitChanging = new Set(
  'add branch checkout cherry-pick commit fetch merge mv pull push reset restore revert rm stash switch tag'.split(' '),
);

/** Options that start a program, load code, or write to a file of their own. */
function isRunningOption(word: string): boolean {
  return /^--(?:exec|ext-diff|textconv|output|upload-pack|receive-pack|pager|open-files|config|filter|pre|command|editor|tool|rsh|to-command|compress-program|run|strategy|gpg|signoff-by-command)/.test(
    word,
  );
}

/** A pattern can stand for a file whose name is an option. */
function isPattern(word: string): boolean {
  return /[*?[\]]/.test(word);
}

/** Absolute paths and those that lead up, also as the value of an option. */
function reachesOut(word: string): boolean {
  return /(?:^|=|:)(?:\/|[A-Za-z]:)|(?:^|[/=])\.\.(?:\/|$)/.test(word) || /^-[A-Za-z]+\//.test(word);
}

function withoutQuotes(text: string): string {
  return text.replace(/["']/g, '');
}
