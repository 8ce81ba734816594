import { natureOf } from './nature.js';
import type { Effect } from './step.js';

/**
 * What a shell command does, told by the programs it runs: the strongest of its parts counts, a change before a wait
 * before a run before a look. It reads words, not the shell's grammar; what it does not know is a run.
 */
export function commandEffect(command: string): Effect {
  let strongest: Effect | undefined;
  for (const part of command.slice(0, 2000).split(/&&|\|\||[;|\n]/)) {
    const effect = partEffect(part);
    if (effect !== undefined && (strongest === undefined || strength[effect] > strength[strongest])) strongest = effect;
    if (strongest === 'write') break; // nothing is stronger
  }
  return strongest ?? 'read';
}

const strength: { readonly [effect in Effect]: number } = { note: 0, read: 1, act: 2, run: 3, poll: 4, write: 5 };

function partEffect(part: string): Effect | undefined {
  // Word by word: a part can be a line of a long script, of which only the first words matter.
  word.lastIndex = 0;
  let found = word.exec(part)?.[0];
  for (let at = 0; found !== undefined && isBefore(found, at); at++) found = word.exec(part)?.[0];
  const program = found?.slice(found.lastIndexOf('/') + 1) ?? '';
  if (program === '' || program.startsWith('#')) return undefined;
  const from = word.lastIndex;
  const restOf = () => part.slice(from).trim().split(/\s+/);
  if (program === 'cd' || program === 'pushd' || program === 'popd') return undefined;
  if (waits.has(program) || (program === 'tail' && restOf().includes('-f'))) return 'poll';
  if (program === 'git') return gitReads.has(subcommand(restOf())) ? 'read' : 'write';
  if (program === 'gh') {
    const rest = restOf();
    if (rest.includes('watch')) return 'poll';
    return /create|edit|merge|close|comment|delete/.test(subcommands(rest)) ? 'write' : 'read';
  }
  if (program === 'kubectl' || program === 'docker') return lookers.has(subcommand(restOf())) ? 'read' : 'run';
  if ((program === 'sed' || program === 'perl') && restOf().some((one) => /^-\w*i/.test(one) && one !== '-in'))
    return 'write';
  if (program === 'edit') return 'write'; // SWE-agent's editor speaks through its shell
  if (readers.has(program)) return part.includes('>') && writesFile.test(part) ? 'write' : 'read';
  if (writers.has(program)) return 'write';
  if (installers.has(program) && /^(?:install|i|ci|add|remove|uninstall|update|upgrade)$/.test(subcommand(restOf())))
    return 'write';
  return isToolName.test(program) ? namedEffect(program, part.slice(from)) : 'run';
}

/** Some harnesses take the names of tools in a shell: `read_file a.ts`. Hardly a program is called like that. */
const isToolName = /^(?:[A-Z]|[a-z]+(?:_+[a-z]|[A-Z]))/;

function namedEffect(tool: string, rest: string): Effect | undefined {
  const nature = natureOf(tool);
  if (nature === 'shell') return partEffect(rest);
  return nature === 'query' || nature === 'stdin' || nature === 'unknown' ? 'run' : nature;
}

const word = /\S+/g;

/** What may stand before a program: assignments, programs that run another, and their numbers. */
function isBefore(text: string, at: number): boolean {
  return /^\w+=/.test(text) || wrappers.has(text) || (at > 0 && /^-?\d+[smh]?$/.test(text));
}

const subcommand = (words: readonly string[]): string =>
  words.find((word) => !word.startsWith('-') && !word.includes('/')) ?? '';
const subcommands = (words: readonly string[]): string => words.slice(0, 3).join(' ');

const writesFile = /(?:^|[^0-9&>])>{1,2}\s*(?!&|\/dev\/null)\S/;
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const wrappers = set('sudo env time timeout nohup command exec nice stdbuf then do else if while until for !');
const waits = set('sleep wait watch');
const readers = set(
  'ls cat head tail less more grep egrep fgrep rg ag find fd wc pwd which whereis file stat du df ps env printenv tree diff cmp echo printf sed awk jq yq sort uniq cut tr column date whoami id uname type hostname hexdump xxd od strings basename dirname realpath readlink md5sum sha256sum man help true false test [ done fi nl open goto scroll_down scroll_up search_dir search_file find_file lsof history',
);
const writers = set(
  'rm mv cp mkdir rmdir touch chmod chown ln tee patch truncate dd create rsync unzip tar kill pkill apply_patch',
);
const lookers = set('get describe logs top ps inspect images version explain events');
const installers = set('npm pnpm yarn bun pip pip3 uv apt apt-get brew cargo go gem poetry conda');
const gitReads = set(
  'status diff log show blame rev-parse rev-list ls-files ls-tree remote describe grep shortlog reflog cat-file config branch help',
);
