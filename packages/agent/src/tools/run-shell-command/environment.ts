export type Environment = { readonly [name: string]: string | undefined };

/** Names of variables that hold secrets. */
const secretName =
  /(?:^|_)(?:key|keys|token|tokens|secret|secrets|password|passwd|passphrase|pass|pwd|credential|credentials|cookie|auth|private|pat|dsn|jwt)(?:_|$)|apikey|token$|secret$|password$|passwd$|_key$|credentials?$/i;
const harmlessName = /^(?:PWD|OLDPWD)$/;

/** Values with the form of a secret: keys of well-known services, signed tokens, addresses with a password. */
const secretValue =
  /^(?:sk-|sk_|pk_|rk_|xai-|gsk_|hf_|ghp_|gho_|ghu_|ghs_|github_pat_|glpat-|xox[abprs]-|AIza|AKIA|ASIA|npm_|ya29\.)\S{8,}|^eyJ[\w-]{8,}\.[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/** Whether a value has the form of a secret, with any name. */
export function isSecretValue(value: string): boolean {
  return secretValue.test(value);
}

export function isSecret(name: string, value: string): boolean {
  return !harmlessName.test(name) && (secretName.test(name) || secretValue.test(value));
}

/** The environment without what looks like a secret. Commands that the model writes must not get those. */
export function cleanEnvironment(from: Environment): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && !isSecret(name, value)) clean[name] = value;
  return clean;
}
