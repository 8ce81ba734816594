/**
 * What "always allow" covers for a command: the programs it starts. A command that can hide another one (substitution,
 * redirection, a program that runs programs, a variable set for one command) is covered only as it stands.
 */
export function commandHeads(command: string): readonly string[] {
  if (/[`$<>(){}\\\n]/.test(command)) return [command];
  const heads = new Set<string>();
  for (const segment of command.split(/&&|\|\||[;|&]/)) {
    const words = segment.trim().split(/\s+/);
    const head = words[0] ?? '';
    if (head === '') continue;
    if (!/^[\w./+-]+$/.test(head) || runners.has(head.slice(head.lastIndexOf('/') + 1))) return [command];
    heads.add(head);
  }
  return heads.size === 0 ? [command] : [...heads];
}

const runners = new Set(
  'sh bash zsh dash ksh fish csh env sudo su doas xargs find exec eval command nohup nice time timeout watch parallel ssh node deno bun python python3 perl ruby php awk sed tee dd npx npm pnpm yarn make docker busybox setsid script source .'.split(
    ' ',
  ),
);
