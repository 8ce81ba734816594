/** The command in a block of code, for agents whose models have no tools; undefined if there is none. */
export function commandIn(text: string): string | undefined {
  const begin = /```(?:bash|sh|mswea_bash_command)\n/.exec(text);
  if (begin === null) return undefined;
  const from = begin.index + begin[0].length;
  const end = text.indexOf('\n```', from);
  return end < 0 ? undefined : text.slice(from, end).trim();
}

/** The exit code at the beginning of the message by which such agents report a command's result to the model. */
export function exitCodeIn(text: string): string | undefined {
  return /^\s{0,8}<returncode>(-?\d{1,6})<\/returncode>/.exec(text.slice(0, 100))?.[1];
}
