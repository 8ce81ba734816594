/**
 * The words of each simple command in a line for the shell (`a b && c` has two), with quotes removed as the shell does.
 * `undefined` where there is more than words, quotes and separators: substitution, redirection,
 * groups, escapes, a separator inside quotes (which not every shell treats as text), a quote that is not closed.
 */
export function simpleCommands(line: string): readonly (readonly string[])[] | undefined {
  if (/[`$<>(){}\\\n\r~]/.test(line)) return undefined;
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote: string | undefined;
  // A separator after the last word ends it as any other does.
  for (const character of `${line};`) {
    const separates = ';|&'.includes(character);
    if (quote !== undefined && separates) return undefined;
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === undefined && (separates || /\s/.test(character))) {
      if (word !== undefined) commands.at(-1)!.push(word);
      word = undefined;
      if (separates) commands.push([]);
    } else word = (word ?? '') + character;
  }
  return commands.filter(({ length }) => length > 0);
}
