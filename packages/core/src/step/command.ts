import type { Effect } from './step.js';

/**
 * What a shell command does, told by the programs it runs: the strongest of its parts counts, a change before a wait
 * before a run before a look. It reads words, not the shell's grammar; what it does not know is a run.
 */
export function commandEffect(command: string): Effect {
  let strongest: Effect = 'read';
  for (const part of command.slice(0, 2000).split(/&&|\|\||[;|\n]/)) {
    const effect = partEffect(part);
    if (effect !== undefined && strength[effect] > strength[strongest]) strongest = effect;
  }
  return strongest;
}

const strength: { readonly [effect in Effect]: number } = { note: 0, read: 1, act: 1, run: 2, poll: 3, write: 4 };

function partEffect(part: string): Effect | undefined {
  const words = part.trim().split(/\s+/);
  let at = 0;
  while (
    at < words.length &&
    (/^\w+=/.test(words[at]!) || wrappers.has(words[at]!) || (at > 0 && /^-?\d+[smh]?$/.test(words[at]!)))
  )
    at++;
  const program = (words[at] ?? '').replace(/^.*\//, '');
  if (program === '' || program.startsWith('#')) return undefined;
  const rest = words.slice(at + 1);
  const writesFile = /(?:^|[^0-9&>])>{1,2}\s*(?!&|\/dev\/null)\S/.test(part);
  if (program === 'cd' || program === 'pushd' || program === 'popd') return undefined;
  if (waits.has(program) || (program === 'tail' && rest.includes('-f'))) return 'poll';
  if (program === 'git') return gitReads.has(subcommand(rest)) ? 'read' : 'write';
  if (program === 'gh')
    return rest.includes('watch')
      ? 'poll'
      : /create|edit|merge|close|comment|delete/.test(subcommands(rest))
        ? 'write'
        : 'read';
  if (program === 'kubectl' || program === 'docker') return lookers.has(subcommand(rest)) ? 'read' : 'run';
  if ((program === 'sed' || program === 'perl') && rest.some((word) => /^-\w*i/.test(word) && word !== '-in'))
    return 'write';
  if (program === 'edit') return 'write'; // SWE-agent's editor speaks through its shell
  if (readers.has(program)) return writesFile ? 'write' : 'read';
  if (writers.has(program)) return 'write';
  if (installers.has(program) && /^(?:install|i|ci|add|remove|uninstall|update|upgrade)$/.test(subcommand(rest)))
    return 'write';
  return 'run';
}

const subcommand = (words: readonly string[]): string =>
  words.find((word) => !word.startsWith('-') && !word.includes('/')) ?? '';
const subcommands = (words: readonly string[]): string => words.slice(0, 3).join(' ');

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const wrappers = set('sudo env time timeout nohup command exec nice stdbuf then do else if while until for !');
const waits = set('sleep wait watch');
const readers = set(
  'ls cat head tail less more grep egrep fgrep rg ag find fd wc pwd which whereis file stat du df ps env printenv tree diff cmp echo printf sed awk jq yq sort uniq cut tr column date whoami id uname type hostname hexdump xxd od strings basename dirname realpath readlink md5sum sha256sum man help true false test [ done fi export set source nl open goto scroll_down scroll_up search_dir search_file find_file lsof history',
);
const writers = set(
  'rm mv cp mkdir rmdir touch chmod chown ln tee patch truncate dd create rsync unzip tar kill pkill apply_patch',
);
const lookers = set('get describe logs top ps inspect images version explain events');
const installers = set('npm pnpm yarn bun pip pip3 uv apt apt-get brew cargo go gem poetry conda');
const gitReads = set(
  'status diff log show blame rev-parse rev-list ls-files ls-tree remote describe grep shortlog reflog cat-file config branch help',
);
