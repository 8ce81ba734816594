import { natureOf } from './nature.js';
import type { Effect } from './step.js';

/**
 * What a shell command does, told by the programs it runs. The strongest of its parts counts: a change before a wait,
 * then a run, then a look. It reads words, not the shell's grammar; what it does not know counts as a run.
 */
export function commandEffect(command: string): Effect {
  let strongest: Effect | undefined;
  let most = -1;
  for (const part of command.slice(0, 2000).split(/&&|\|\||[;|\n]/)) {
    const effect = partEffect(part);
    if (effect === undefined) continue;
    const strong = strength[effect] / (prepares.test(part) ? 2 : 1);
    if (strong > most) {
      most = strong;
      strongest = effect;
    }
    if (most === strength.write) break; // nothing is stronger
  }
  return strongest ?? (goesUp.test(command) ? 'act' : 'read');
}

/** Prepares or clears the place for what comes next, or waits a few seconds for what was started: less than a run. */
const prepares = /^\s*(?:sudo )?(?:mkdir|rmdir|rm|touch|chmod|chown|kill|pkill)\b|^\s*sleep [0-5](?:\.\d{1,9})?s?\s*$/;

/** A lone `cd ..` is a move: it starts from where the last one ended. */
const goesUp = /^\s*cd \.\./;

const strength: { readonly [effect in Effect]: number } = { note: 0, read: 1, act: 2, run: 3, poll: 4, write: 5 };

function partEffect(part: string): Effect | undefined {
  // A part can be a line of a long script, of which only the first words matter.
  const words = part.trimStart().slice(0, 200).split(/\s+/);
  let at = 0;
  while (at < words.length && isBefore(words[at]!, at)) at++;
  const program = words[at]?.replace(/^.*\//, '') ?? '';
  if (program === '' || settings.has(program) || program.startsWith('#')) return undefined;
  const rest = words.slice(at + 1);
  const verb = verbIn(rest);
  if (waits.has(program) || (program === 'tail' && rest.includes('-f'))) return 'poll';
  if (
    writers.has(program) ||
    ((program === 'sed' || program === 'perl') && rest.some((word) => /^-i|^-\w*i$/.test(word)))
  )
    return 'write';
  if (readers.has(program)) return writesFile.test(part) ? 'write' : 'read';
  if (rest.slice(0, 2).some((word) => waits.has(word))) return 'poll'; // `gh run watch 7`
  if (looks.has(verb)) return 'read';
  if (program === 'git' || changes.has(verb)) return 'write';
  return /^\w+$/.test(words[at]!) ? namedEffect(program, rest) : 'run';
}

/** The command of a program that has many, after its options and the values of short ones: `git -C repo log`. */
function verbIn(words: readonly string[]): string {
  let at = 0;
  while (words[at]?.startsWith('-')) at += /^-\w$/.test(words[at]!) && isValue(words[at + 1] ?? '') ? 2 : 1;
  return words[at] ?? '';
}

/** Whether a word is the value of a short option. A script after a flag (`python -u train.py`) is not. */
function isValue(word: string): boolean {
  const isVerb = looks.has(word) || changes.has(word);
  return !isVerb && !word.startsWith('-') && (!word.includes('.') || word.includes('='));
}

/** Some hosts accept names of tools as shell commands: `read_file a.ts`, `edit 3:7`. */
function namedEffect(tool: string, rest: readonly string[]): Effect | undefined {
  const nature = natureOf(tool);
  if (nature === 'shell') return partEffect(rest.join(' '));
  if (nature === 'query' || nature === 'stdin' || nature === 'unknown') return 'run';
  if (nature === 'picture') return 'read';
  return nature === 'act' && !/[_A-Z]/.test(tool) ? 'run' : nature; // a program may be called `go` or `next`
}

/** What may stand before a program: assignments, programs that run another, and their flags and numbers. */
function isBefore(text: string, at: number): boolean {
  return /^\w+=/.test(text) || wrappers.has(text) || (at > 0 && /^(?:-|\d+[smh]?$)/.test(text));
}

const writesFile = /(?:^|[^0-9&>])>{1,2}\s*(?!&|\/dev\/null)\S/;
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const wrappers = set('sudo env xargs time timeout nohup command exec nice then do else if while until for !');
/** These do nothing by themselves. `return` also begins many lines in scripts that are passed to a program. */
const settings = set('cd set return');
const waits = set('sleep wait watch');
const readers = set(
  'ls cat head tail less grep rg find fd wc pwd which file stat du df ps printenv tree diff echo printf sed awk jq sort uniq cut date test [ true false done fi',
);
const writers = set('rm mv cp mkdir rmdir touch chmod chown ln tee patch truncate dd rsync unzip tar kill pkill');
/** Commands of programs such as git, docker, kubectl, gh, systemctl: those that only look, and those that change. */
const looks = set(
  'status diff log logs show blame grep get list ls ls-files ls-tree cat-file describe inspect view ps top images branch remote config reflog rev-list rev-parse version help',
);
const changes = set('install i ci add remove uninstall update upgrade create edit delete merge');
