import { hasSensitiveName } from '../../workspace/sensitive-path.js';
import type { Workspace } from '../../workspace/workspace.js';
import { simpleCommands } from './simple-commands.js';

/**
 * What "always allow" covers for a command: each program that it starts, with its subcommand and the options that
 * matter. Only programs that run no other programs and use only their operands are covered like this. Everything else
 * (substitution, redirection, scripts, options that run programs, paths that lead out of the workspace, also through a
 * link) is covered as exactly this command.
 */
export async function commandCovers(command: string, workspace: Workspace): Promise<readonly string[]> {
  const covers = new Set<string>();
  for (const words of simpleCommands(command) ?? []) {
    const cover = coverOf(words);
    if (cover === undefined || (await anyLeadsOut(words, workspace))) return [command];
    covers.add(cover);
  }
  return covers.size === 0 ? [command] : [...covers];
}

/**
 * Whether a word of the command names what configures the agent, the editor, git, hooks or the shell. Quotes may be
 * around or inside a word, and the shell removes them: `".g"it` is `.git`.
 */
export function namesSensitivePath(command: string): boolean {
  return [command, command.replace(/["']/g, '')].some((text) =>
    text.split(/[\s;|&<>()=:,'"`]+/).some(hasSensitiveName),
  );
}

/** What covers one simple command. `undefined` where only the whole command does. */
function coverOf([program = '', ...words]: readonly string[]): string | undefined {
  if (words.some(reachesOut)) return undefined;
  if (looking.has(program)) return words.some(isRunningOption) ? undefined : program;
  if (changing.has(program)) return words.some(isPattern) ? undefined : withOptions(program, words);
  return program === 'git' ? gitCover(words) : undefined;
}

function gitCover([subcommand = '', ...words]: readonly string[]): string | undefined {
  if (words.some(isRunningOption)) return undefined;
  if (gitLooking.has(subcommand)) return words.includes('--no-index') ? undefined : `git ${subcommand}`;
  if (words.some(isPattern)) return undefined;
  // The operand of `checkout` may be a branch, or files whose changes are discarded. Only git knows which.
  if (subcommand === 'checkout' && !words.includes('-b')) return undefined;
  if (gitActing.has(subcommand)) return withOptions(['git', subcommand, ...firstOperand(words)].join(' '), words);
  return gitChanging.has(subcommand) ? withOptions(`git ${subcommand}`, words) : undefined;
}

function firstOperand(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !isOption(word));
  return at < 0 ? [] : [words[at]!];
}

/** `git push` does not cover `git push --force`: every option is part of what the user has approved. */
function withOptions(name: string, words: readonly string[]): string {
  return [name, ...[...new Set(words.filter(isOption))].sort()].join(' ');
}

/** `+main` and `:main` are how `git push` forces and deletes. */
function isOption(word: string): boolean {
  return /^[-+:]/.test(word);
}

/** Whether a word, or the value of an option, is a path in the workspace that leads out of it by a link. */
async function anyLeadsOut(words: readonly string[], workspace: Workspace): Promise<boolean> {
  const paths = words.flatMap((word) => [
    word,
    word.slice(word.indexOf('=') + 1),
    ...(isOption(word) ? [word.slice(2)] : []),
  ]);
  for (const path of new Set(paths)) {
    if (path === '' || path.split('/').some((name) => name.length > longestName)) continue;
    const inside = await workspace.locate(path).then(
      () => true,
      () => false,
    );
    if (!inside) return true;
  }
  return false;
}

/** No file system has longer names, so what is longer (the message of a commit) names no file. */
const longestName = 255;

/** Programs that only read, with any options and operands. */
const looking = new Set(
  'ls cat head tail wc grep egrep fgrep pwd echo printf stat du df which uname diff cmp cut tr basename dirname realpath readlink nl comm md5sum sha1sum sha256sum true false whoami id'.split(
    ' ',
  ),
);
/** Programs that change files and run nothing. `cp` is not one of them: it writes through links that lie where it copies to. */
const changing = new Set('mkdir touch rmdir rm mv'.split(' '));
const gitLooking = new Set('status log diff show blame ls-files rev-parse describe shortlog'.split(' '));
const gitChanging = new Set(
  'add branch checkout cherry-pick commit merge mv reset restore revert rm switch tag'.split(' '),
);
/** For these the first operand is part of what was approved: the action on the stash, or the remote. */
const gitActing = new Set('fetch pull push stash'.split(' '));

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
