/** A name and the sign of an assignment: `key: `, `"key"=`. */
const assignment = /(?<![\w-])[\w-]+(\\?["'])?\s{0,8}[=:]\s{0,8}/g;
const secretWord = /api[_-]?key|access[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|private[_-]?key/i;
const quotedValue = /(\\?["'])([^\s"'\\]{6,})/y;
/** Without quotes it may be code: only a value with a digit that is neither a number nor a variable is a secret. */
const bareValue = /()((?!\$|process\.|\d+\b)(?=[^\s\d]{0,64}\d)[^\s"'\\,;&|<>(){}[\]]{6,})/y;

/** Replaces values that are assigned to a name such as `token`. Takes linear time. */
export function maskAssignments(text: string, nameOf: (secret: string) => string): string {
  let masked = '';
  let from = 0;
  for (const { 0: found, 1: quote, index } of text.matchAll(assignment)) {
    if (index < from || !secretWord.test(found)) continue;
    const at = index + found.length;
    const value = matchAt(quotedValue, text, at) ?? (quote === undefined ? matchAt(bareValue, text, at) : undefined);
    if (value === undefined) continue;
    masked += text.slice(from, at) + value[1] + nameOf(value[2]!);
    from = at + value[0].length;
  }
  return masked + text.slice(from);
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
