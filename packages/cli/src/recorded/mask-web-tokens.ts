/** Replaces JSON web tokens: three parts with dots between, the first of which begins with `eyJ` (`{"` in base 64). */
export function maskWebTokens(text: string, nameOf: (secret: string) => string): string {
  if (!text.includes('eyJ')) return text;
  return text.replace(/[\w.-]+/g, (run) => {
    if (!run.includes('eyJ')) return run;
    const parts = run.split('.');
    let masked = '';
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k]!;
      const from = k + 2 < parts.length && parts[k + 1]!.length >= 8 ? part.search(/\beyJ[\w-]{8}/) : -1;
      if (k > 0) masked += '.';
      masked +=
        from < 0 ? part : part.slice(0, from) + nameOf([part.slice(from), parts[k + 1], parts[k + 2]].join('.'));
      if (from >= 0) k += 2;
    }
    return masked;
  });
}
