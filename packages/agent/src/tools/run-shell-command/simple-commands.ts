/**
 * The words of each simple command in a line for the shell (`a b && c` has two), with quotes taken out as the shell does.
 * `undefined` where more than words, quotes and separators would have to be understood: substitution, redirection,
 * groups, escapes, a separator inside of quotes (which not every shell takes for text), a quote that is not closed.
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
